from __future__ import annotations

import pytest

from sqe.errors import CastError, Position, SqlSyntaxError, UnsupportedError, UsageError
from sqe.model.session import Dialect
from sqe.sql.session_statement import Argument, Execute
from sqe.sql.statement import read
from sqe.sql.trino.arguments import bind_arguments

PREPARED = "SELECT ? FROM t WHERE a > ?"


def _arguments(using: str) -> tuple[Argument, ...]:
    execute = read(f"EXECUTE p USING {using}", Dialect.TRINO).session
    assert isinstance(execute, Execute)
    return execute.arguments


def _bind(
    using: str, prepared: str = PREPARED, dialect: Dialect = Dialect.TRINO
) -> tuple[str | None, list[object]]:
    text, values = bind_arguments(read(prepared, dialect), _arguments(using))
    return text, [value.as_py() for value in values]


@pytest.mark.parametrize(
    "literal",
    ["1", "-1", "'a?'", "X'0F'", "CAST(1 AS bigint)", "ARRAY['a']", "ROW(1, 'a')", "DECIMAL '1.50'", "(1)"],
)
def test_literals_are_values(literal: str) -> None:
    text, values = _bind(f"{literal}, 5")
    assert text is None
    assert len(values) == 2


@pytest.mark.parametrize(
    "literal",
    ["TIMESTAMP '0001-01-01 00:00:00.000000'", "DATE '0001-01-01'", "timestamp'2020-01-01 00:00:00.123456'"],
)
def test_times_of_microseconds_and_dates_are_values(literal: str) -> None:
    assert _bind(f"{literal}, 5")[0] is None


@pytest.mark.parametrize(
    "literal",
    [
        "TIMESTAMP '2024-10-27 02:30:00 Europe/Amsterdam'",
        "TIMESTAMP '2024-10-27 02:30:00.000000 +01:00'",
        "TIMESTAMP '2024-10-27 02:30:00.123'",
        "DATE '1-01-01'",
        "TIME '16:43:22.320000 -08:00'",
        "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'",
        "CAST('a' AS char(3))",
        "ARRAY[TIME '10:00:00', NULL]",
    ],
)
def test_a_literal_whose_text_has_its_type_stays_in_the_text(literal: str) -> None:
    assert _bind(f"{literal}, 5") == (f"SELECT ({literal}) FROM t WHERE a > ?", [5])


def test_a_time_where_no_expression_can_be_is_a_value() -> None:
    text, values = _bind("TIMESTAMP '2024-10-27 02:30:00'", "SELECT * FROM t FOR TIMESTAMP AS OF ?")
    assert (text, len(values)) == (None, 1)


@pytest.mark.parametrize(
    "expression",
    [
        "1 + 1",
        "(1 + 1) * 2",
        "DATE '2020-01-01' + INTERVAL '1' DAY",
        "concat('a', 'b')",
        "'a' || '?'",
        "-abs(1)",
        "CAST(1 + 1 AS integer)",
        "ROW(1, 'a' || 'b')",
        "ARRAY[1 + 1]",
        "MAP(ARRAY[1], ARRAY[1 + 1])",
        "CASE WHEN true THEN 1 END",
        "1 IN (1, 2)",
        "transform(ARRAY[1], x -> x + 1)",
        "current_date",
        "1 -- one\n + 1",
        "MAP(ARRAY[], ARRAY[])",
    ],
)
def test_an_expression_replaces_its_parameter(expression: str) -> None:
    assert _bind(f"{expression}, 5") == (f"SELECT ({expression}) FROM t WHERE a > ?", [5])
    assert _bind(f"5, {expression}") == (f"SELECT ? FROM t WHERE a > ({expression})", [5])


def test_a_question_mark_in_a_text_is_no_parameter() -> None:
    assert _bind("1 + 1", "SELECT '?', \"?\", ? -- ?") == ("SELECT '?', \"?\", (1 + 1) -- ?", [])


@pytest.mark.parametrize(
    "expression",
    [
        "a",
        '"a"',
        "t.a",
        "a + 1",
        "abs(a)",
        "*",
        "count(*)",
        "(SELECT 1)",
        "EXISTS (SELECT 1)",
        "1 IN (SELECT 1)",
        "rank() OVER ()",
        "? + 1",
        "1 AS x",
        "1 x",
        "DISTINCT 1 + 1",
        "1 + 1 FROM t",
        "1 + 1 LIMIT 1",
        "1 UNION SELECT 2",
    ],
)
def test_what_is_not_constant_is_refused(expression: str) -> None:
    with pytest.raises(UnsupportedError, match="must be a constant expression") as caught:
        _bind(f"5, {expression}")
    assert caught.value.position == Position(1, 20)


@pytest.mark.parametrize(
    ("expression", "column"),
    [("1) + (2", 21), ("1 +", 23), ("VALUES 1", 20), ("FROM t", 20)],
)
def test_what_is_no_expression_has_its_place(expression: str, column: int) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        _bind(f"5, {expression}")
    assert caught.value.position == Position(1, column)


@pytest.mark.parametrize("number", ["9223372036854775808", "9223372036854775808 + 1"])
def test_a_number_that_is_too_large_is_still_refused(number: str) -> None:
    with pytest.raises(UnsupportedError, match="too large"):
        _bind(f"{number}, 5")


def test_a_literal_of_no_value_is_still_refused() -> None:
    with pytest.raises(CastError):
        _bind("DATE '2020-13-01', 5")


@pytest.mark.parametrize("prepared", ["SELECT a IN ?", "SELECT f ?", 'SELECT "f" ?', "SELECT a ?", "?"])
def test_an_expression_is_put_only_where_one_is_expected(prepared: str) -> None:
    with pytest.raises(UnsupportedError, match="Only a literal"):
        _bind("1 + 1", prepared)


@pytest.mark.parametrize("using", ["1 + 1", "1 + 1, 2, 3"])
def test_the_number_of_arguments_is_that_of_the_parameters(using: str) -> None:
    with pytest.raises(UsageError, match="Incorrect number of parameters: expected 2"):
        _bind(using)


def test_spark_dialect_takes_literals_only() -> None:
    assert _bind("1, 2", dialect=Dialect.SPARK) == (None, [1, 2])
    with pytest.raises(UnsupportedError, match="Only a literal"):
        _bind("1, 1 + 1", dialect=Dialect.SPARK)
