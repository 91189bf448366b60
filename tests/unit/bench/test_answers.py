from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from sqe.bench.answers import Outcome, any_rows, compare, without_limit
from sqe.bench.suite import Query


def test_rows_are_compared_in_any_order() -> None:
    assert compare([(1, "a"), (2, "b")], [(2, "b"), (1, "a")]).outcome is Outcome.MATCH


def test_two_empty_answers_show_nothing() -> None:
    assert compare([], []).outcome is Outcome.VACUOUS


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (0.1 + 0.2, 0.3),
        (Decimal("1.23"), 1.2345678),  # the average of decimals: rounded in one dialect
        (Decimal("7.00"), 7),
        (float("nan"), float("nan")),
        ("A  ", "A"),  # CHAR(3)
        (None, None),
        (
            datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC).replace(tzinfo=None),
            datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
        ),
    ],
)
def test_values_that_mean_the_same_match(ours: object, theirs: object) -> None:
    assert compare([(ours,)], [(theirs,)]).outcome is Outcome.MATCH


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (1.0, 1.001),
        (Decimal("1.23"), 1.25),
        (Decimal("1.23"), Decimal("1.24")),
        (None, 0),
        (None, ""),
        ("a", "A"),
        (0, float("nan")),
        (True, False),
        (" A", "A"),
    ],
)
def test_values_that_differ_are_found(ours: object, theirs: object) -> None:
    assert compare([(ours,)], [(theirs,)]).outcome is Outcome.DIFFERENT


def test_missing_rows_and_columns_are_found() -> None:
    assert compare([(1,)], [(1,), (1,)]).detail == "1 rows instead of 2"
    assert compare([(1, 2)], [(1,)]).detail == "2 columns instead of 1"
    assert compare([], [(1,)]).outcome is Outcome.DIFFERENT


def test_the_number_of_rows_is_all_that_an_open_query_promises() -> None:
    assert compare([(1,)], [(2,)], only_count=True).outcome is Outcome.MATCH
    assert compare([(1,)], [(2,), (3,)], only_count=True).outcome is Outcome.DIFFERENT
    assert any_rows(Query("q", {"duckdb": "-- any rows: no ORDER BY\nSELECT 1 LIMIT 1"}))
    assert not any_rows(Query("q", {"duckdb": "SELECT 1"}))


def test_long_numbers_are_told_apart() -> None:
    ours = [(1502326181015966578, 1), (1502330826660398610, 1)]
    assert compare(ours, ours[::-1]).outcome is Outcome.MATCH


def test_sums_that_differ_in_the_last_digit_do_not_change_the_order_of_rows() -> None:
    ours = [("a", 1.0000000001, "x"), ("a", 1.0, "y")]
    theirs = [("a", 1.0, "x"), ("a", 1.0000000001, "y")]
    assert compare(ours, theirs).outcome is Outcome.MATCH


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("SELECT 1 ORDER BY 1 LIMIT 10", "SELECT 1 ORDER BY 1"),
        ("SELECT 1 ORDER BY 1\nlimit 10 OFFSET 5;", "SELECT 1 ORDER BY 1"),
        ("SELECT 1 OFFSET 5 LIMIT 10", "SELECT 1"),
        ("SELECT 1 FROM (SELECT 1 LIMIT 1) x", None),
        ("SELECT 1", None),
    ],
)
def test_only_the_last_limit_is_removed(text: str, whole: str | None) -> None:
    assert without_limit(text) == whole
