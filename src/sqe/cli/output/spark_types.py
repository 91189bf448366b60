"""Name Arrow types as Spark SQL does."""

from __future__ import annotations

import pyarrow as pa

from sqe.model.months import MonthsType

_PLAIN: dict[pa.DataType, str] = {
    pa.null(): "void",
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
    pa.large_string(): "string",
    pa.binary(): "binary",
    pa.large_binary(): "binary",
    pa.date32(): "date",
    pa.month_day_nano_interval(): "interval",
}


def type_name(type_: pa.DataType) -> str:
    """Name a type as `DESCRIBE` would; one that Spark does not have keeps Arrow's name."""
    if isinstance(type_, MonthsType):
        return "interval year to month"
    if type_ in _PLAIN:
        return _PLAIN[type_]
    if pa.types.is_decimal(type_):
        return f"decimal({type_.precision},{type_.scale})"
    if pa.types.is_timestamp(type_):
        return "timestamp" if type_.tz else "timestamp_ntz"
    if pa.types.is_time(type_):
        return "time"
    if pa.types.is_duration(type_):
        return "interval day to second"
    if pa.types.is_struct(type_):
        return f"struct<{', '.join(f'{field.name}: {type_name(field.type)}' for field in type_)}>"
    if pa.types.is_map(type_):
        return f"map<{type_name(type_.key_type)}, {type_name(type_.item_type)}>"
    if pa.types.is_list(type_) or pa.types.is_large_list(type_) or pa.types.is_fixed_size_list(type_):
        return f"array<{type_name(type_.value_type)}>"
    if pa.types.is_dictionary(type_):
        return type_name(type_.value_type)
    return str(type_)


def is_numeric(type_: pa.DataType) -> bool:
    """Tell whether values of the type are numbers, which tables align to the right."""
    return bool(pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_))
