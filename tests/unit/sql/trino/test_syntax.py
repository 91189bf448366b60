"""Test the translation of literals, inline functions and what Trino refuses."""

from __future__ import annotations

import pytest

from sqe.errors import (
    ColumnNotFoundError,
    DataError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    TypeMismatchError,
    UnsupportedError,
)
from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

SCOPE = Scope("lake", "sales", "ada", None)


def _translated(sql: str) -> str:
    return translate(read(sql, Dialect.TRINO), SCOPE).text


@pytest.mark.parametrize(
    ("literal", "written"),
    [
        (".5", ".5"),
        ("5.", "5."),
        (".5e1", ".5e1"),
        ("1_000", "1000"),
        ("1_0.0_1", "10.01"),
        ("0xFF", "255"),
        ("0x_FF_FF", "65535"),
        ("0o17", "15"),
        ("0B101", "5"),
        ("X'00 ff'", "X'00ff'"),
        ("U&'a#0041' UESCAPE '#'", "'aA'"),
        ("U&'a\\0041' UESCAPE '!'", "'a\\\\0041'"),
        ("U&'\\+01F600\\\\'", "'😀\\\\'"),
    ],
)
def test_literals(literal: str, written: str) -> None:
    assert _translated(f"SELECT {literal} AS a, b FROM t") == f"SELECT {written} AS a, b FROM t"


@pytest.mark.parametrize(
    ("literal", "problem"),
    [
        ("U&'\\d800'", "Escaped character is a surrogate"),
        ("U&'\\+11ffff'", "Invalid escaped character: 11ffff"),
        ("U&'\\00'", "Incomplete escape sequence: 00"),
        ("U&'\\zzzz'", "Invalid hexadecimal digit: z"),
        ("U&'a' UESCAPE '##'", "Invalid Unicode escape character"),
        ("U&'a' UESCAPE ''", "Empty Unicode escape character"),
        ("X'0g'", "can only contain hexadecimal digits"),
        ("0xFFFFFFFFFFFFFFFFFF", "Invalid numeric literal"),
        ("0xZZ", "identifiers must not start with a digit"),
        ("1__0", "identifiers must not start with a digit"),
    ],
)
def test_literals_that_are_none(literal: str, problem: str) -> None:
    with pytest.raises(SqlSyntaxError, match=problem) as raised:
        _translated(f"SELECT {literal}")
    assert raised.value.position is not None
    assert raised.value.position.column == 8


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("SELECT 1 FROM a JOIN b", SqlSyntaxError),
        ("SELECT 1 FROM a LEFT JOIN b JOIN c ON true", SqlSyntaxError),
        ("SELECT a FROM t GROUP BY ALL", ColumnNotFoundError),
        ("SELECT transform(a, (x, y) -> x) FROM t", SemanticError),
        ("SELECT a FROM t FETCH FIRST 1 ROW WITH TIES", SemanticError),
        ("SELECT CAST(a AS nosuchtype) FROM t", TypeMismatchError),
        ("SELECT CAST(a AS string) FROM t", TypeMismatchError),
        ("SELECT TRY_CAST(a AS text) FROM t", TypeMismatchError),
        ("SELECT CAST(a AS array(long)) FROM t", TypeMismatchError),
        ("SELECT CAST(a AS row(x float)) FROM t", TypeMismatchError),
        ("SELECT CAST(a AS binary) FROM t", TypeMismatchError),
        ("SELECT CAST(a AS numeric(3, 1)) FROM t", SqeError),
        ("SELECT CAST(a AS character varying(3)) FROM t", SqeError),
        ("SELECT CAST(a AS struct<x int>) FROM t", SqeError),
        ("SELECT CAST(a AS int[]) FROM t", SqlSyntaxError),
        ("SELECT CAST(a AS interval) FROM t", TypeMismatchError),
        ("SELECT CAST(a AS interval day) FROM t", TypeMismatchError),
        ("SELECT float '1.5'", SqlSyntaxError),
        ("SELECT * FROM VALUES 1, 2", SqlSyntaxError),
        ("SELECT * FROM t, VALUES 1", SqlSyntaxError),
        ("SELECT * FROM t JOIN VALUES 1 ON true", SqlSyntaxError),
        ("SELECT sum(a) OVER (ORDER BY b ROWS -1 PRECEDING) FROM t", DataError),
        ("SELECT sum(a) OVER (w ROWS 1 PRECEDING) FROM t WINDOW v AS (ORDER BY a)", SemanticError),
        ("SELECT to_char(a, 'yyyyx') FROM t", DataError),
        ("SELECT 1 AS a UNION CORRESPONDING SELECT 2 AS b", SemanticError),
    ],
)
def test_what_trino_refuses(sql: str, error: type[SqeError]) -> None:
    with pytest.raises(error):
        _translated(sql)


def test_names_of_types_in_other_products_are_names() -> None:
    sql = "SELECT text, t.string AS long, object.list FROM t AS object"
    assert _translated(sql) == sql


def test_an_inline_function() -> None:
    sql = "WITH FUNCTION f(x integer) RETURNS bigint RETURN x * 2 SELECT f(a) AS b FROM t"
    assert _translated(sql) == (
        "SELECT trino_coerced((trino_multiply(trino_coerced(a, 'integer', 'Argument x of f'), 2)), "
        "'bigint', 'Value of RETURN') AS b FROM t"
    )


def test_inline_functions_of_each_other() -> None:
    sql = (
        "WITH FUNCTION f(x bigint) RETURNS bigint NOT DETERMINISTIC RETURNS NULL ON NULL INPUT RETURN x + 1, "
        "FUNCTION g(y bigint) RETURNS bigint RETURN f(y) WITH q AS (SELECT 1 AS a) SELECT g(a) AS b FROM q"
    )
    made = " ".join(_translated(sql).split())
    assert made.startswith("WITH q AS (SELECT 1 AS a) SELECT trino_coerced((trino_coerced((trino_case(")
    assert "FUNCTION" not in made


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("WITH FUNCTION f() RETURNS bigint RETURN f() SELECT f()", UnsupportedError),
        ("WITH FUNCTION f(x bigint) RETURNS bigint RETURN y SELECT f(1)", ColumnNotFoundError),
        ("WITH FUNCTION f(x bigint) RETURNS bigint RETURN (SELECT x) SELECT f(1)", UnsupportedError),
        ("WITH FUNCTION f(x bigint) RETURNS bigint LANGUAGE PYTHON AS $$x$$ SELECT f(1)", SqeError),
        ("WITH FUNCTION f(x double) RETURNS double RETURN x + x SELECT f(random())", UnsupportedError),
        ("WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + x SELECT f(?)", UnsupportedError),
        ("WITH FUNCTION f(x bigint) RETURNS bigint RETURN x", SqlSyntaxError),
    ],
)
def test_inline_functions_that_are_refused(sql: str, error: type[SqeError]) -> None:
    with pytest.raises(error):
        _translated(sql)


def test_inline_functions_do_not_grow_without_end() -> None:
    functions = ["FUNCTION f0(x bigint) RETURNS bigint RETURN x + x"]
    functions += [
        f"FUNCTION f{n}(x bigint) RETURNS bigint RETURN f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 30)
    ]
    with pytest.raises(UnsupportedError, match="is too long"):
        _translated(f"WITH {', '.join(functions)} SELECT f29(1)")
