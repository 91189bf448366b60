from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from sqe.cli.execution.script import Item, file_chunks, items
from sqe.errors import UsageError


def read(*chunks: str) -> list[tuple[str, int, bool]]:
    return [(item.text, item.line, item.dot) for item in items(chunks)]


def test_statements_and_dot_commands_with_their_lines() -> None:
    script = "-- top\n.timer on\n\nSELECT 1;\n  .format csv  \nSELECT\n  2; SELECT 3\n"
    assert read(script) == [
        (".timer on", 2, True),
        ("SELECT 1", 4, False),
        (".format csv", 5, True),
        ("SELECT\n  2", 6, False),
        ("SELECT 3", 7, False),
    ]


def test_a_dot_inside_a_statement_or_behind_one_is_sql() -> None:
    assert read("SELECT\n.5;\n") == [("SELECT\n.5", 1, False)]
    assert read("SELECT '\n.quit\n';") == [("SELECT '\n.quit\n'", 1, False)]
    assert read("SELECT 1; .quit") == [("SELECT 1", 1, False), (".quit", 1, False)]
    assert read("/*\n.quit\n*/ SELECT 1") == [("SELECT 1", 3, False)]


def test_quotes_in_a_dot_command_do_not_swallow_the_rest() -> None:
    assert read(".read it's.sql;\nSELECT 1;") == [(".read it's.sql;", 1, True), ("SELECT 1", 2, False)]


def test_chunks_may_end_anywhere() -> None:
    script = ".timer on\nSELECT ';' -- x;\n, 1;\n.q\nSELECT 2"
    assert read(*script) == read(script)


def test_each_item_comes_as_soon_as_it_is_complete() -> None:
    seen: list[Item] = []

    def chunks() -> Iterable[str]:
        yield "SELECT 1;\n"
        assert [item.text for item in seen] == ["SELECT 1"]
        yield ".timer on\nSELECT 2;\nSEL"
        assert [item.text for item in seen] == ["SELECT 1", ".timer on", "SELECT 2"]

    for item in items(chunks()):
        seen.append(item)  # noqa: PERF402 - the generator above looks at it
    assert seen[-1].text == "SEL"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x.sql"
    path.write_bytes(b"SELECT '\xff'")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        list(file_chunks(path))
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        list(file_chunks(tmp_path))
