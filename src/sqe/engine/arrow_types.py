"""Convert between Arrow's types and Spark's types in Spark Connect.

`from_spark` returns the types in which Spark sends a result, so that a described schema equals that of the rows.
"""

from __future__ import annotations

import ctypes
import json
from collections import Counter
from collections.abc import Callable, Sequence

import pyarrow as pa
import pyspark.sql.connect.proto as pb2

from sqe.errors import UnsupportedError

_DECIMAL_DIGITS = 38
_SCHEMA_BYTES = 72  # sizeof(struct ArrowSchema), from the C data interface
_MICROS = 6

# What is kept of a column's metadata: its comment, and `char(n)` or `varchar(n)` of one that is a string to Spark.
_KEPT = ("comment", "__CHAR_VARCHAR_TYPE_STRING")


def _months() -> pa.DataType:
    """Return Arrow's interval of months. pyarrow has no constructor for it, but imports it from a C schema."""
    schema = ctypes.create_string_buffer(_SCHEMA_BYTES)
    address = ctypes.addressof(schema)
    pa.field("", pa.int32())._export_to_c(address)  # noqa: SLF001 - the C interface has no other name in pyarrow
    # The first member is the type's format. The string of ours only has to live until it has been read.
    form = ctypes.create_string_buffer(b"tiM")
    ctypes.c_void_p.from_address(address).value = ctypes.addressof(form)
    return pa.Field._import_from_c(address).type  # noqa: SLF001


MONTHS = _months()

# VARIANT and the geometries have no type in Arrow: Spark sends structs, and marks them in one of their fields.
_VARIANT = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={"variant": "true"}),
    ]
)

_PLAIN: dict[str, pa.DataType] = {
    "null": pa.null(),
    "boolean": pa.bool_(),
    "byte": pa.int8(),
    "short": pa.int16(),
    "integer": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "string": pa.string(),
    "char": pa.string(),
    "var_char": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "time": pa.time64("ns"),
    "timestamp_ntz": pa.timestamp("us"),
    "day_time_interval": pa.duration("us"),
    "year_month_interval": MONTHS,
    "calendar_interval": pa.month_day_nano_interval(),
    "variant": _VARIANT,
}


def schema_from_spark(spark: pb2.DataType, time_zone: Callable[[], str]) -> pa.Schema:
    """Return the Arrow schema of a relation; `time_zone` returns the session's, and is called only for timestamps."""
    return pa.schema([_field(field, time_zone) for field in spark.struct.fields])


def from_spark(spark: pb2.DataType, time_zone: Callable[[], str]) -> pa.DataType:
    """Return the Arrow type in which Spark sends values of a type."""
    kind = spark.WhichOneof("kind") or ""
    if kind in _PLAIN:
        return _PLAIN[kind]
    match kind:
        case "timestamp":
            return pa.timestamp("us", tz=time_zone())
        case "decimal":
            return pa.decimal128(spark.decimal.precision, spark.decimal.scale)
        case "array":
            element = from_spark(spark.array.element_type, time_zone)
            return pa.list_(_made("element", element, spark.array.contains_null))
        case "map":
            key = from_spark(spark.map.key_type, time_zone)
            value = from_spark(spark.map.value_type, time_zone)
            if pa.types.is_null(key):  # `map()`, which has none; pyarrow does not let it be of no type
                key = pa.string()
            return pa.map_(
                pa.field("key", key, nullable=False), _made("value", value, spark.map.value_contains_null)
            )
        case "struct":
            fields = [_bare(field, time_zone) for field in spark.struct.fields]
            names = _distinct([field.name for field in fields])
            return pa.struct([field.with_name(name) for field, name in zip(fields, names, strict=True)])
        case "udt":
            return from_spark(spark.udt.sql_type, time_zone)
    raise UnsupportedError(
        f"Values of type {kind.upper() or 'UNKNOWN'} cannot be sent to a client.",
        hint="Cast the column to another type.",
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """Add numbers to the names that a struct has more than once, as Spark does where it sends one."""
    seen: Counter[str] = Counter()
    often = {name for name, count in Counter(names).items() if count > 1}
    distinct = []
    for name in names:
        distinct.append(f"{name}_{seen[name]}" if name in often else name)
        seen[name] += 1
    return distinct


def _field(field: pb2.DataType.StructField, time_zone: Callable[[], str]) -> pa.Field:
    metadata = json.loads(field.metadata) if field.metadata else {}
    kept = {key: metadata[key] for key in _KEPT if isinstance(metadata.get(key), str)}
    column = _bare(field, time_zone)
    return column.with_metadata(kept) if kept else column


def _bare(field: pb2.DataType.StructField, time_zone: Callable[[], str]) -> pa.Field:
    return _made(field.name, from_spark(field.data_type, time_zone), field.nullable)


def _made(name: str, arrow: pa.DataType, nullable: bool) -> pa.Field:
    # The elements of `array()` are nulls that cannot be null: Spark says so, pyarrow does not let us.
    return pa.field(name, arrow, nullable=nullable or pa.types.is_null(arrow))


_SIMPLE: dict[pa.DataType, pb2.DataType] = {
    pa.null(): pb2.DataType(null=pb2.DataType.NULL()),
    pa.bool_(): pb2.DataType(boolean=pb2.DataType.Boolean()),
    pa.int8(): pb2.DataType(byte=pb2.DataType.Byte()),
    pa.int16(): pb2.DataType(short=pb2.DataType.Short()),
    pa.int32(): pb2.DataType(integer=pb2.DataType.Integer()),
    pa.int64(): pb2.DataType(long=pb2.DataType.Long()),
    pa.float32(): pb2.DataType(float=pb2.DataType.Float()),
    pa.float64(): pb2.DataType(double=pb2.DataType.Double()),
    pa.string(): pb2.DataType(string=pb2.DataType.String()),
    pa.binary(): pb2.DataType(binary=pb2.DataType.Binary()),
    pa.date32(): pb2.DataType(date=pb2.DataType.Date()),
    pa.time64("ns"): pb2.DataType(time=pb2.DataType.Time(precision=_MICROS)),
    pa.timestamp("us"): pb2.DataType(timestamp_ntz=pb2.DataType.TimestampNTZ()),
    pa.timestamp("us", tz="UTC"): pb2.DataType(timestamp=pb2.DataType.Timestamp()),
    pa.duration("us"): pb2.DataType(
        day_time_interval=pb2.DataType.DayTimeInterval(start_field=0, end_field=3)
    ),
    MONTHS: pb2.DataType(year_month_interval=pb2.DataType.YearMonthInterval(start_field=0, end_field=1)),
    pa.month_day_nano_interval(): pb2.DataType(calendar_interval=pb2.DataType.CalendarInterval()),
}

# What Spark has no type for, and the one that takes all of its values.
_WIDER: dict[pa.DataType, pa.DataType] = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
    pa.date64(): pa.date32(),
}


