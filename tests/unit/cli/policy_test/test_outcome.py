from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from sqe.cli.policy_test.cases import Expectation
from sqe.cli.policy_test.outcome import Outcome, differences
from sqe.errors import AccessDeniedError, TableNotFoundError


def found_differences(expected: dict[str, Any], outcome: Outcome) -> list[str]:
    return list(differences(Expectation.model_validate(expected), outcome))


def result(*rows: tuple[Any, ...], columns: tuple[str, ...] = ("a", "b")) -> Outcome:
    return Outcome(columns, rows, len(rows))


DENIED = Outcome(error=AccessDeniedError("Access denied: cannot select from lake.s.t."))


@pytest.mark.parametrize("text", ["ACCESS_DENIED", "cannot select", "ACCESS DENIED: cannot"])
def test_a_refusal_by_its_code_or_a_part_of_its_message(text: str) -> None:
    assert found_differences({"refused": text}, DENIED) == []
    assert found_differences({"refused": text}, result((1, 2))) == [
        f"expected the refusal '{text}', but there were 1 rows"
    ]
    other = Outcome(error=TableNotFoundError("There is no such table."))
    assert found_differences({"refused": text}, other) == [
        f"expected the refusal '{text}', but it was TABLE_NOT_FOUND: There is no such table."
    ]


def test_an_error_is_never_a_result() -> None:
    wanted: list[dict[str, Any]] = [{"rows": []}, {"count": 0}, {"columns": []}]
    for expected in wanted:
        assert found_differences(expected, DENIED) == [
            "failed with ACCESS_DENIED: Access denied: cannot select from lake.s.t."
        ]


def test_rows_in_any_order_unless_told() -> None:
    two = result((1, "x"), (2, None))
    assert found_differences({"rows": [[2, None], [1, "x"]]}, two) == []
    assert found_differences({"rows": [[1, "x"], [2, None]], "ordered": True}, two) == []
    assert found_differences({"rows": [[2, None], [1, "x"]], "ordered": True}, two) == [
        "row 1 is [1, 'x'], and not [2, NULL]"
    ]


def test_rows_that_differ() -> None:
    assert found_differences({"rows": [[1, "x"], [1, "x"]]}, result((1, "x"), (1, "y"))) == [
        "missing row: [1, 'x']",
        "unexpected row: [1, 'y']",
    ]
    assert found_differences({"rows": [[1]]}, result((1, 2))) == [
        "missing row: [1]",
        "unexpected row: [1, 2]",
    ]
    assert (
        found_differences({"rows": []}, result(*((n, n) for n in range(7))))[-1]
        == "and 2 more rows that differ"
    )
    assert found_differences({"rows": [[1]]}, Outcome(("a",), ((1,),), 20_000)) == [
        "expected 1 rows; there were 20000"
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (1, 1),
        (1.5, Decimal("1.50")),
        (1, Decimal("1.00")),
        (0.1, 0.1),
        ("1.50", Decimal("1.50")),
        (True, True),
        ("true", True),
        ("2020-01-01", dt.date(2020, 1, 1)),
        (dt.date(2020, 1, 1), dt.date(2020, 1, 1)),
        ("2020-01-01 01:02:03", dt.datetime(2020, 1, 1, 1, 2, 3, tzinfo=dt.UTC)),
        ("ff00", b"\xff\x00"),
        ([1, None], [1, None]),
        ({"a": 1}, {"a": 1}),
        ({"k": "v"}, [("k", "v")]),
    ],
)
def test_values_that_are_the_same(wanted: Any, found: Any) -> None:
    assert found_differences({"rows": [[wanted]]}, result((found,))) == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (1, 2),
        (1, True),
        (0, False),
        (None, "NULL"),
        ("", None),
        (None, 0),
        ("x", "X"),
        (1, "1 "),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1}, 1),
    ],
)
def test_values_that_differ(wanted: Any, found: Any) -> None:
    assert found_differences({"rows": [[wanted]]}, result((found,)))


def test_columns_and_counts() -> None:
    assert found_differences({"columns": ["a", "b"], "count": 1}, result((1, 2))) == []
    assert found_differences({"columns": ["b", "a"], "count": 2}, result((1, 2))) == [
        "expected the columns b, a; there were a, b",
        "expected 2 rows; there were 1",
    ]
