"""Compare the outcome of a policy test case with its expectation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqe.cli.policy_test.cases import Expectation
from sqe.errors import SqeError

_SHOWN = 5  # rows of a difference


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, or the error in its place."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    count: int = 0
    error: SqeError | None = None


def differences(expected: Expectation, outcome: Outcome) -> Iterator[str]:
    """Yield a description of each difference from the expectation."""
    error = outcome.error
    if expected.refused is not None:
        if error is None:
            yield f"expected the refusal '{expected.refused}', but there were {outcome.count} rows"
        elif expected.refused != error.code and expected.refused.lower() not in error.message.lower():
            yield f"expected the refusal '{expected.refused}', but it was {error.code}: {error.message}"
        return
    if error is not None:
        yield f"failed with {error.code}: {error.message}"
        return
    if expected.columns is not None and expected.columns != outcome.columns:
        yield f"expected the columns {', '.join(expected.columns)}; there were {', '.join(outcome.columns)}"
    if expected.count is not None and expected.count != outcome.count:
        yield f"expected {expected.count} rows; there were {outcome.count}"
    if expected.rows is not None:
        yield from _row_differences(expected.rows, outcome, ordered=expected.ordered)


def _row_differences(expected: Sequence[Sequence[Any]], outcome: Outcome, *, ordered: bool) -> Iterator[str]:
    if outcome.count > len(outcome.rows):
        yield f"expected {len(expected)} rows; there were {outcome.count}"
        return
    missing = list(expected)
    unexpected: list[Sequence[Any]] = []
    for row in outcome.rows:
        found = next((index for index, wanted in enumerate(missing) if _equal(wanted, row)), None)
        if found is None:
            unexpected.append(row)
        else:
            del missing[found]
    yield from (f"missing row: {_text(row)}" for row in missing[:_SHOWN])
    yield from (f"unexpected row: {_text(row)}" for row in unexpected[:_SHOWN])
    more = max(0, len(missing) - _SHOWN) + max(0, len(unexpected) - _SHOWN)
    if more:
        yield f"and {more} more rows that differ"
    if ordered and not missing and not unexpected:
        for number, (wanted, row) in enumerate(zip(expected, outcome.rows, strict=True), 1):
            if not _equal(wanted, row):
                yield f"row {number} is {_text(row)}, and not {_text(wanted)}"
                return


def _equal(wanted: Any, found: Any) -> bool:
    """Tell whether a value equals the expected one. Expected text matches any value that is written so."""
    if wanted is None or found is None:
        return wanted is None and found is None
    if isinstance(wanted, Mapping):
        found = dict(found) if isinstance(found, list) else found  # Arrow's maps are lists of pairs
        return (
            isinstance(found, Mapping)
            and wanted.keys() == found.keys()
            and all(_equal(wanted[key], found[key]) for key in wanted)
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(found, list | tuple) and len(wanted) == len(found) and all(map(_equal, wanted, found))
        )
    if isinstance(wanted, bool) or isinstance(found, bool):
        return _plain(wanted) == _plain(found)
    if isinstance(wanted, int | float) and isinstance(found, int | float | Decimal):
        return Decimal(str(wanted)) == Decimal(str(found))
    return _plain(wanted) == _plain(found)


def _plain(value: Any) -> str:
    """Format a value as the shell does."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None).isoformat(" ")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else str(value)


def _text(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    return repr(value) if isinstance(value, str) else _plain(value)
