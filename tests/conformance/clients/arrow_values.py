"""Arrow's types and values in the suite's form, for the clients that hand out Arrow."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from tests.conformance.clients.base import Parameter, Result
from tests.conformance.values import Months

_NAMES = {
    pa.null(): "unknown",
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float32(): "real",
    pa.float64(): "double",
    pa.string(): "varchar",
    pa.large_string(): "varchar",
    pa.string_view(): "varchar",
    pa.binary(): "varbinary",
    pa.large_binary(): "varbinary",
    pa.binary_view(): "varbinary",
    pa.date32(): "date",
    pa.time64("us"): "time(6)",
    pa.timestamp("us"): "timestamp(6)",
    pa.duration("us"): "interval day to second",
    pa.month_day_nano_interval(): "interval year to month",
}
_PARAMETERS = {
    "boolean": pa.bool_(),
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "real": pa.float32(),
    "double": pa.float64(),
    "decimal": pa.decimal128(38, 18),
    "varchar": pa.string(),
    "varbinary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
}


def type_name(type_: pa.DataType) -> str:
    if pa.types.is_decimal(type_):
        return f"decimal({type_.precision},{type_.scale})"
    if pa.types.is_timestamp(type_) and type_.tz is not None and type_.unit == "us":
        return "timestamp(6) with time zone"
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return f"array({type_name(type_.value_type)})"
    if pa.types.is_map(type_):
        return f"map({type_name(type_.key_type)}, {type_name(type_.item_type)})"
    if pa.types.is_struct(type_):
        return f"row({', '.join(f'{field.name} {type_name(field.type)}' for field in type_)})"
    return _NAMES.get(type_) or f"<{type_}>"


def value(raw: Any, type_: pa.DataType) -> Any:
    """What `to_pylist` gave: its structs become tuples and its maps dicts, all the way down."""
    if raw is None:
        return None
    if pa.types.is_map(type_):
        return {value(key, type_.key_type): value(item, type_.item_type) for key, item in raw}
    if pa.types.is_struct(type_):
        return tuple(value(raw[field.name], field.type) for field in type_)
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return [value(item, type_.value_type) for item in raw]
    if isinstance(raw, pa.MonthDayNano):
        return Months(raw.months)
    return raw


def result(table: pa.Table) -> Result:
    columns = [
        [value(raw, field.type) for raw in column.to_pylist()]
        for field, column in zip(table.schema, table.columns, strict=True)
    ]
    rows = list(zip(*columns, strict=True)) if columns else [()] * table.num_rows
    return Result(tuple(table.schema.names), tuple(type_name(field.type) for field in table.schema), rows)


def parameter_batch(parameters: Sequence[Parameter]) -> pa.RecordBatch:
    arrays = [pa.array([one.value], _PARAMETERS[one.type]) for one in parameters]
    return pa.RecordBatch.from_arrays(arrays, [str(number + 1) for number in range(len(arrays))])


def parameter_text(parameter: Parameter) -> list[str | None]:
    """A parameter as two texts, for a client in another language."""
    if parameter.value is None:
        return [parameter.type, None]
    if isinstance(parameter.value, bytes):
        return [parameter.type, base64.b64encode(parameter.value).decode()]
    if isinstance(parameter.value, bool):
        return [parameter.type, str(parameter.value).lower()]
    return [parameter.type, str(parameter.value)]
