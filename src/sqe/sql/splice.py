"""Putting view names into a statement, and finding the way back from a place in the new text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from sqe.errors import Position
from sqe.sql.file_table import FileTable
from sqe.sql.lexer import position_at
from sqe.sql.quote import quote_identifier


@dataclass(frozen=True, slots=True)
class Splice:
    """A statement in which names have taken the place of files."""

    text: str
    original: str
    _starts: tuple[int, ...]  # of the names in the new text, ascending
    _edges: tuple[tuple[int, int, int], ...]  # for each: where it ends; what it replaced, from and to

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original text; all of a name leads to the start of what it replaced."""
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


def replace(sql: str, names: Iterable[tuple[FileTable, str]]) -> Splice:
    """Return the statement with each file replaced by a name, which is quoted here.

    Example:
        >>> table = FileTable(14, 21, "csv", ("x.csv",))
        >>> replace("SELECT * FROM 'x.csv' t", [(table, "v")]).text
        'SELECT * FROM `v` t'
    """
    parts: list[str] = []
    starts: list[int] = []
    edges: list[tuple[int, int, int]] = []
    read = written = 0
    for table, name in sorted(names, key=lambda pair: pair[0].start):
        quoted = quote_identifier(name)
        kept = sql[read : table.start]
        parts += [kept, quoted]
        starts.append(written + len(kept))
        written += len(kept) + len(quoted)
        edges.append((written, table.start, table.end))
        read = table.end
    parts.append(sql[read:])
    return Splice("".join(parts), sql, tuple(starts), tuple(edges))
