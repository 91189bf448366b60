"""Draw a result as a table for the screen: the first and last rows, cut to the width or shown in a pager."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import pyarrow as pa

from sqe.cli.output.cells import ELLIPSIS, cut, cut_all, shown
from sqe.cli.output.formats import Style
from sqe.cli.output.grid import Grid, Heading, headings, lines_of_single_value
from sqe.cli.output.text import TEXT

LONGEST_CELL = 1000
NARROWEST_CELL = 8


class ScreenTable:
    """Keeps at most `max_rows` rows (None: all) and gives the drawn table to `show` at the end.

    The table fits into `screen_width` by cutting values and leaving out columns; None: as wide as needed, for a pager
    that scrolls sideways.
    """

    def __init__(
        self,
        style: Style,
        show: Callable[[str], None],
        write_footer: Callable[[str], None],
        *,
        max_rows: int | None,
        screen_width: int | None,
    ) -> None:
        self._style = style
        self._show = show
        self._write_footer = write_footer
        self._screen_width = screen_width
        self._max_rows = max_rows
        self._heads: list[Heading] = []
        self._head: list[pa.RecordBatch] = []
        self._head_rows = 0
        self._tail: deque[pa.RecordBatch] = deque()
        self._tail_rows = 0
        self._rows = 0

    def begin(self, schema: pa.Schema) -> None:
        self._heads = headings(schema)

    def batch(self, batch: pa.RecordBatch) -> None:
        """Keep the first and the last rows, half of `max_rows` each."""
        self._rows += batch.num_rows
        if self._max_rows is None:
            self._head.append(batch)
            return
        room = (self._max_rows + 1) // 2 - self._head_rows
        if room > 0:
            self._head.append(batch.slice(0, room))
            self._head_rows += self._head[-1].num_rows
            batch = batch.slice(min(room, batch.num_rows))
        if batch.num_rows and self._max_rows > 1:
            self._tail.append(batch)
            self._tail_rows += batch.num_rows
            while self._tail_rows - self._tail[0].num_rows >= self._max_rows // 2:
                self._tail_rows -= self._tail.popleft().num_rows

    def end(self) -> None:
        tail = self._last_rows()
        top, bottom = self._columns(self._head), self._columns(tail)
        lines = lines_of_single_value(self._head) if not tail else None
        if lines is not None:
            top = [lines]
        heads, widths, kept = self._layout(top, bottom)
        grid = Grid(heads, widths, self._style)
        text = [grid.top(), *self._draw(grid, top, kept, widths)]
        if self._shown_rows() < self._rows:
            text.append(grid.gap())
        text += [*self._draw(grid, bottom, kept, widths), grid.bottom()]
        self._show("".join(text))
        self._write_footer(self._footer(sum(index >= 0 for index in kept)))

    def _last_rows(self) -> list[pa.RecordBatch]:
        excess = self._tail_rows - (self._max_rows or 0) // 2
        tail = list(self._tail)
        if excess > 0:
            tail[0] = tail[0].slice(excess)
            self._tail_rows -= excess
        return tail

    def _shown_rows(self) -> int:
        return sum(int(batch.num_rows) for batch in self._head) + self._tail_rows

    def _columns(self, batches: Sequence[pa.RecordBatch]) -> list[pa.Array]:
        columns = []
        for index in range(len(self._heads)):
            parts = [cut_all(shown(batch.column(index)), LONGEST_CELL) for batch in batches]
            columns.append(pa.concat_arrays(parts) if parts else pa.array([], TEXT))
        return columns

    def _layout(self, *parts: list[pa.Array]) -> tuple[list[Heading], list[int], list[int]]:
        """Choose the columns to show (by number; -1 stands for those left out) and their widths."""
        needed = [
            max(sizes)
            for sizes in zip(*(Grid.widths(self._heads, part, self._style) for part in parts), strict=True)
        ]
        kept = list(range(len(needed)))
        if self._screen_width is None:
            return self._heads, needed, kept
        kept, widths = fit(needed, self._screen_width)
        heads = [self._heads[index] if index >= 0 else Heading(ELLIPSIS, "", False) for index in kept]
        cut_heads = [
            Heading(cut(head.name, size), cut(head.type, size), head.numeric)
            for head, size in zip(heads, widths, strict=True)
        ]
        return cut_heads, widths, kept

    def _draw(self, grid: Grid, columns: list[pa.Array], kept: list[int], widths: list[int]) -> list[str]:
        rows = len(columns[0])
        shortened = [
            cut_all(columns[index], size) if index >= 0 else pa.array([ELLIPSIS] * rows, TEXT)
            for index, size in zip(kept, widths, strict=True)
        ]
        drawn: list[str] = grid.rows(shortened).to_pylist()
        return drawn

    def _footer(self, columns: int) -> str:
        text = f"{self._rows:,} {'row' if self._rows == 1 else 'rows'}"
        if self._shown_rows() < self._rows:
            text += f" ({self._shown_rows():,} shown)"
        if columns < len(self._heads):
            text += f", {len(self._heads):,} columns ({columns:,} shown)"
        return text


def fit(needed: Sequence[int], screen_width: int) -> tuple[list[int], list[int]]:
    """Make columns of these widths fit: cut the widest ones first, then leave out columns from the middle.

    Returns:
        The numbers of the columns that stay, with -1 where some are left out, and the width of each.
    """
    kept = list(range(len(needed)))
    while True:
        wanted = [needed[index] if index >= 0 else 1 for index in kept]
        room = screen_width - 3 * len(kept) - 1
        cap = _cap(wanted, room)
        if cap >= NARROWEST_CELL or cap >= max(wanted) or len(kept) <= 2:
            return kept, [max(min(size, cap), 1) for size in wanted]
        columns = [index for index in kept if index >= 0]
        middle = len(columns) // 2
        columns.pop(middle)
        kept = [*columns[:middle], -1, *columns[middle:]]


def _cap(wanted: Sequence[int], room: int) -> int:
    """Return the largest width for single columns with which all of them fit into `room`."""
    cap = max(wanted)
    if sum(wanted) <= room:
        return cap
    rest = room
    for position, size in enumerate(sorted(wanted)):
        share = rest // (len(wanted) - position)
        if size > share:
            return max(share, 1)
        rest -= size
    return cap
