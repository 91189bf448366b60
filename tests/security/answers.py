"""Compare a user's answer, in a form that is the same at all front ends, with the expected one."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.security.case import Answer, Done, FrontEnd, Matching, Refusal, Rows

from sqe.frontends.trino.trino_errors import CODES


@dataclass(frozen=True, slots=True)
class Refused:
    """An error instead of rows. At the Trino front end, the code is the one that Trino has for it."""

    code: str | None
    message: str


Got = list[tuple[Any, ...]] | Refused

# Of values that cannot be computed, Trino tells one kind from the others.
_TRINO = {error.code: {code.name} for error, code in CODES.items()}
_TRINO["DATA_ERROR"] |= {"NUMERIC_VALUE_OUT_OF_RANGE"}
_TRINO["EXECUTION_FAILED"] |= {"GENERIC_USER_ERROR"}  # of raise_error()


def fault(expected: Answer, got: Got, front_end: FrontEnd) -> str | None:
    """Return the difference from the expected answer; None if there is none."""
    if isinstance(expected, Refusal):
        if not isinstance(got, Refused):
            return f"expected {expected}, got the rows {plain(got)}"
        codes = (
            {name for code in expected.codes for name in _TRINO[code]}
            if front_end == "trino"
            else expected.codes
        )
        if got.code not in codes:
            return f"expected {expected}, got {got}"
        return (
            None
            if re.search(expected.words, got.message, re.IGNORECASE)
            else f"expected {expected}, got {got}"
        )
    if isinstance(got, Refused):
        return f"expected {expected}, got {got}"
    if isinstance(expected, Rows):
        return None if same(expected.rows, got) else f"expected {expected}, got {plain(got)}"
    if isinstance(expected, Matching):
        text = "\n".join(str(value) for row in got for value in row)
        if not re.search(expected.words, text):
            return f"expected {expected}, got {text!r}"
        if expected.never and re.search(expected.never, text):
            return f"expected {expected}, got {text!r}"
        return None
    assert isinstance(expected, Done)
    return None


def same(expected: Iterable[Sequence[Any]], got: Iterable[Sequence[Any]]) -> bool:
    """Return whether they are the same rows, in any order."""
    return plain(expected) == plain(got)


def plain(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Rows as sorted texts."""
    return sorted(json.dumps([_plain(value) for value in row], ensure_ascii=False) for row in rows)


def _plain(value: Any) -> Any:
    match value:
        case None | str():
            return value
        case bool():
            return str(value).lower()
        case Mapping():
            return [_plain(item) for item in value.values()]
        case list() | tuple():
            return [_plain(item) for item in value]
        case datetime.date() | datetime.datetime():
            return value.isoformat()
        case Decimal() | float() | int():
            number = Decimal(str(value))
            return format(number.normalize() if number else Decimal(0), "f")
        case _:
            raise TypeError(f"a value of a kind that no case has: {value!r}")


def text_of(got: Got) -> str:
    """Return all of an answer as text."""
    if isinstance(got, Refused):
        return got.message
    return "\n".join(str(value) for row in got for value in row)