def spark_arrow_type(arrow: pa.DataType) -> pa.DataType:
    """Return the Arrow type that Spark uses for values of any Arrow type. Raises UnsupportedError."""
    if arrow in _SIMPLE:
        return arrow
    if arrow in _WIDER:
        return _WIDER[arrow]
    if pa.types.is_decimal(arrow) and arrow.precision <= _DECIMAL_DIGITS and arrow.scale >= 0:
        return pa.decimal128(arrow.precision, arrow.scale)
    if pa.types.is_timestamp(arrow):
        return pa.timestamp("us", tz="UTC" if arrow.tz else None)
    if pa.types.is_time(arrow):
        return pa.time64("ns")
    if pa.types.is_duration(arrow):
        return pa.duration("us")
    if pa.types.is_fixed_size_binary(arrow):
        return pa.binary()
    if pa.types.is_dictionary(arrow):
        return spark_arrow_type(arrow.value_type)
    if pa.types.is_struct(arrow):
        return pa.struct([_spark_field(field, field.name) for field in arrow])
    if pa.types.is_map(arrow):
        return pa.map_(_spark_field(arrow.key_field, "key"), _spark_field(arrow.item_field, "value"))
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow) or pa.types.is_fixed_size_list(arrow):
        return pa.list_(_spark_field(arrow.value_field, "element"))
    raise UnsupportedError(f"Spark has no type for values of Arrow's type {arrow}.")


def _spark_field(field: pa.Field, name: str) -> pa.Field:
    return pa.field(name, spark_arrow_type(field.type), nullable=field.nullable)


def to_spark(arrow: pa.DataType) -> pb2.DataType:
    """Return Spark's type for values of an Arrow type. Raises UnsupportedError."""
    own = spark_arrow_type(arrow)
    if own in _SIMPLE:
        return _SIMPLE[own]
    if pa.types.is_decimal(own):
        return pb2.DataType(decimal=pb2.DataType.Decimal(precision=own.precision, scale=own.scale))
    if pa.types.is_map(own):
        return pb2.DataType(
            map=pb2.DataType.Map(
                key_type=to_spark(own.key_type),
                value_type=to_spark(own.item_type),
                value_contains_null=own.item_field.nullable,
            )
        )
    if pa.types.is_list(own):
        element = own.value_field
        return pb2.DataType(
            array=pb2.DataType.Array(element_type=to_spark(element.type), contains_null=element.nullable)
        )
    return pb2.DataType(
        struct=pb2.DataType.Struct(
            fields=[
                pb2.DataType.StructField(
                    name=field.name, data_type=to_spark(field.type), nullable=field.nullable
                )
                for field in own
            ]
        )
    )
