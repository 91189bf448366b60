"""The shell's history: a private file of limited size, or memory if no file can be written."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

_START = "# "  # a line before each entry; an entry's own lines start with +


class ShellHistory(History):
    """Entries go to the file at once, so that several shells share it."""

    def __init__(self, path: Path, size: int) -> None:
        super().__init__()
        self._path = path
        self._size = size
        self._usable = size > 0
        self._last: str | None = None

    def load_history_strings(self) -> Iterable[str]:
        """Return the newest entry first."""
        if not self._usable:
            return []
        try:
            text = self._path.read_bytes().decode("utf-8", "replace")
        except OSError:
            return []
        entries = [_unpack(block) for block in ("\n" + text).split("\n" + _START)[1:]]
        if len(entries) > self._size + self._size // 4:  # not at every start
            entries = entries[-self._size :]
            self._rewrite(entries)
        return entries[: -self._size - 1 : -1]

    def store_string(self, string: str) -> None:
        if not self._usable or string == self._last:
            return
        self._last = string
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write(self._path, os.O_APPEND, _pack(string))
        except OSError:
            self._usable = False  # a read-only home or a full disk: the entries of this shell stay in memory

    def _rewrite(self, entries: list[str]) -> None:
        shorter = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            _write(shorter, os.O_TRUNC, b"".join(map(_pack, entries)))
            shorter.replace(self._path)
        except OSError:
            shorter.unlink(missing_ok=True)


def _pack(entry: str) -> bytes:
    lines = "".join(f"+{line}\n" for line in entry.split("\n"))
    return f"{_START}\n{lines}".encode("utf-8", "replace")


def _unpack(block: str) -> str:
    return "\n".join(line[1:] for line in block.split("\n") if line.startswith("+"))


def _write(path: Path, mode: int, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | mode, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)  # statements may hold what others must not see
        file.write(data)
