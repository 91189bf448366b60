"""Write the file of COPY .. TO: whole or not at all, and over no other file unless the statement says so."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sqe.cli.output.formats import Style, Writer, make_writer
from sqe.cli.output.sink import Sink
from sqe.errors import FileAccessError, UnsupportedError
from sqe.sql.files.copy import Copy

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:/")
_LONGEST_NAME = 200  # bytes of the file's name that the name of the temporary file repeats


@contextmanager
def copy_writer(copy: Copy) -> Iterator[Writer]:
    """Yield what writes the result; the file has its name when the block has ended without an error.

    Raises:
        UnsupportedError: the address is no file of this machine.
        FileAccessError: there is such a file already, or it cannot be written.
    """
    target = _target(copy)
    own = os.fsencode(target.name)[:_LONGEST_NAME].decode("utf-8", "ignore")
    temporary = target.with_name(f".{own}.{secrets.token_hex(6)}.tmp")  # on the same file system
    try:
        with temporary.open("xb", buffering=0) as file:
            try:
                yield _writer(copy, file)
                os.fsync(file.fileno())
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        _publish(temporary, target, overwrite=copy.overwrite)
    except OSError as error:
        raise FileAccessError(f"'{copy.path}' cannot be written: {error.strerror or error}.") from error


def _target(copy: Copy) -> Path:
    if _SCHEME.match(copy.path):
        raise UnsupportedError(f"'{copy.path}' cannot be written: COPY writes files of this machine.")
    try:
        target = Path(copy.path).expanduser().absolute()
    except RuntimeError:
        raise FileAccessError(f"'{copy.path}' starts in the home of an unknown user.") from None
    if target.is_dir() or copy.path.endswith("/"):
        raise FileAccessError(f"'{copy.path}' is a directory.", hint="COPY writes one file.")
    if os.path.lexists(target) and not copy.overwrite:
        raise _exists(copy.path)
    if target.exists() and not target.is_file():
        raise FileAccessError(f"'{copy.path}' is no regular file.")
    return target


def _exists(path: str | Path) -> FileAccessError:
    return FileAccessError(f"The file '{path}' exists.", hint="Write (OVERWRITE true) to replace it.")


def _writer(copy: Copy, file: BinaryIO) -> Writer:
    if copy.format == "parquet":
        from sqe.cli.output.parquet import ParquetFile

        return ParquetFile(file, copy.compression)
    name = "jsonl" if copy.format == "json" else copy.format
    return make_writer(name, Sink(file.fileno()), Style(header=copy.header))


def _publish(temporary: Path, target: Path, *, overwrite: bool) -> None:
    """Give the file its name. Raises OSError, FileAccessError."""
    try:
        if overwrite:
            temporary.replace(target)
        else:
            target.hardlink_to(temporary)  # fails if the name was taken meanwhile
    except FileExistsError:
        raise _exists(target) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
