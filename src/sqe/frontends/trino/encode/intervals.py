"""Encode intervals as `Y-M` and `D HH:MM:SS.mmm`, with one leading sign."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sqe.frontends.trino.encode.fragment import EMPTY, TEXT, Fragment, join, quoted, text_scalar

_PER_MILLISECOND = {"us": 10**3, "ns": 10**6}
_NANOS = 10**9


def durations(array: pa.Array) -> Fragment:
    return quoted(duration_texts(array))


def duration_texts(array: pa.Array) -> pa.Array:
    ticks = array.cast(pa.int64())
    unit = array.type.unit
    if unit in _PER_MILLISECOND:  # Trino's have milliseconds and truncate smaller units
        milliseconds = pc.divide(ticks, _PER_MILLISECOND[unit])
    else:
        milliseconds = pc.multiply(ticks, 1000 if unit == "s" else 1)
    size = pc.abs(milliseconds)
    seconds, minutes = pc.divide(size, 1000), pc.divide(size, 60_000)
    hours, days = pc.divide(size, 3_600_000), pc.divide(size, 86_400_000)
    return join(
        _minus(milliseconds),
        days.cast(TEXT),
        text_scalar(" "),
        _padded(_rest(hours, days, 24), 2),
        text_scalar(":"),
        _padded(_rest(minutes, hours, 60), 2),
        text_scalar(":"),
        _padded(_rest(seconds, minutes, 60), 2),
        text_scalar("."),
        _padded(_rest(size, seconds, 1000), 3),
    )


def months(array: pa.Array) -> Fragment:
    """Encode an array of numbers of months."""
    return quoted(month_texts(array))


def month_texts(array: pa.Array) -> pa.Array:
    size = pc.abs(array.cast(pa.int64()))
    years = pc.divide(size, 12)
    rest = _rest(size, years, 12)
    return join(_minus(array), years.cast(TEXT), text_scalar("-"), rest.cast(TEXT))


def calendar_texts(array: pa.Array) -> pa.Array:
    """Format Spark's legacy interval, which Trino lacks, one value at a time, because Arrow has no kernel."""
    return pa.array([None if value is None else _calendar(value) for value in array.to_pylist()], TEXT)


def _calendar(value: pa.MonthDayNano) -> str:
    seconds = f"{value.nanoseconds / _NANOS:.6f}".rstrip("0").rstrip(".")
    parts = [(str(value.months), "months"), (str(value.days), "days"), (seconds, "seconds")]
    return " ".join(f"{number} {name}" for number, name in parts if number != "0") or "0 seconds"


def _rest(fine: pa.Array, coarse: pa.Array, size: int) -> pa.Array:
    return pc.subtract(fine, pc.multiply(coarse, size))


def _padded(number: pa.Array, width: int) -> pa.Array:
    return pc.utf8_lpad(number.cast(TEXT), width, "0")


def _minus(number: pa.Array) -> pa.Array:
    return pc.if_else(pc.less(number, 0), text_scalar("-"), EMPTY)
