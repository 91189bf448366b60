"""Values in the one form in which every case expects them, and when two of them are the same.

| SQL | Python |
|---|---|
| boolean, integers, real and double, decimal | bool, int, float, Decimal |
| varchar, varbinary | str, bytes |
| date, timestamp | date, naive datetime |
| timestamp with time zone | aware datetime; the instant counts, not the zone |
| interval day to second, interval year to month | timedelta, Months |
| array, map, row | list, dict, tuple |
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Months:
    """An interval of years and months."""

    count: int


def real(number: float) -> float:
    """The number as a REAL has it: rounded to 32 bits, which is what some clients show and others round back."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def short_real(number: float) -> float:
    """What a client makes of a REAL that it reads from its shortest text as a number of 64 bits: 0.1 is 0.1 then."""
    if not math.isfinite(number):
        return number
    texts = (f"{number:.{digits}g}" for digits in range(1, 10))
    return next(short for text in texts if abs(short := float(text)) < 3.4028236e38 and real(short) == number)


def same(actual: Any, expected: Any) -> bool:
    """Whether they are equal and of one type, all the way down; NaN is itself, and -0.0 is not 0.0."""
    if type(actual) is not type(expected):
        return False
    if isinstance(expected, float):
        if math.isnan(expected):
            return math.isnan(actual)
        return bool(actual == expected) and math.copysign(1, actual) == math.copysign(1, expected)
    if isinstance(expected, datetime):
        return (actual.tzinfo is None) == (expected.tzinfo is None) and bool(actual == expected)
    if isinstance(expected, list | tuple):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(same(actual[key], expected[key]) for key in expected)
    return bool(actual == expected)


def difference(actual: Sequence[tuple[Any, ...]], expected: Sequence[tuple[Any, ...]]) -> str | None:
    """Say where two results differ first; None when they do not."""
    for number, (got, wanted) in enumerate(zip(actual, expected, strict=False)):
        if not same(got, wanted):
            return f"row {number}: got {_short(got)}, expected {_short(wanted)}"
    if len(actual) != len(expected):
        return f"got {len(actual)} rows, expected {len(expected)}"
    return None


def _short(row: tuple[Any, ...]) -> str:
    text = repr(row)
    return text if len(text) < 500 else f"{text[:240]} ... {text[-240:]}"
