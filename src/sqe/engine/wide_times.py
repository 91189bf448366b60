"""Read the times that no type of Spark's holds, and write them as Trino's text, or as points in time.

They are times and timestamps of more than six digits of a second, times with an offset, and timestamps that each have
a zone of their own. Spark sends them as structs, whose first field is named after Trino's type
(`sqe.spark.trino.Wide`). A client whose protocol has no place for a zone of each value gets a timestamp that Spark
could hold as the point in time that it is.
"""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

TRINO_TYPE_KEY = "__SQE_TRINO_TYPE"
"""Where the functions of `sqe.spark.trino` keep Trino's type of a column, which says more than Spark's."""

_NAME = re.compile(r"trino ((timestamp|time)\((\d+)\)( with time zone)?)")
_SPARK_DIGITS = 6
_MICROS_PER_SECOND = 10**6
_MICROS_PER_DAY = 86_400 * _MICROS_PER_SECOND
_PICOS_PER_MINUTE = 60 * 10**12
_PICOS_PER_DAY = 24 * 60 * _PICOS_PER_MINUTE
_FIRST_DAY = -719_528  # 0000-01-01
_DAYS_OF_400_YEARS = 146_097


def wide_name(name: str) -> str | None:
    """Return Trino's type for the name of a struct's first field; None: the struct is a row."""
    found = _NAME.fullmatch(name)
    return found[1] if found else None


def wide_type(type_: pa.DataType) -> str | None:
    """Return Trino's type of a struct; None: the type is another."""
    return wide_name(type_.field(0).name) if pa.types.is_struct(type_) and type_.num_fields else None


def is_wide(type_: pa.DataType) -> bool:
    """Whether there are such times in values of a type."""
    if wide_type(type_) is not None:
        return True
    if pa.types.is_map(type_):
        return is_wide(type_.key_type) or is_wide(type_.item_type)
    if pa.types.is_list(type_):
        return is_wide(type_.value_type)
    return pa.types.is_struct(type_) and any(is_wide(field.type) for field in type_)


def is_instant(declared: str) -> bool:
    """Whether a time of a type is a point in time, and a zone, with no more digits than Spark's own have."""
    kind, digits, zoned = _parts(declared)
    return kind == "timestamp" and zoned and digits <= _SPARK_DIGITS


def wide_field(name: str, declared: str, *, nullable: bool) -> pa.Field:
    """Return the column in which such times go to a client as text."""
    return pa.field(name, pa.string(), nullable, metadata={TRINO_TYPE_KEY: declared})


def with_texts(field: pa.Field, array: pa.Array, *, own_zones: bool) -> tuple[pa.Field, pa.Array]:
    """Replace the times in a column by their texts, also in arrays, maps and rows; by points in time, see above."""
    declared = wide_type(field.type)
    if declared is not None and not own_zones and is_instant(declared):
        return field.with_type(field.type.field(0).type), pc.struct_field(array, [0])
    if declared is not None:
        made = wide_field(field.name, declared, nullable=field.nullable)
        return made.with_metadata({**(field.metadata or {}), **made.metadata}), _texts(array, declared)
    type_ = field.type
    if not is_wide(type_):
        return field, array
    if pa.types.is_map(type_):
        key, keys = with_texts(type_.key_field, array.keys, own_zones=own_zones)
        item, items = with_texts(type_.item_field, array.items, own_zones=own_zones)
        entries = pa.StructArray.from_arrays([keys, items], fields=[key, item])
        offsets, mask = _offsets(array)
        maps = pa.MapArray.from_arrays(offsets, entries.field(0), entries.field(1), mask=mask)
        return field.with_type(pa.map_(key, item)), maps.cast(pa.map_(key, item))
    if pa.types.is_list(type_):
        inner, values = with_texts(type_.value_field, array.values, own_zones=own_zones)
        offsets, mask = _offsets(array)
        lists = pa.ListArray.from_arrays(offsets, values, mask=mask)
        return field.with_type(pa.list_(inner)), lists.cast(pa.list_(inner))
    parts = [
        with_texts(child, pc.struct_field(array, [place]), own_zones=own_zones)
        if is_wide(child.type)
        else (child, array.field(place))
        for place, child in enumerate(type_)
    ]
    fields = [part for part, _ in parts]
    rows = pa.StructArray.from_arrays([values for _, values in parts], fields=fields, mask=array.is_null())
    return field.with_type(pa.struct(fields)), rows


def _offsets(array: pa.Array) -> tuple[pa.Array, pa.Array | None]:
    """Return the offsets of lists, and which lists are NULL."""
    return array.offsets, array.is_null() if array.null_count else None


def _parts(declared: str) -> tuple[str, int, bool]:
    """Return the name of a type, its digits, and whether it has a zone."""
    found = _NAME.fullmatch(f"trino {declared}")
    assert found is not None
    return found[2], int(found[3]), found[4] is not None


def _texts(array: pa.StructArray, declared: str) -> pa.Array:
    kind, digits, zoned = _parts(declared)
    columns = [pc.struct_field(array, [place]) for place in range(array.type.num_fields)]
    first = columns[0].cast(pa.int64()).to_pylist()
    rest = [column.to_pylist() for column in columns[1:]]
    texts: list[str | None] = []
    for place, value in enumerate(first):
        if value is None:
            texts.append(None)
        elif kind == "time":
            texts.append(_time_text(value, rest[0][place] if zoned else None, digits))
        else:
            seconds = rest[2][place] if zoned else 0
            local = _timestamp_text(value + seconds * _MICROS_PER_SECOND, rest[0][place], digits)
            texts.append(f"{local} {rest[1][place]}" if zoned else local)
    return pa.array(texts, pa.string())


def _clock(picos: int, digits: int) -> str:
    seconds, fraction = divmod(picos, 10**12)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{text}.{f'{fraction:012d}'[:digits]}" if digits else text


def _time_text(picos: int, offset: int | None, digits: int) -> str:
    if offset is None:
        return _clock(picos, digits)
    local = _clock((picos + offset * _PICOS_PER_MINUTE) % _PICOS_PER_DAY, digits)
    sign = "-" if offset < 0 else "+"
    return f"{local}{sign}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"


def _timestamp_text(micros: int, picos: int, digits: int) -> str:
    days, rest = divmod(micros, _MICROS_PER_DAY)
    return f"{_date_text(days)} {_clock(rest * 10**6 + picos, digits)}"


def _date_text(days: int) -> str:
    """Write a date as Java does: years after 9999 and before 0 have a sign."""
    # Days since 0000-03-01, so that a leap day ends its year.
    era, day = divmod(days - _FIRST_DAY - 60, _DAYS_OF_400_YEARS)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = day - (153 * month + 2) // 5 + 1
    year += era * 400 + (month >= 10)
    month = month + 3 if month < 10 else month - 9
    written = f"{year:04d}" if year >= 0 else f"-{-year:04d}"
    return f"{'+' if year > 9999 else ''}{written}-{month:02d}-{date:02d}"
