"""Draw the box of a table, for scripts and for the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sqe.cli.output.cells import DIM, PLAIN, center, cut, padded, widest, width
from sqe.cli.output.escape import visible, visible_lines
from sqe.cli.output.formats import Style
from sqe.cli.output.spark_types import is_numeric, type_name
from sqe.cli.output.text import TEXT, texts

LONGEST_TYPE = 40  # a struct's type can be longer than all of its values


@dataclass(frozen=True, slots=True)
class Heading:
    name: str
    type: str
    numeric: bool

    @property
    def width(self) -> int:
        return max(width(self.name), width(self.type))


def headings(schema: pa.Schema) -> list[Heading]:
    return [
        Heading(
            visible(field.name), cut(visible(type_name(field.type)), LONGEST_TYPE), is_numeric(field.type)
        )
        for field in schema
    ]


class Grid:
    """Draws lines for columns whose widths are settled."""

    def __init__(self, heads: Sequence[Heading], widths: Sequence[int], style: Style) -> None:
        self._heads = heads
        self._widths = widths
        self._style = style

    @staticmethod
    def widths(heads: Sequence[Heading], columns: Sequence[pa.Array], style: Style) -> list[int]:
        """Return the widths that the headings and these values need."""
        return [
            max(head.width if style.header else 0, widest(column, style.null), 1)
            for head, column in zip(heads, columns, strict=True)
        ]

    def top(self) -> str:
        text = self._rule("┌", "┬", "┐")
        if self._style.header:
            dim, plain = (DIM, PLAIN) if self._style.color else ("", "")
            text += self._line([center(head.name, size) for head, size in self._sized()])
            text += self._line([f"{dim}{center(head.type, size)}{plain}" for head, size in self._sized()])
            text += self._rule("├", "┼", "┤")
        return text

    def rows(self, columns: Sequence[pa.Array]) -> pa.Array:
        """Draw one line for each row, as a large_string array."""
        parts: list[pa.Array | pa.Scalar] = []
        for column, (head, size) in zip(columns, self._sized(), strict=True):
            parts.append(pa.scalar(" │ " if parts else "│ ", TEXT))
            parts.append(
                padded(column, size, self._style.null, right=head.numeric, dim_null=self._style.color)
            )
        return pc.binary_join_element_wise(*parts, pa.scalar(" │\n", TEXT), pa.scalar("", TEXT))

    def gap(self) -> str:
        """Three lines of dots for the rows that are left out."""
        return 3 * self._line(
            ["·".rjust(size) if head.numeric else center("·", size) for head, size in self._sized()]
        )

    def bottom(self) -> str:
        return self._rule("└", "┴", "┘")

    def _sized(self) -> list[tuple[Heading, int]]:
        return list(zip(self._heads, self._widths, strict=True))

    def _line(self, cells: Sequence[str]) -> str:
        return f"│ {' │ '.join(cells)} │\n"

    def _rule(self, left: str, middle: str, right: str) -> str:
        return left + middle.join("─" * (size + 2) for size in self._widths) + right + "\n"


def lines_of_single_value(batches: Sequence[pa.RecordBatch]) -> pa.Array | None:
    """Return the lines of a result that is one text of several lines (EXPLAIN, SHOW CREATE TABLE), else None."""
    filled = [batch for batch in batches if batch.num_rows]
    if len(filled) != 1 or filled[0].num_rows != 1 or filled[0].num_columns != 1:
        return None
    column = filled[0].column(0)
    value = texts(column)[0].as_py() if pa.types.is_string(column.type) else None
    if value is None or "\n" not in value.rstrip("\n"):
        return None
    return pa.array(visible_lines(value.rstrip("\n")).split("\n"), TEXT)
