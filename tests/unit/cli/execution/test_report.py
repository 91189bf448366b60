from __future__ import annotations

from sqe.cli.execution.report import LONGEST_LINE, report
from sqe.errors import Position, SqlSyntaxError, TableNotFoundError


def test_place_in_a_later_line_of_a_script() -> None:
    error = SqlSyntaxError("Bad.", position=Position(2, 3))
    assert report(error, statement="SELECT\n  x", first_line=10) == (
        "error: SYNTAX_ERROR [42601]: Bad.\nLINE 11:   x\n           ^"
    )


def test_the_caret_counts_columns_of_the_screen() -> None:
    error = SqlSyntaxError("Bad.", position=Position(1, 13))
    lines = report(error, statement="SELECT '日本', x").split("\n")
    assert lines[1] == "LINE 1: SELECT '日本', x"
    assert lines[2] == " " * len("LINE 1: SELECT '日本',") + "  " + "^"


def test_a_long_line_is_cut_around_the_place() -> None:
    statement = "SELECT " + "a, " * 200 + "FORM t" + ", b" * 200
    error = SqlSyntaxError("Bad.", position=Position(1, statement.index("FORM") + 1))
    _, line, caret = report(error, statement=statement).split("\n")
    assert line[caret.index("^") :].startswith("FORM t")
    assert len(line) <= LONGEST_LINE + 12
    assert line.endswith("…")
    assert line.startswith("LINE 1: …")


def test_a_place_outside_the_statement_is_left_out() -> None:
    error = SqlSyntaxError("Bad.", position=Position(9, 1), hint="Try.")
    assert report(error, statement="SELECT") == "error: SYNTAX_ERROR [42601]: Bad.\nhint: Try."
    end = SqlSyntaxError("Bad.", position=Position(1, 99))
    assert report(end, statement="SELECT").endswith("LINE 1: SELECT\n              ^")


def test_messages_cannot_control_the_terminal() -> None:
    error = TableNotFoundError("No table \x1b[31mx\nsecond line", hint="\x9b2J")
    assert report(error, source="a\x1b.sql") == (
        "error: TABLE_NOT_FOUND [42P01]: No table \\x1b[31mx\nsecond line\n  at a\\x1b.sql:1\nhint: \\x9b2J"
    )
