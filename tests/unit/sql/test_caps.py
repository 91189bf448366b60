"""Caps on a statement's size and depth."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.errors import Position, StatementTooComplexError, StatementTooLargeError
from sqe.sql.caps import FLAT_FACTOR, LOGICAL_FACTOR, check_depth, check_size

DEPTH = 20


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
