"""Format values as text, a column at a time.

`texts` is for tables and delimited files; `json_texts` returns a column of JSON fragments, which all formats use for
nested values. Both return large_string arrays, so that no batch is too big to join. They use Arrow's kernels if
there are any; intervals, binary and nested values are formatted in Python.
"""

from __future__ import annotations

import json.encoder
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from itertools import pairwise
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from sqe.cli.output.escape import CONTROL_CLASS, CONTROL_RE2
from sqe.cli.output.intervals import calendar_text, duration_text, months_text
from sqe.cli.output.spark_types import is_numeric
from sqe.model.months import MonthsType

T = TypeVar("T")

TEXT = pa.large_string()

_NEEDS_JSON_ESCAPE = r'["\\]|' + CONTROL_RE2
_BEYOND_JSON = re.compile(f"[{CONTROL_CLASS}]")  # legal in JSON from \x7f on, but not on a terminal
_OFFSET_ZONE = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?")


def texts(array: pa.Array) -> pa.Array:
    """Turn a column into large_string; nulls stay null."""
    type_ = array.type
    if pa.types.is_dictionary(type_):
        return texts(array.dictionary_decode())
    if isinstance(type_, MonthsType):
        return _each(array.storage.to_pylist(), months_text)
    if isinstance(array, pa.ExtensionArray):
        return texts(array.storage)
    if pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return _strings(array)
    if pa.types.is_floating(type_):
        return _floats(array)
    if pa.types.is_decimal(type_):
        return _decimals(array)
    if pa.types.is_timestamp(type_):
        return _timestamps(array)
    if pa.types.is_time(type_):
        return (
            pc.replace_substring_regex(array.cast(TEXT), r"\.?0*$", "")
            if type_.unit != "s"
            else array.cast(TEXT)
        )
    if pa.types.is_nested(type_):
        nested = json_texts(array)
        return pc.if_else(array.is_valid(), nested, pa.scalar(None, TEXT)) if array.null_count else nested
    formatted = _formatted_in_python(array)
    return array.cast(TEXT) if formatted is None else formatted


def _formatted_in_python(array: pa.Array) -> pa.Array | None:
    """Format the types that Arrow cannot cast to text, one value at a time; None for other types."""
    type_ = array.type
    if pa.types.is_binary(type_) or pa.types.is_large_binary(type_) or pa.types.is_fixed_size_binary(type_):
        return _each(array.to_pylist(), lambda value: f"\\x{value.hex().upper()}")
    if pa.types.is_duration(type_):
        per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[type_.unit]
        return _each(array.cast(pa.int64()).to_pylist(), lambda ticks: duration_text(ticks, per_second))
    if type_ == pa.month_day_nano_interval():
        return _each(
            array.to_pylist(), lambda value: calendar_text(value.months, value.days, value.nanoseconds)
        )
    return None


def _each(values: Iterable[T | None], text: Callable[[T], str]) -> pa.Array:
    return pa.array([None if value is None else text(value) for value in values], TEXT)


def _strings(array: pa.Array) -> pa.Array:
    array = array if pa.types.is_large_string(array.type) else array.cast(TEXT)
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:  # Spark lets bytes that are not UTF-8 be a string
        return _each(
            array.cast(pa.large_binary()).to_pylist(), lambda value: value.decode("utf-8", "replace")
        )
    return array


def _floats(array: pa.Array) -> pa.Array:
    text = pc.replace_substring_regex(array.cast(TEXT), r"^(-?[0-9]+)$", r"\1.0")
    if pc.all(pc.is_finite(array)).as_py() is False:
        text = pc.replace_substring(pc.replace_substring(text, "nan", "NaN"), "inf", "Infinity")
        text = pc.replace_substring(text, "-NaN", "NaN")
    return text


def _decimals(array: pa.Array) -> pa.Array:
    text = array.cast(TEXT)
    if pc.any(pc.match_substring(text, "E")).as_py():  # Arrow writes small values as 1E-7
        return _each(text.to_pylist(), lambda value: format(Decimal(value), "f"))
    return text


def _timestamps(array: pa.Array) -> pa.Array:
    zone, unit = array.type.tz, array.type.unit
    fraction = r"(?:\.0+|(\.[0-9]*[1-9])0*)" if unit != "s" else "()"
    if zone is None:
        return (
            pc.replace_substring_regex(array.cast(TEXT), f"{fraction}$", r"\1")
            if unit != "s"
            else array.cast(TEXT)
        )
    try:
        text = array.cast(TEXT)
    except pa.ArrowInvalid:  # a zone that Arrow does not know by this name
        text = array.cast(pa.timestamp(unit, _known_zone(zone))).cast(TEXT)
    text = pc.replace_substring_regex(text, "Z$", "+0000")
    return pc.replace_substring_regex(text, f"{fraction}([+-][0-9]{{2}})([0-9]{{2}})$", r"\1\2:\3")


