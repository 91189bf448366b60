"""Convert between Arrow's types and Spark's types in Spark Connect.

`from_spark` returns the types in which Spark sends a result, so that a described schema equals that of the rows.
"""

from __future__ import annotations

import ctypes
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa
import pyspark.sql.connect.proto as pb2
from pyspark.sql import types as spark_types
from pyspark.sql.connect.types import proto_schema_to_pyspark_data_type
from pyspark.sql.types import DataType, StructType, TimeType

from sqe.engine.wide_times import TRINO_TYPE_KEY, is_instant, is_wide, wide_field, wide_name, with_texts
from sqe.errors import UnsupportedError
from sqe.model.months import readable_batch

_DECIMAL_DIGITS = 38
_SCHEMA_BYTES = 72  # sizeof(struct ArrowSchema), from the C data interface
_MICROS = 6

# What is kept of a column's metadata: its comment, `char(n)` or `varchar(n)` of one that is a string to Spark, and
# Trino's type.
_KEPT = ("comment", "__CHAR_VARCHAR_TYPE_STRING", TRINO_TYPE_KEY)


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

# The Spark types for which there is one type of Trino.
_TRINO_NAMES: Mapping[type[DataType], str] = {
    spark_types.NullType: "unknown",
    spark_types.BooleanType: "boolean",
    spark_types.ByteType: "tinyint",
    spark_types.ShortType: "smallint",
    spark_types.IntegerType: "integer",
    spark_types.LongType: "bigint",
    spark_types.FloatType: "real",
    spark_types.DoubleType: "double",
    spark_types.StringType: "varchar",
    spark_types.BinaryType: "varbinary",
    spark_types.DateType: "date",
    spark_types.TimestampNTZType: "timestamp(6)",
    spark_types.TimestampType: "timestamp(6) with time zone",
}

_NESTED = ("array", "map", "struct")
# VARIANT and the geometries have no type in Arrow: Spark sends structs, and marks them in one of their fields.
_VARIANT = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={"variant": "true"}),
    ]
)


