"""Compare the rows that two engines return for one query."""

from __future__ import annotations

import datetime
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqe.bench.suite import Query

Row = tuple[Any, ...]
_SHOWN = 3
_LIMIT = re.compile(r"\s+(OFFSET\s+\d+(\s+ROWS)?\s+)?LIMIT\s+\d+(\s+OFFSET\s+\d+)?\s*$", re.IGNORECASE)
_ANY_ROWS = "-- any rows"


class Outcome(StrEnum):
    MATCH = "match"
    DIFFERENT = "different"
    VACUOUS = "vacuous"  # both sides are empty, which shows nothing
    FAILED = "failed"  # the engine reported an error


@dataclass(frozen=True, slots=True)
class Comparison:
    outcome: Outcome
    detail: str = ""


def any_rows(query: Query) -> bool:
    """Return whether a query leaves open which rows it returns, so that only their number can be compared."""
    return query.texts["duckdb"].lstrip().startswith(_ANY_ROWS)


def without_limit(text: str) -> str | None:
    """Return a query without the LIMIT at its end; None if it has none.

    LIMIT chooses among rows that ORDER BY has in the same place, so that two right answers may differ.
    """
    whole = _LIMIT.sub("", text.rstrip().rstrip(";"))
    return whole if whole != text.rstrip().rstrip(";") else None


def compare(rows: Sequence[Row], expected: Sequence[Row], *, only_count: bool = False) -> Comparison:
    """Compare rows in any order: numbers with a tolerance, as sums of doubles depend on the order of the rows."""
    if not rows and not expected:
        return Comparison(Outcome.VACUOUS, "no rows on both sides")
    if len(rows) != len(expected):
        return Comparison(Outcome.DIFFERENT, f"{len(rows)} rows instead of {len(expected)}")
    if len(rows[0]) != len(expected[0]):
        return Comparison(Outcome.DIFFERENT, f"{len(rows[0])} columns instead of {len(expected[0])}")
    if only_count:
        return Comparison(
            Outcome.MATCH, "the query leaves open which rows it returns; their number is the same"
        )
    pairs = zip(sorted(rows, key=_key), sorted(expected, key=_key), strict=True)
    different = [pair for pair in pairs if not all(itertools.starmap(_equal, zip(*pair, strict=True)))]
    if different:
        shown = "; ".join(f"{ours} instead of {theirs}" for ours, theirs in different[:_SHOWN])
        return Comparison(Outcome.DIFFERENT, f"{len(different)} rows differ: {shown}")
    return Comparison(Outcome.MATCH)


def _key(row: Row) -> tuple[list[tuple[bool, str]], list[tuple[bool, float]]]:
    """Return what sorts the rows of both engines alike: texts and dates first, then numbers by a few digits."""
    texts = [(value is None, _text(value)) for value in row if not _is_number(value)]
    numbers = [(value is None, _rounded(value)) for value in row if _is_number(value)]
    return texts, numbers


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _rounded(value: Any) -> float:
    if value == value and abs(value) != math.inf and value == int(value):  # noqa: PLR0124 - NaN differs from itself
        return int(value)
    number = float(value)
    return number if number == 0 or not math.isfinite(number) else float(f"{number:.6g}")


def _text(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None).isoformat(sep=" ")
    return str(value)


def _equal(ours: Any, theirs: Any) -> bool:
    if _is_number(ours) and _is_number(theirs):
        return _equal_numbers(ours, theirs)
    if isinstance(ours, str) and isinstance(theirs, str):
        return ours.rstrip(" ") == theirs.rstrip(" ")  # CHAR(n) is padded in one dialect and not in another
    return ours is theirs or (ours is not None and theirs is not None and _text(ours) == _text(theirs))


def _equal_numbers(ours: Any, theirs: Any) -> bool:
    unit = 0.0
    for one, other in ((ours, theirs), (theirs, ours)):
        if isinstance(one, Decimal) and isinstance(other, float) and one.is_finite():
            # The average of decimals is a decimal in one dialect and a double in another.
            unit = max(unit, 10.0 ** int(one.as_tuple().exponent) * 0.51)
    if math.isnan(float(ours)) or math.isnan(float(theirs)):
        return math.isnan(float(ours)) and math.isnan(float(theirs))
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=max(unit, 1e-9))