def _known_zone(zone: str) -> str:
    """Return an offset as Arrow writes it, or UTC for other zones; the text of the value contains its offset."""
    if match := _OFFSET_ZONE.fullmatch(zone):
        sign, hours, minutes = match.groups()
        return f"{sign}{int(hours):02d}:{minutes or '00'}"
    return "UTC"


def json_texts(array: pa.Array, *, comma: str = ", ", colon: str = ": ") -> pa.Array:
    """Turn a column into JSON fragments without nulls: SQL's NULL is JSON's null."""
    type_ = array.type
    if pa.types.is_dictionary(type_):
        return json_texts(array.dictionary_decode(), comma=comma, colon=colon)
    if pa.types.is_struct(type_):
        return pa.array(_objects(array, comma, colon), TEXT)
    if pa.types.is_map(type_):
        return pa.array(_maps(array, comma, colon), TEXT)
    if pa.types.is_list(type_) or pa.types.is_large_list(type_) or pa.types.is_fixed_size_list(type_):
        return pa.array(_lists(array, comma, colon), TEXT)
    text = texts(array)
    if pa.types.is_floating(type_):
        if pc.all(pc.is_finite(array)).as_py() is False:  # JSON has no NaN: a string, as in Spark's to_json
            text = pc.replace_substring_regex(text, "^(-?[NI].*)$", r'"\1"')
    elif not is_numeric(type_) and not pa.types.is_boolean(type_):
        text = json_strings(text)
    return text.fill_null("null")


def json_strings(text: pa.Array) -> pa.Array:
    """Quote a text column for JSON; nulls stay."""
    if pc.any(pc.match_substring_regex(text, _NEEDS_JSON_ESCAPE)).as_py():
        return _each(text.to_pylist(), json_string)
    quote = pa.scalar('"', TEXT)
    return pc.binary_join_element_wise(quote, text, quote, pa.scalar("", TEXT))


def json_string(text: str) -> str:
    """Quote one string for JSON, leaving letters of all scripts as they are."""
    quoted = json.encoder.encode_basestring(text)
    return _BEYOND_JSON.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def _objects(array: pa.Array, comma: str, colon: str) -> list[str]:
    names = [json_string(field.name) + colon for field in array.type]
    columns = [json_texts(column, comma=comma, colon=colon).to_pylist() for column in array.flatten()]
    rows = zip(*columns, strict=True) if columns else ((),) * len(array)
    return [
        "{" + comma.join([name + value for name, value in zip(names, row, strict=True)]) + "}"
        if valid
        else "null"
        for row, valid in zip(rows, array.is_valid().to_pylist(), strict=True)
    ]


def _spans(array: pa.Array) -> Iterable[tuple[int, int]]:
    """Return the range of each row's items in the child array."""
    if pa.types.is_fixed_size_list(array.type):
        size = array.type.list_size
        return [((array.offset + row) * size, (array.offset + row + 1) * size) for row in range(len(array))]
    offsets = array.offsets.to_pylist()
    return pairwise(offsets)


def _lists(array: pa.Array, comma: str, colon: str) -> list[str]:
    spans = list(_spans(array))
    first, last = (spans[0][0], spans[-1][1]) if spans else (0, 0)
    items = json_texts(array.values.slice(first, last - first), comma=comma, colon=colon).to_pylist()
    return [
        "[" + comma.join(items[start - first : end - first]) + "]" if valid else "null"
        for (start, end), valid in zip(spans, array.is_valid().to_pylist(), strict=True)
    ]


def _maps(array: pa.Array, comma: str, colon: str) -> list[str]:
    spans = list(_spans(array))
    first, last = (spans[0][0], spans[-1][1]) if spans else (0, 0)
    keys = json_strings(texts(array.keys.slice(first, last - first))).to_pylist()
    items = json_texts(array.items.slice(first, last - first), comma=comma, colon=colon).to_pylist()
    pairs = [f"{key}{colon}{item}" for key, item in zip(keys, items, strict=True)]
    return [
        "{" + comma.join(pairs[start - first : end - first]) + "}" if valid else "null"
        for (start, end), valid in zip(spans, array.is_valid().to_pylist(), strict=True)
    ]
