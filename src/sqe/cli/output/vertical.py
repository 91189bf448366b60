"""Write results with one line for each value, for rows that are too wide for a table."""

from __future__ import annotations

import pyarrow as pa

from sqe.cli.output.cells import DIM, PLAIN, pad, width
from sqe.cli.output.escape import visible, visible_lines
from sqe.cli.output.formats import Style
from sqe.cli.output.sink import Sink
from sqe.cli.output.text import texts

RULE_WIDTH = 40


class VerticalWriter:
    def __init__(self, sink: Sink, style: Style) -> None:
        self._sink = sink
        self._null = f"{DIM}{style.null}{PLAIN}" if style.color else style.null
        self._names: list[str] = []
        self._indent = 0
        self._row = 0

    def begin(self, schema: pa.Schema) -> None:
        names = [visible(name) for name in schema.names]
        size = max(width(name) for name in names)
        self._names = [pad(name, size, right=True) for name in names]
        self._indent = size

    def batch(self, batch: pa.RecordBatch) -> None:
        lines: list[str] = []
        columns = [texts(column).to_pylist() for column in batch.columns]
        for row in zip(*columns, strict=True):
            self._row += 1
            lines.append(f"─[ row {self._row} ]".ljust(RULE_WIDTH, "─"))
            lines += [f"{name} │ {self._value(value)}" for name, value in zip(self._names, row, strict=True)]
        if lines:
            self._sink.text("\n".join(lines) + "\n")

    def end(self) -> None:
        if not self._row:
            self._sink.text(f"(no rows: {', '.join(name.strip() for name in self._names)})\n")

    def _value(self, value: str | None) -> str:
        if value is None:
            return self._null
        return visible_lines(value).replace("\n", f"\n{' ' * self._indent} │ ")
