"""Read private files, such as those with users and keys, and read them again when they change.

When the new content is broken, the old one stays in force and the log says why.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from sqe.errors import ConfigError

_log = logging.getLogger(__name__)

Stamp = tuple[int, int, int]  # changes when the file does

_LARGEST = 16 * 1024 * 1024

T = TypeVar("T")


def read_private(path: Path, what: str, hint: str) -> tuple[str, Stamp]:
    """Read and check a file.

    A link is followed, since that is how secrets are mounted in containers; what it leads to has to be private.

    Args:
        path: the file.
        what: what it is called in errors, such as "users file".
        hint: how to get one.

    Raises:
        ConfigError: it cannot be read, is not text, or is not private.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:  # Path.open has no opener
            found = os.fstat(file.fileno())
            private = stat.S_ISREG(found.st_mode) and found.st_uid in (os.geteuid(), 0)
            content = file.read(_LARGEST + 1) if private else b""
    except OSError as error:
        raise ConfigError(f"The {what} {path} cannot be read: {error.strerror}.", hint=hint) from error
    if not private or found.st_mode & 0o077:
        raise ConfigError(
            f"The {what} {path} can be read or changed by others than its owner.",
            hint="Make it yours, and run chmod 600 on it.",
        )
    if len(content) > _LARGEST:
        raise ConfigError(f"The {what} {path} is larger than {_LARGEST} bytes.")
    try:
        return content.decode(), _stamp(found)
    except UnicodeDecodeError:
        raise ConfigError(f"The {what} {path} is not UTF-8 text.") from None


def read_entries(
    path: Path,
    parse: Callable[[str], T],
    *,
    what: str,
    hint: str,
    key: Callable[[T], str],
    key_name: str,
) -> tuple[Mapping[str, T], Stamp]:
    """Read a file with one entry on each line, such as a user, and return the entries by their key.

    Args:
        path: the file.
        parse: reads a line. Raises ValueError.
        what: as for `read_private`, and so is `hint`.
        hint: how to get one.
        key: returns the key of an entry.
        key_name: what the key is called in errors, such as "user".

    Raises:
        ConfigError: as `read_private`; or a line cannot be parsed, or two have one key. It names the line, and never
            repeats what is in it.
    """
    text, stamp = read_private(path, what, hint)
    found: dict[str, T] = {}
    for number, line in entries(text):
        try:
            entry = parse(line)
        except ValueError as error:
            raise ConfigError(f"{path}, line {number}: {error}.") from None
        if key(entry) in found:
            raise ConfigError(f"{path}, line {number}: the {key_name} {key(entry)} is there twice.")
        found[key(entry)] = entry
    return found, stamp


def entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


class WatchedFile(Generic[T]):
    """The content of a file, read again after each change."""

    def __init__(self, path: Path, read: Callable[[Path], tuple[T, Stamp]], what: str) -> None:
        """Read the file; `what` is in it, for the log. Raises ConfigError."""
        self._path = path
        self._read = read
        self._what = what
        self._lock = threading.Lock()
        self.content, self._stamp = read(path)

    def refresh(self) -> T | None:
        """Read the file again if it has changed, and return what it held before; None when nothing is new."""
        with self._lock:
            try:
                stamp = _stamp(self._path.stat())
            except OSError:
                stamp = (0, 0, 0)
            if stamp == self._stamp:
                return None
            self._stamp = stamp  # a broken file is complained about once
            try:
                fresh, self._stamp = self._read(self._path)
            except ConfigError as error:
                _log.error("%s The %s stay as they were.", error.message, self._what)
                return None
            before, self.content = self.content, fresh
            _log.info("the file of the %s has changed", self._what)
            return before


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe in the file's place would keep us for ever


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_mtime_ns, found.st_size, found.st_ino
