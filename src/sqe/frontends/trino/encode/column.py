"""Choose the encoder for the type of a column."""

from __future__ import annotations

import orjson
import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.frontends.trino.encode import binary, intervals, nested, numbers, strings, times
from sqe.frontends.trino.encode.fragment import NULL, TEXT, Fragment, Style, quoted
from sqe.frontends.trino.encode.variant import variant_texts
from sqe.model.months import MONTHS_EXTENSION
from sqe.sql.trino.declared_type import DeclaredType
from sqe.sql.trino.types import TrinoType, is_variant


def fragment(array: pa.Array, style: Style, declared: DeclaredType | None = None) -> Fragment:
    """Encode a column; `declared` is Trino's type where that says more than Arrow's. Raises UnsupportedError."""
    type_ = array.type
    types = pa.types
    if declared is not None and types.is_nested(type_):
        return _declared_fragment(array, style, declared)

    def whole(child: pa.Array) -> pa.Array:
        return fragment(child, style).whole()

    if types.is_dictionary(type_):
        return fragment(array.dictionary_decode(), style, declared)
    if isinstance(type_, pa.BaseExtensionType):
        if type_.extension_name == MONTHS_EXTENSION:
            return intervals.months(array.storage)
        return fragment(array.storage, style)
    if is_variant(type_):
        return strings.strings(variant_texts(array))
    if types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_):
        return nested.lists(array, whole)
    if types.is_map(type_):
        return nested.maps(array, lambda keys: _key_texts(keys, style), whole)
    if types.is_struct(type_):
        return nested.rows(array, whole)
    if types.is_null(type_):
        return Fragment(pa.array([NULL] * len(array), TEXT))
    if types.is_boolean(type_):
        return numbers.booleans(array)
    if types.is_integer(type_):
        return numbers.integers(array)
    if types.is_floating(type_):
        return numbers.floats(array)
    return quoted_fragment(array, style, declared)


def _declared_fragment(array: pa.Array, style: Style, declared: DeclaredType) -> Fragment:
    """Encode arrays, maps and rows of types that say more than Arrow's."""
    parts = [part[1] if isinstance(part, tuple) else part for part in declared.type.arguments]
    inner = [DeclaredType(part, declared.zone) for part in parts if isinstance(part, TrinoType)]
    if pa.types.is_map(array.type):
        return nested.maps(
            array,
            lambda keys: _key_texts(keys, style, inner[0]),
            lambda items: fragment(items, style, inner[1]).whole(),
        )
    if pa.types.is_struct(array.type):
        return nested.rows(array, *(_encoder(style, part) for part in inner))
    return nested.lists(array, _encoder(style, inner[0]))


def _encoder(style: Style, declared: DeclaredType) -> nested.Encode:
    return lambda child: fragment(child, style, declared).whole()


def quoted_fragment(array: pa.Array, style: Style, declared: DeclaredType | None = None) -> Fragment:
    """Encode a column whose values are strings in JSON. Raises UnsupportedError."""
    type_ = array.type
    types = pa.types
    if types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_):
        return strings.strings(array)
    if types.is_decimal(type_):
        return numbers.decimals(array)
    if types.is_timestamp(type_):
        return times.timestamps(array, style, declared)
    if types.is_date(type_):
        return times.dates(array)
    if types.is_time(type_):
        return times.times(array, style, declared)
    if types.is_duration(type_):
        return intervals.durations(array)
    if type_ == pa.month_day_nano_interval():
        return quoted(intervals.calendar_texts(array))
    if (
        types.is_binary(type_)
        or types.is_large_binary(type_)
        or types.is_fixed_size_binary(type_)
        or types.is_binary_view(type_)
    ):
        return binary.binaries(array)
    raise UnsupportedError(f"Trino's protocol cannot encode values of type {type_}.")


def _key_texts(keys: pa.Array, style: Style, declared: DeclaredType | None = None) -> pa.Array:
    """Encode the keys of a map, which must be strings in JSON."""
    if pa.types.is_floating(keys.type):
        wide = keys.cast(pa.float32()) if pa.types.is_float16(keys.type) else keys
        return quoted(numbers.float_texts(wide)).whole()
    if pa.types.is_integer(keys.type) or pa.types.is_boolean(keys.type):
        return quoted(keys.cast(TEXT)).whole()
    if pa.types.is_nested(keys.type) and not is_variant(keys.type):
        texts = [_java_text(orjson.loads(key)) for key in fragment(keys, style, declared).whole().to_pylist()]
        return strings.strings(pa.array(texts, TEXT)).whole()
    return fragment(keys, style, declared).whole()


def _java_text(value: object) -> str:
    """Return the text of a key that is no scalar: Trino writes what Java's lists and maps say of themselves."""
    match value:
        case dict():
            entries = (f"{key}={_java_text(each)}" for key, each in value.items())
            return "{" + ", ".join(entries) + "}"
        case list():
            return "[" + ", ".join(map(_java_text, value)) + "]"
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case _:
            return str(value)
