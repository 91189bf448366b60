"""Encode dates, times and timestamps.

Arrow writes the years 0 to 9999 as Trino does. `_far_date` writes other years with a sign, as Java does; it is slow,
but such values are rare.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC as UTC_ZONE
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqe.frontends.trino.encode.fragment import TEXT, Fragment, Style, finished, quoted
from sqe.model.zones import UTC, canonical
from sqe.sql.trino.declared_type import OWN_ZONES, DeclaredType

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86400
_FIRST_DAY = -719_528  # 0000-01-01
_LAST_DAY = 2_932_896  # 9999-12-31
# Arrow does not read the rule that a zone's file has for the time after its last listed change of clocks, in 2037.
_ARROW_KNOWS_UNTIL = 2_114_380_800  # 2037-01-01
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC_ZONE)


def dates(array: pa.Array) -> Fragment:
    return quoted(date_texts(array))


def date_texts(array: pa.Array) -> pa.Array:
    days = array.cast(pa.date32())
    return _replace_far(days.cast(TEXT), days.cast(pa.int32()).cast(pa.int64()), 1, _far_date)


def times(array: pa.Array, style: Style, declared: DeclaredType | None = None) -> Fragment:
    texts = time_texts(array, style)
    if style.parametric_datetime and declared is not None:
        texts = _with_digits(texts, array.type.unit, declared)
    return quoted(texts)


def _with_digits(texts: pa.Array, unit: str, declared: DeclaredType) -> pa.Array:
    """Cut the second's fraction to the digits of the type: the values have no more, or they are those of Arrow."""
    digits = declared.type.arguments[0] if declared.type.arguments else 3
    assert isinstance(digits, int)
    there = len(str(_PER_SECOND[unit])) - 1
    if digits >= there:
        return texts
    surplus = there - digits + (digits == 0)  # and the point
    return pc.utf8_slice_codeunits(texts, 0, -surplus)


def time_texts(array: pa.Array, style: Style) -> pa.Array:
    if not style.parametric_datetime:
        ticks = array.cast(pa.int32()) if pa.types.is_time32(array.type) else array
        rounded = _to_milliseconds(ticks.cast(pa.int64()), array.type.unit)
        day = pa.scalar(_DAY * 1000, pa.int64())  # a value that rounds up to 24:00 becomes 00:00
        rounded = pc.subtract(rounded, pc.multiply(pc.divide(rounded, day), day))
        array = rounded.cast(pa.int32()).cast(pa.time32("ms"))
    return array.cast(TEXT)


def timestamps(array: pa.Array, style: Style, declared: DeclaredType | None = None) -> Fragment:
    # Values with zones of their own are points in time to Spark, and are displayed in the session's zone.
    if declared is not None and declared.zone not in (None, OWN_ZONES):
        style = replace(style, zone=canonical(declared.zone) or style.zone)
    text, zone = _timestamp_parts(array, style)
    if style.parametric_datetime and declared is not None:
        text = _with_digits(text, array.type.unit, declared)
    return finished(text, '"', f' {zone}"' if zone else '"')


def _timestamp_parts(array: pa.Array, style: Style) -> tuple[pa.Array, str | None]:
    zone = None
    if array.type.tz is not None:
        zone = style.zone or canonical(array.type.tz) or UTC
        array = local(array, zone)
    unit, ticks = array.type.unit, array.cast(pa.int64())
    if not style.parametric_datetime:
        ticks, unit = _to_milliseconds(ticks, unit), "ms"
        array = ticks.cast(pa.timestamp(unit))
    digits = len(str(_PER_SECOND[unit])) - 1

    def far(value: int) -> str:
        seconds, fraction = divmod(value, _PER_SECOND[unit])
        days, second = divmod(seconds, _DAY)
        clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        return f"{_far_date(days)} {clock}" + (f".{fraction:0{digits}d}" if digits else "")

    return _replace_far(array.cast(TEXT), ticks, _DAY * _PER_SECOND[unit], far), zone


def local(array: pa.Array, zone: str) -> pa.Array:
    """Return the local time in `zone` of these instants, as timestamps without a zone."""
    try:
        shown = pc.local_timestamp(array.cast(pa.timestamp(array.type.unit, zone)))
    except pa.ArrowInvalid:  # Arrow reads the system's zones only; Python's may come from a package
        return _local_by_python(array, zone)
    if zone == UTC or zone[0] in "+-":
        return shown
    late = pc.greater_equal(array.cast(pa.int64()), _ARROW_KNOWS_UNTIL * _PER_SECOND[array.type.unit])
    if not pc.any(late).as_py():
        return shown
    late = late.fill_null(False)
    return pc.replace_with_mask(shown, late, _local_by_python(array.filter(late), zone))


def _local_by_python(array: pa.Array, zone: str) -> pa.Array:
    """Look up the offset of each distinct second; seconds outside of Python's range count as its first or last."""
    per_second = _PER_SECOND[array.type.unit]
    ticks = array.cast(pa.int64())
    seconds = np.floor_divide(ticks.fill_null(0).to_numpy(zero_copy_only=False), per_second)
    asked, place = np.unique(seconds, return_inverse=True)
    where = _tzinfo(zone)
    first, last = -62_135_510_400, 253_402_214_400  # a day inside what datetime holds
    offsets = [
        (_EPOCH + timedelta(seconds=min(max(second, first), last))).astimezone(where).utcoffset()
        for second in asked.tolist()
    ]
    shifts = np.array(
        [round((offset or timedelta()).total_seconds()) * per_second for offset in offsets], np.int64
    )
    return pc.add(ticks, pa.array(shifts[place], pa.int64())).cast(pa.timestamp(array.type.unit))


def _tzinfo(zone: str) -> tzinfo:
    if zone[0] in "+-":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
        return timezone(offset if zone[0] == "+" else -offset)
    return ZoneInfo(zone)


def _to_milliseconds(ticks: pa.Array, unit: str) -> pa.Array:
    """Round as Trino does, half up."""
    per_millisecond = _PER_SECOND[unit] // 1000
    if per_millisecond == 0:
        return pc.multiply(ticks, 1000)
    if per_millisecond == 1:
        return ticks
    shifted = pc.add(ticks, per_millisecond // 2)
    floor = np.floor_divide(shifted.fill_null(0).to_numpy(zero_copy_only=False), per_millisecond)
    return pc.if_else(ticks.is_valid(), pa.array(floor, pa.int64()), pa.scalar(None, pa.int64()))


def _replace_far(text: pa.Array, ticks: pa.Array, per_day: int, write: Callable[[int], str]) -> pa.Array:
    """Replace the texts of values outside of the four-digit years by those of `write`."""
    first, last = _FIRST_DAY * per_day, (_LAST_DAY + 1) * per_day - 1
    extremes = pc.min_max(ticks)
    lowest, highest = extremes["min"].as_py(), extremes["max"].as_py()
    if lowest is None or (lowest >= first and highest <= last):
        return text
    far = pc.or_(pc.less(ticks, first), pc.greater(ticks, last)).fill_null(False)
    return pc.replace_with_mask(
        text, far, pa.array([write(value) for value in ticks.filter(far).to_pylist()], TEXT)
    )


def _far_date(days: int) -> str:
    """Format a date given in days after 1970-01-01, in the proleptic Gregorian calendar."""
    era, day_of_era = divmod(days + 719_468, 146_097)  # eras of 400 years that begin on March 1st
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year = year_of_era + era * 400 + (month <= 2)
    sign = "+" if year > 9999 else "-" if year < 0 else ""
    return f"{sign}{abs(year):04d}-{month:02d}-{day:02d}"
