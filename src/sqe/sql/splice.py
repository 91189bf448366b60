"""Replace parts of a statement's text, and map positions in the new text back to the original."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqe.errors import Position
from sqe.sql.files.table import FileTable
from sqe.sql.lexer import position_at
from sqe.sql.quote import quote_identifier


class Edit(NamedTuple):
    """Put `text` in the place of what is from `start` to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Splice:
    """A statement in which some parts have been replaced."""

    text: str
    original: str
    _starts: tuple[int, ...]  # of the new parts in the new text, ascending
    _edges: tuple[tuple[int, int, int], ...]  # for each: where it ends; what it replaced, from and to

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original text; all of a new part leads to the start of what it replaced."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return min(offset, len(self.original))
        new_end, start, end = self._edges[index]
        return start if offset < new_end else min(end + offset - new_end, len(self.original))

    def original_position(self, position: Position) -> Position:
        """Return the line and column in the original text, where error messages point."""
        lines = self.text.split("\n")
        line = min(position.line, len(lines))
        offset = sum(len(text) + 1 for text in lines[: line - 1]) + position.column - 1
        return position_at(self.original, self.original_offset(min(offset, len(self.text))))


def splice(sql: str, edits: Iterable[Edit]) -> Splice:
    """Return the statement with the edits made, which must not overlap.

    Example:
        >>> splice("SELECT a", [Edit(7, 8, "b")]).text
        'SELECT b'
    """
    parts: list[str] = []
    starts: list[int] = []
    edges: list[tuple[int, int, int]] = []
    read = written = 0
    for start, end, text in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        kept = sql[read:start]
        parts += [kept, text]
        starts.append(written + len(kept))
        written += len(kept) + len(text)
        edges.append((written, start, end))
        read = end
    parts.append(sql[read:])
    return Splice("".join(parts), sql, tuple(starts), tuple(edges))


def replace(sql: str, names: Iterable[tuple[FileTable, str]]) -> Splice:
    """Return the statement with each file replaced by a name, which is quoted here.

    Example:
        >>> table = FileTable(14, 21, "csv", ("x.csv",))
        >>> replace("SELECT * FROM 'x.csv' t", [(table, "v")]).text
        'SELECT * FROM `v` t'
    """
    return splice(sql, (Edit(table.start, table.end, quote_identifier(name)) for table, name in names))
