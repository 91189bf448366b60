"""Write results as a GitHub-flavoured Markdown table, with column widths from the first rows."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sqe.cli.output.cells import pad, padded, widest, width
from sqe.cli.output.escape import visible, visible_array
from sqe.cli.output.formats import Style
from sqe.cli.output.sink import Sink
from sqe.cli.output.spark_types import is_numeric
from sqe.cli.output.table import WIDTH_ROWS
from sqe.cli.output.text import TEXT, texts


class MarkdownWriter:
    def __init__(self, sink: Sink, style: Style) -> None:
        self._sink = sink
        self._style = style
        self._names: list[str] = []
        self._right: list[bool] = []
        self._held: list[list[pa.Array]] = []
        self._held_rows = 0
        self._widths: list[int] = []

    def begin(self, schema: pa.Schema) -> None:
        self._names = [visible(name).replace("|", "\\|") for name in schema.names]
        self._right = [is_numeric(field.type) for field in schema]

    def batch(self, batch: pa.RecordBatch) -> None:
        columns = [_cells(column) for column in batch.columns]
        if self._widths:
            self._rows(columns)
            return
        self._held.append(columns)
        self._held_rows += batch.num_rows
        if self._held_rows >= WIDTH_ROWS:
            self._settle()

    def end(self) -> None:
        if not self._widths:
            self._settle()

    def _settle(self) -> None:
        null = self._style.null
        self._widths = [
            max(3, width(name), *(widest(columns[index], null) for columns in self._held))
            for index, name in enumerate(self._names)
        ]
        sized = list(zip(self._names, self._right, self._widths, strict=True))
        names = " | ".join(pad(name, size, right=right) for name, right, size in sized)
        rules = " | ".join("-" * (size - 1) + ":" if right else "-" * size for _, right, size in sized)
        apart = "\n" if self._sink.used else ""  # without an empty line two tables are one
        self._sink.text(f"{apart}| {names} |\n| {rules} |\n")  # Markdown has no table without a header
        for columns in self._held:
            self._rows(columns)
        self._held.clear()

    def _rows(self, columns: Sequence[pa.Array]) -> None:
        parts: list[pa.Array | pa.Scalar] = []
        for column, right, size in zip(columns, self._right, self._widths, strict=True):
            parts.append(pa.scalar(" | " if parts else "| ", TEXT))
            parts.append(padded(column, size, self._style.null, right=right))
        self._sink.strings(pc.binary_join_element_wise(*parts, pa.scalar(" |\n", TEXT), pa.scalar("", TEXT)))


def _cells(column: pa.Array) -> pa.Array:
    text = pc.replace_substring(texts(column), "|", "\\|")
    return visible_array(pc.replace_substring_regex(text, r"\r?\n", "<br>"))
