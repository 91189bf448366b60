"""Caps on a statement's size and depth."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.complex_texts import GROWING
from tests.support.complex_texts import nested as growing

from sqe.errors import Position, SqlSyntaxError, StatementTooComplexError, StatementTooLargeError
from sqe.model.session import Dialect
from sqe.sql.caps import (
    COMMENT_DEPTH,
    FLAT_FACTOR,
    LOGICAL_FACTOR,
    NUMBER_LENGTH,
    TYPE_DEPTH,
    check_depth,
    check_size,
)
from sqe.sql.lexer import TokenKind, tokens
from sqe.sql.statement import read
from sqe.sql.trino.lexer import trino_tokens
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

DEPTH = 20


def nested_type(opening: str, closing: str) -> Callable[[int], str]:
    return growing(opening, closing, "int", "SELECT CAST(NULL AS ")


def nested(opening: str, closing: str, count: int) -> str:
    return f"SELECT {opening * count}1{closing * count} FROM t"


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"),
        ("abs(", ")"),
        ("CASE WHEN a THEN 1 ELSE ", " END"),
        ("case x when ", " then 1 end"),
        ("(SELECT ", ")"),
        ("a[", "]"),
        ("/* ( */ (", ") -- )\n"),
        ("(CASE WHEN ", " THEN 1 END)"),
    ],
)
def test_nesting_has_a_cap(opening: str, closing: str) -> None:
    levels = sum(opening.upper().count(word) for word in ("(", "[", "CASE")) - opening.count("/*")
    check_depth(nested(opening, closing, DEPTH // levels), DEPTH)
    with pytest.raises(StatementTooComplexError, match="nested more than 20 levels"):
        check_depth(nested(opening, closing, DEPTH // levels + 1), DEPTH)


@pytest.mark.parametrize(
    ("separator", "factor"),
    [
        ("a+", FLAT_FACTOR),
        ("a || ", FLAT_FACTOR),
        ("- ", FLAT_FACTOR),
        ("NOT ", FLAT_FACTOR),
        ("a -> ", FLAT_FACTOR),
        ("f(x, y) / ", FLAT_FACTOR),
        ("(1 AND 2) % ", FLAT_FACTOR),
        ("CASE WHEN a THEN b END * ", FLAT_FACTOR),
        ("1 UNION ALL SELECT ", FLAT_FACTOR),
        ("1 FROM a JOIN b ON ", FLAT_FACTOR),
        ("a OR ", LOGICAL_FACTOR),
        ("a and ", LOGICAL_FACTOR),
        ("a = -1 AND b = 2 OR ", LOGICAL_FACTOR / 2),
    ],
)
def test_chains_have_a_cap(separator: str, factor: float) -> None:
    most = int(DEPTH * factor)
    check_depth(f"SELECT {separator * most}1", DEPTH)
    with pytest.raises(StatementTooComplexError, match="chain of more than"):
        check_depth(f"SELECT {separator * (most + 1)}1", DEPTH)


@pytest.mark.parametrize("chain", ["a" + "::INT" * 100, "a" + ".b" * 100, "a" + "[0]" * 100])
def test_what_follows_a_value_is_a_chain_too(chain: str) -> None:
    with pytest.raises(StatementTooComplexError, match="chain of more than 40 operators"):
        check_depth(f"SELECT {chain}", DEPTH)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a IN (" + ", ".join(f"-{n}" for n in range(50_000)) + ")",
        "INSERT INTO t VALUES " + ", ".join(f"({n}, -{n}.5e-3, 'x' || 'y')" for n in range(20_000)),
        "SELECT CASE " + "WHEN a = -1 AND b > 2 OR c THEN -1 " * 5_000 + "ELSE -2 END",
        "SELECT " + ", ".join(f"(a + {n}) * -1 AS c{n}" for n in range(5_000)) + " FROM t",
        "SELECT '" + "(" * 10_000 + "', `" + "[" * 10_000 + "` -- " + "+" * 10_000,
        "SELECT /* " + "CASE + ( " * 10_000 + " */ 1",
    ],
)
def test_what_is_flat_has_no_cap(sql: str) -> None:
    check_depth(sql, DEPTH)


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("make", list(GROWING.values()), ids=list(GROWING))
def test_whatever_grows_has_a_cap(make: Callable[[int], str], dialect: Dialect) -> None:
    check_depth(make(20), 256, dialect)
    sql = make(5_000)
    last = list((trino_tokens if dialect is Dialect.TRINO else tokens)(sql))[-1]
    if last.kind is not TokenKind.UNCLOSED:  # that would be no statement
        with pytest.raises(StatementTooComplexError):
            check_depth(sql, 256, dialect)


@pytest.mark.parametrize("make", list(GROWING.values()), ids=list(GROWING))
def test_what_passes_the_caps_is_translated_or_refused_with_little_work(make: Callable[[int], str]) -> None:
    scope = Scope("lake", "sales", "ada", None)
    for count in (60, 500):
        sql = make(count)
        started = time.process_time()
        with contextlib.suppress(SqlSyntaxError, StatementTooComplexError):
            check_depth(sql, 256, Dialect.TRINO)
            check_depth(translate(read(sql, Dialect.TRINO), scope).text, 256)
        assert time.process_time() - started < 10  # it was hours


def test_large_statements_that_are_flat_are_translated() -> None:
    scope = Scope("lake", "sales", "ada", None)
    for sql in (
        "SELECT a FROM t WHERE a IN (" + ", ".join(map(str, range(50_000))) + ")",
        "INSERT INTO t VALUES " + ", ".join(f"({n}, 'x')" for n in range(20_000)),
        "SELECT " + ", ".join(f"a + {n} AS c{n}" for n in range(1_000)) + " FROM t",
    ):
        check_depth(sql, 256, Dialect.TRINO)
        check_depth(translate(read(sql, Dialect.TRINO), scope).text, 256)


def test_types_have_a_cap_in_both_spellings() -> None:
    for opening, closing in (("array(", ")"), ("array<", ">"), ("row(a ", ")"), ("struct<a: ", ">")):
        make = nested_type(opening, closing)
        check_depth(make(TYPE_DEPTH), 256)
        with pytest.raises(StatementTooComplexError, match="a type of more than 24 levels"):
            check_depth(make(TYPE_DEPTH + 1), 256)


def test_a_column_that_is_named_like_a_type_is_compared() -> None:
    check_depth("SELECT * FROM t WHERE " + " AND ".join(["map < 1 OR array > 2"] * 100), DEPTH)


def test_the_error_shows_the_place() -> None:
    with pytest.raises(StatementTooComplexError) as caught:
        check_depth("SELECT\n" + "(" * 21, DEPTH)
    assert caught.value.position == Position(2, 21)


@given(
    st.lists(st.sampled_from(["(", ")", "[", "]", "CASE ", " END ", "a", "+", " AND ", ",", "'", "."])).map(
        "".join
    )
)
def test_any_text_is_passed_or_refused(sql: str) -> None:
    with contextlib.suppress(StatementTooComplexError):
        check_depth(sql, 3)
    check_depth(sql, len(sql))


def test_size_counts_bytes() -> None:
    check_size("é" * 50, 100)
    with pytest.raises(StatementTooLargeError, match="101 bytes"):
        check_size("é" * 50 + "x", 100)
    with pytest.raises(StatementTooLargeError, match="1,000 bytes"):
        check_size("x" * 1000, 100)


def test_size_takes_half_a_surrogate_pair() -> None:
    check_size("\ud800", 3)
    with pytest.raises(StatementTooLargeError):
        check_size("\ud800", 2)


def comments(depth: int) -> str:
    return "SELECT 1 " + "/*" * depth + "*/" * depth


def test_comments_may_be_nested_so_deep_and_no_deeper() -> None:
    check_depth(comments(COMMENT_DEPTH), DEPTH)
    with pytest.raises(StatementTooComplexError, match="comments") as raised:
        check_depth(comments(COMMENT_DEPTH + 1), DEPTH)
    assert raised.value.position == Position(1, 10 + 2 * COMMENT_DEPTH)
    with pytest.raises(StatementTooComplexError, match="comments"):
        check_depth("SELECT 1 " + "/*" * 10_000, DEPTH)  # nor if they never end


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 " + "/* a */ " * 1_000,
        "SELECT 1 -- " + "/*" * 1_000,
        f"SELECT '{'/*' * 1_000}'",
    ],
    ids=["side by side", "in a line comment", "in text"],
)
def test_comments_that_are_not_nested_have_no_cap(sql: str) -> None:
    check_depth(sql, DEPTH)


@pytest.mark.parametrize("number", ["0.{}", "{}", "{}L", "{}BD", "{}e5", "1.{}e-5"])
@pytest.mark.parametrize("dialect", Dialect)
def test_a_number_has_so_many_characters_and_no_more(number: str, dialect: Dialect) -> None:
    check_depth(f"SELECT {number.format('1' * (NUMBER_LENGTH // 2))}", DEPTH, dialect)
    with pytest.raises(StatementTooComplexError, match="number"):
        check_depth(f"SELECT {number.format('1' * NUMBER_LENGTH * 2)}", DEPTH, dialect)


def test_a_long_text_is_no_long_number() -> None:
    check_depth(f"SELECT '{'1' * NUMBER_LENGTH * 2}', a{'1' * NUMBER_LENGTH * 2}", DEPTH)