def _geospatial(kind: str, srid: int) -> pa.DataType:
    return pa.struct(
        [
            pa.field("srid", pa.int32(), nullable=False),
            pa.field("wkb", pa.binary(), nullable=False, metadata={kind: "true", "srid": str(srid)}),
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


def schema_from_spark(
    spark: pb2.DataType, time_zone: Callable[[], str], *, own_zones: bool = False
) -> pa.Schema:
    """Return the Arrow schema of a relation; `time_zone` returns the session's, and is called only for timestamps."""
    kind = _with_instants(spark) if not own_zones else spark
    return pa.schema([_field(field, time_zone) for field in kind.struct.fields])


def _with_instants(spark: pb2.DataType) -> pb2.DataType:
    """Return a type with points in time in the place of those that each have a zone: `wide_times`."""
    made = pb2.DataType()
    made.CopyFrom(spark)
    pending = [made]
    while pending:
        kind = pending.pop()
        declared = _wide(kind) if kind.HasField("struct") else None
        if declared is not None:
            if is_instant(declared):
                kind.timestamp.CopyFrom(pb2.DataType.Timestamp())
        elif kind.HasField("struct"):
            pending += [field.data_type for field in kind.struct.fields]
        elif kind.HasField("array"):
            pending.append(kind.array.element_type)
        elif kind.HasField("map"):
            pending += [kind.map.key_type, kind.map.value_type]
    return made


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
            element = _inner("element", spark.array.element_type, spark.array.contains_null, time_zone)
            return pa.list_(element)
        case "map":
            key = _inner("key", spark.map.key_type, False, time_zone)
            value = _inner("value", spark.map.value_type, spark.map.value_contains_null, time_zone)
            if pa.types.is_null(key.type):  # `map()`, which has none; pyarrow does not let it be of no type
                key = pa.field("key", pa.string(), nullable=False)
            return pa.map_(key, value)
        case "struct" if _wide(spark) is not None:
            return pa.string()
        case "struct":
            fields = [_bare(field, time_zone) for field in spark.struct.fields]
            names = _distinct([field.name for field in fields])
            return pa.struct([field.with_name(name) for field, name in zip(fields, names, strict=True)])
        case "geometry":
            return _geospatial(kind, spark.geometry.srid)
        case "geography":
            return _geospatial(kind, spark.geography.srid)
        case "udt":
            return from_spark(spark.udt.sql_type, time_zone)
    raise UnsupportedError(
        f"Values of type {kind.upper() or 'UNKNOWN'} cannot be sent to a client.",
        hint="Cast the column to another type.",
    )


def trino_types(schema: StructType) -> dict[int, str]:
    """Return Trino's types of the columns that have one, by their positions."""
    types: dict[int, str] = {}
    for place, field in enumerate(schema.fields):
        declared = (field.metadata or {}).get(TRINO_TYPE_KEY)
        if isinstance(declared, str):
            types[place] = declared
        elif isinstance(
            field.dataType, TimeType
        ):  # Arrow's has nine digits of a second, whatever Spark's has
            types[place] = f"time({field.dataType.precision})"
        elif (text := _doubled(field.dataType)) is not None:
            types[place] = text
    return types


def _doubled(kind: DataType) -> str | None:
    """Return Trino's type of rows that have a name twice, as Spark numbers those names; None for all others."""
    if not _has_name_twice(kind):
        return None
    try:
        return _trino_text(kind)
    except KeyError:
        return None


def _has_name_twice(kind: DataType) -> bool:
    match kind:
        case spark_types.ArrayType():
            return _has_name_twice(kind.elementType)
        case spark_types.MapType():
            return _has_name_twice(kind.keyType) or _has_name_twice(kind.valueType)
        case StructType():
            doubled = len(set(kind.names)) < len(kind.names)
            return doubled or any(_has_name_twice(field.dataType) for field in kind.fields)
    return False


def _trino_text(kind: DataType) -> str:
    """Return Trino's type with the names of a row's fields as they are. Raises KeyError for what needs more to tell."""
    match kind:
        case spark_types.DecimalType():
            return f"decimal({kind.precision},{kind.scale})"
        case spark_types.ArrayType():
            return f"array({_trino_text(kind.elementType)})"
        case spark_types.MapType():
            return f"map({_trino_text(kind.keyType)},{_trino_text(kind.valueType)})"
        case StructType():
            if kind.names and wide_name(kind.names[0]) is not None:
                raise KeyError(kind.names[0])
            quoted = (name.replace('"', '""') for name in kind.names)
            inner = (_trino_text(field.dataType) for field in kind.fields)
            fields = (f'"{name}" {text}' for name, text in zip(quoted, inner, strict=True))
            return f"row({','.join(fields)})"
    return _TRINO_NAMES[type(kind)]


def with_trino_types(
    batch: pa.RecordBatch, types: Mapping[int, str], *, own_zones: bool = False
) -> pa.RecordBatch:
    """Put Trino's types into the metadata of the columns, which Spark sends without any."""
    batch = _with_texts(batch, own_zones=own_zones)
    if not types or len(batch.schema) <= max(types):
        return batch
    fields = [
        field.with_metadata({**(field.metadata or {}), TRINO_TYPE_KEY: types[place]})
        if place in types
        else field
        for place, field in enumerate(batch.schema)
    ]
    return readable_batch(batch, pa.schema(fields, batch.schema.metadata))


def _with_texts(batch: pa.RecordBatch, *, own_zones: bool) -> pa.RecordBatch:
    """Replace times that only Trino has by their texts."""
    if not any(is_wide(field.type) for field in batch.schema):
        return batch
    columns = [
        with_texts(field, column, own_zones=own_zones)
        for field, column in zip(batch.schema, batch.columns, strict=True)
    ]
    schema = pa.schema([field for field, _ in columns], batch.schema.metadata)
    return pa.RecordBatch.from_arrays([column for _, column in columns], schema=schema)


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
    if field.data_type.HasField("time") and field.data_type.time.HasField("precision"):
        kept.setdefault(TRINO_TYPE_KEY, f"time({field.data_type.time.precision})")
    elif field.data_type.WhichOneof("kind") in _NESTED:
        doubled = _doubled(proto_schema_to_pyspark_data_type(field.data_type))
        if doubled is not None:
            kept.setdefault(TRINO_TYPE_KEY, doubled)
    column = _bare(field, time_zone)
    return column.with_metadata({**(column.metadata or {}), **kept}) if kept else column


def _bare(field: pb2.DataType.StructField, time_zone: Callable[[], str]) -> pa.Field:
    return _inner(field.name, field.data_type, field.nullable, time_zone)


def _wide(spark: pb2.DataType) -> str | None:
    return wide_name(spark.struct.fields[0].name) if spark.struct.fields else None


def _inner(name: str, spark: pb2.DataType, nullable: bool, time_zone: Callable[[], str]) -> pa.Field:
    declared = _wide(spark)
    if declared is not None:
        return wide_field(name, declared, nullable=nullable)
    return _made(name, from_spark(spark, time_zone), nullable)


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
