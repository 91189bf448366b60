"""Helpers of `sqe users` and `sqe keys` for a private file with one entry per line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import click

from sqe.common.filelock import hold
from sqe.common.private_file import Stamp
from sqe.errors import UsageError
from sqe.identity.credentials import is_user_name
from sqe.locations import write_private

_SECONDS = 10.0


class Entry(Protocol):
    def line(self) -> str:
        """Return the line of the entry in the file."""


T = TypeVar("T", bound=Entry)


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


@dataclass(frozen=True, slots=True)
class EntriesFile(Generic[T]):
    """A kind of file: what is in it, its first line, and the function that reads it."""

    what: str
    header: str
    read: Callable[[Path], tuple[Mapping[str, T], Stamp]]

    def entries(self, file: Path) -> dict[str, T]:
        """Return the entries by their key; none when there is no file."""
        return dict(self.read(file)[0]) if file.exists() else {}

    @contextmanager
    def changing(self, file: Path) -> Iterator[dict[str, T]]:
        """Yield the entries, and write them as they are in the end. Locks the file, and creates its directory."""
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with hold(file.with_name(f".{file.name}.lock"), timeout=_SECONDS, what=f"changes the {self.what}"):
            entries = self.entries(file)
            yield entries
            lines = "".join(f"{entry.line()}\n" for entry in entries.values())
            write_private(file, f"# {self.header}\n{lines}")
