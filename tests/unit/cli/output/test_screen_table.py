from __future__ import annotations

import pyarrow as pa
import pytest

from sqe.cli.output.formats import Style
from sqe.cli.output.screen_table import ScreenTable, fit


def drawn(
    table: pa.Table, *, max_rows: int | None = 40, width: int | None = None, chunk: int = 7
) -> tuple[str, str]:
    text: list[str] = []
    footer: list[str] = []
    writer = ScreenTable(Style(), text.append, footer.append, max_rows=max_rows, screen_width=width)
    writer.begin(table.schema)
    for batch in table.to_batches(max_chunksize=chunk):
        writer.batch(batch)
    writer.end()
    return "".join(text), "".join(footer)


def numbers(count: int) -> pa.Table:
    return pa.table({"n": pa.array(range(count), pa.int64())})


def shown_rows(text: str) -> list[int]:
    cells = [line.strip("│ ") for line in text.splitlines()[4:-1]]
    return [int(cell) for cell in cells if cell != "·"]


@pytest.mark.parametrize("chunk", [1, 3, 7, 1000])
@pytest.mark.parametrize(
    ("count", "max_rows", "expected", "footer"),
    [
        (0, 4, [], "0 rows"),
        (1, 4, [0], "1 row"),
        (4, 4, [0, 1, 2, 3], "4 rows"),
        (5, 4, [0, 1, 3, 4], "5 rows (4 shown)"),
        (1000, 5, [0, 1, 2, 998, 999], "1,000 rows (5 shown)"),
        (1000, 1, [0], "1,000 rows (1 shown)"),
        (50, None, list(range(50)), "50 rows"),
    ],
)
def test_first_and_last_rows(
    count: int, max_rows: int | None, expected: list[int], footer: str, chunk: int
) -> None:
    text, said = drawn(numbers(count), max_rows=max_rows, chunk=chunk)
    assert shown_rows(text) == expected
    assert said == footer
    assert ("·" in text) == ("shown" in footer)


def test_columns_are_cut_and_left_out_to_fit() -> None:
    table = pa.table({f"c{i}": ["x" * 30] for i in range(10)})
    footers = []
    for width in (20, 60, 107, 111, 333):
        text, footer = drawn(table, width=width)
        assert max(len(line) for line in text.splitlines()) <= width
        footers.append(footer.removeprefix("1 row, 10 columns "))
    assert footers == ["(1 shown)", "(5 shown)", "(9 shown)", "1 row", "1 row"]


def test_a_wide_value_is_cut_by_columns_of_the_screen() -> None:
    text, _ = drawn(pa.table({"a": ["日本日本日本日本"]}), width=14)
    assert "│ 日本日本…  │" in text


@pytest.mark.parametrize(
    ("needed", "width", "expected"),
    [
        ([5, 5], 17, ([0, 1], [5, 5])),
        ([50, 5], 30, ([0, 1], [18, 5])),
        ([50, 50], 30, ([0, 1], [11, 11])),
        ([9, 9, 9, 9], 30, ([0, -1, 3], [9, 1, 9])),
    ],
)
def test_fit(needed: list[int], width: int, expected: tuple[list[int], list[int]]) -> None:
    assert fit(needed, width) == expected
