"""Files as tables: texts that are taken for files, others, and refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.errors import Position, SqeError
from sqe.sql.files.find import find_files
from sqe.sql.files.table import FileTable
from sqe.sql.splice import replace

FIXTURES = Path(__file__).parents[3] / "fixtures" / "sql"
PIECES = [
    "SELECT ", "FROM ", " JOIN ", " USING ", "MERGE ", " WHERE ", " AS t ", "(", ")", ",", "[", "]", " => ", "=", "|> ",
    "'a.csv'", '"b.parquet"', "'c'", "''", "read_csv", "read_json(", "header", "true", "array(", "VALUES ", "\n", "'",
    "/*", "*/", "--", ".", " DISTINCT ", "TRIM(", "`v`", " sep ", "1",
]  # fmt: skip
statements = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=40)


def cases(name: str) -> list[object]:
    blocks = re.split(r"\n\n(?=# )", (FIXTURES / name).read_text(encoding="utf-8").rstrip("\n"))
    found: list[object] = []
    for block in blocks[1:]:  # the first explains the file
        title, _, body = block.partition("\n")
        found.append(pytest.param(*re.split(r"\n(?:=>|!!) ", body), id=title.removeprefix("# ")))
    return found


def described(table: FileTable) -> str:
    options = ", ".join(f"{name}={table.options[name]}" for name in sorted(table.options))
    schema = f"; {table.schema}" if table.schema else ""
    return f"{table.format}({' '.join(table.paths)}; {options}{schema})"


@pytest.mark.parametrize(("sql", "expected"), cases("files_as_tables.txt"))
def test_files_as_tables(sql: str, expected: str) -> None:
    assert replace(sql, [(table, described(table)) for table in find_files(sql)]).text == expected


@pytest.mark.parametrize("sql", cases("not_files.txt"))
def test_not_files(sql: str) -> None:
    assert find_files(sql) == ()


@pytest.mark.parametrize(("sql", "expected"), cases("files__refused.txt"))
def test_files_refused(sql: str, expected: str) -> None:
    code, place, message = expected.split(" ", 2)
    with pytest.raises(SqeError) as caught:
        find_files(sql)
    assert caught.value.position is not None
    line, column = caught.value.position.line, caught.value.position.column
    assert (caught.value.code, f"{line}:{column}") == (code, place)
    assert message in caught.value.message


def test_an_unknown_option_names_the_nearest() -> None:
    with pytest.raises(SqeError) as caught:
        find_files("SELECT * FROM read_csv('x', heder => true)")
    assert caught.value.hint is not None
    assert "Did you mean 'header'?" in caught.value.hint


def test_one_view_can_serve_the_same_files() -> None:
    first, second, third = find_files(
        "SELECT * FROM 'a.csv' x JOIN 'a.csv' y JOIN read_csv('a.csv', header => false)"
    )
    assert first.source == second.source
    assert first.source != third.source


@given(statements)
def test_any_text_is_read_or_refused(sql: str) -> None:
    try:
        found = find_files(sql)
    except SqeError:
        return
    edges = [edge for table in found for edge in (table.start, table.end)]
    assert edges == sorted(edges)
    assert all(0 <= table.start < table.end <= len(sql) for table in found)


@given(statements, st.text(alphabet="ab`\n", max_size=12))
def test_a_replaced_text_leads_back(sql: str, name: str) -> None:
    try:
        found = find_files(sql)
    except SqeError:
        return
    splice = replace(sql, [(table, name) for table in found])
    replaced = {offset for table in found for offset in range(table.start, table.end)}
    back = [splice.original_offset(offset) for offset in range(len(splice.text) + 1)]
    assert back == sorted(back)
    assert set(back) == {*range(len(sql) + 1)} - replaced | {table.start for table in found}
    for offset, character in enumerate(splice.text):
        if back[offset] not in replaced:
            assert sql[back[offset]] == character


def test_positions_lead_back_over_lines() -> None:
    sql = "SELECT a,\n  b\nFROM read_csv(\n  'x.csv'\n) t WHERE nope"
    splice = replace(sql, [(table, "v") for table in find_files(sql)])
    assert splice.text == "SELECT a,\n  b\nFROM `v` t WHERE nope"
    assert splice.original_position(Position(2, 3)) == Position(2, 3)
    assert splice.original_position(Position(3, 7)) == Position(3, 6)
    assert splice.original_position(Position(3, 18)) == Position(5, 11)
    assert splice.original_position(Position(9, 99)) == Position(5, 15)
