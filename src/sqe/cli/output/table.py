"""Draw a result as a table for scripts: all rows, with widths from the first ones."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from sqe.cli.output.cells import shown
from sqe.cli.output.formats import Style
from sqe.cli.output.grid import Grid, Heading, headings, lines_of_single_value
from sqe.cli.output.sink import Sink

WIDTH_ROWS = 10_000


class TableWriter:
    """Holds the first rows until the widths are known; later values that are wider break the alignment."""

    def __init__(self, sink: Sink, style: Style) -> None:
        self._sink = sink
        self._style = style
        self._heads: list[Heading] = []
        self._held: list[pa.RecordBatch] = []
        self._grid: Grid | None = None

    def begin(self, schema: pa.Schema) -> None:
        self._heads = headings(schema)

    def batch(self, batch: pa.RecordBatch) -> None:
        if self._grid:
            self._rows(self._grid, [shown(column) for column in batch.columns])
            return
        self._held.append(batch)
        if sum(held.num_rows for held in self._held) >= WIDTH_ROWS:
            self._settle()

    def end(self) -> None:
        grid = self._grid or self._settle()
        self._sink.text(grid.bottom())

    def _settle(self) -> Grid:
        lines = lines_of_single_value(self._held)
        held = (
            [[lines]]
            if lines is not None
            else [[shown(column) for column in batch.columns] for batch in self._held]
        )
        widths = Grid.widths(self._heads, [pa.array([], pa.large_string())] * len(self._heads), self._style)
        for columns in held:
            needed = Grid.widths(self._heads, columns, self._style)
            widths = [max(pair) for pair in zip(widths, needed, strict=True)]
        self._grid = Grid(self._heads, widths, self._style)
        self._sink.text(self._grid.top())
        for columns in held:
            self._rows(self._grid, columns)
        self._held.clear()
        return self._grid

    def _rows(self, grid: Grid, columns: Sequence[pa.Array]) -> None:
        self._sink.strings(grid.rows(columns))
