"""Helpers of `sqe users` and `sqe keys` for a private file with one entry per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from sqe.common.filelock import hold
from sqe.errors import UsageError
from sqe.identity.credentials import is_user_name
from sqe.locations import write_private

_SECONDS = 10.0


def with_file(what: str, setting: str) -> Callable[[Any], Any]:
    """Add the option --file to a command."""
    return click.option(
        "--file",
        "path",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"The {what}. Default: {setting}.",
    )


def check_names(*names: str) -> None:
    for name in names:
        if not is_user_name(name):
            raise UsageError(f"'{name}' cannot be a name.", hint="Use letters, digits and . _ - @ +")


@contextmanager
def locked(file: Path, what: str) -> Iterator[None]:
    """Lock the file against other changes; create its directory if needed."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with hold(file.with_name(f".{file.name}.lock"), timeout=_SECONDS, what=f"changes the {what}"):
        yield


def write(file: Path, header: str, lines: Iterable[str]) -> None:
    write_private(file, header + "".join(f"{line}\n" for line in lines))
