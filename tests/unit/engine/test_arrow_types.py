from __future__ import annotations

import json

import pyarrow as pa
import pyspark.sql.connect.proto as pb2
import pytest
from pyspark.sql.types import (
    ArrayType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimeType,
)

from sqe.engine.arrow_types import (
    MONTHS,
    from_spark,
    schema_from_spark,
    spark_arrow_type,
    to_spark,
    trino_types,
    with_trino_types,
)
from sqe.engine.wide_times import TRINO_TYPE_KEY
from sqe.errors import UnsupportedError

SPARK_HAS = [
    *[pa.null(), pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64()],
    *[pa.string(), pa.binary(), pa.date32(), pa.time64("ns"), pa.timestamp("us"), pa.duration("us"), MONTHS],
    *[pa.month_day_nano_interval(), pa.decimal128(38, 10), pa.timestamp("us", tz="UTC")],
    pa.list_(pa.field("element", pa.int32(), nullable=False)),
    pa.list_(pa.field("element", pa.list_(pa.field("element", MONTHS)))),
    pa.map_(pa.field("key", pa.string(), nullable=False), pa.field("value", pa.int64(), nullable=False)),
    pa.struct([pa.field("a", pa.int8(), nullable=False), pa.field("b", pa.decimal128(3, 1))]),
]


def utc() -> str:
    return "UTC"


@pytest.mark.parametrize("arrow", SPARK_HAS, ids=str)
def test_a_type_goes_to_spark_and_comes_back(arrow: pa.DataType) -> None:
    back = from_spark(to_spark(arrow), utc)
    assert back.equals(arrow)
    assert str(back) == str(arrow)  # equality leaves the names inside lists out


def test_the_interval_of_months_is_arrows_own() -> None:
    assert str(MONTHS) == "month_interval"
    assert MONTHS.id == pa.lib.Type_INTERVAL_MONTHS


def test_a_timestamp_is_in_the_sessions_zone_which_is_asked_for_only_then() -> None:
    assert from_spark(pb2.DataType(timestamp=pb2.DataType.Timestamp()), lambda: "Asia/Tokyo") == pa.timestamp(
        "us", tz="Asia/Tokyo"
    )

    def never() -> str:
        raise AssertionError

    assert from_spark(pb2.DataType(long=pb2.DataType.Long()), never) == pa.int64()


def test_char_and_varchar_are_strings() -> None:
    assert from_spark(pb2.DataType(var_char=pb2.DataType.VarChar(length=3)), utc) == pa.string()


@pytest.mark.parametrize("kind", ["geometry", "geography"])
def test_a_geometry_is_the_struct_that_spark_sends(kind: str) -> None:
    made = pb2.DataType.Geometry(srid=4326) if kind == "geometry" else pb2.DataType.Geography(srid=4326)
    arrow = from_spark(pb2.DataType(**{kind: made}), utc)
    assert [(field.name, field.type, field.nullable) for field in arrow] == [
        ("srid", pa.int32(), False),
        ("wkb", pa.binary(), False),
    ]
    assert arrow.field("wkb").metadata == {kind.encode(): b"true", b"srid": b"4326"}


def test_a_variant_is_the_struct_that_spark_sends() -> None:
    variant = from_spark(pb2.DataType(variant=pb2.DataType.Variant()), utc)
    assert variant.field("metadata").metadata == {b"variant": b"true"}


def test_names_that_a_struct_has_twice_are_numbered_as_spark_sends_them() -> None:
    number = pb2.DataType(integer=pb2.DataType.Integer())

    def struct(*names: str, of: pb2.DataType = number) -> pb2.DataType:
        fields = [pb2.DataType.StructField(name=name, data_type=of, nullable=True) for name in names]
        return pb2.DataType(struct=pb2.DataType.Struct(fields=fields))

    assert [field.name for field in from_spark(struct("a", "b", "a", "A", "a_0"), utc)] == [
        *("a_0", "b", "a_1", "A", "a_0"),
    ]
    nested = from_spark(struct("x", "x", of=struct("a", "a")), utc)
    assert str(nested) == str(
        pa.struct([(name, pa.struct([("a_0", pa.int32()), ("a_1", pa.int32())])) for name in ("x_0", "x_1")])
    )
    assert schema_from_spark(struct("a", "a"), utc).names == ["a", "a"]  # of a result, they stay


def test_an_array_without_elements_has_a_type() -> None:
    empty = pb2.DataType(
        array=pb2.DataType.Array(element_type=pb2.DataType(null=pb2.DataType.NULL()), contains_null=False)
    )
    assert from_spark(empty, utc) == pa.list_(pa.null())


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="UNPARSED"):
        from_spark(pb2.DataType(unparsed=pb2.DataType.Unparsed(data_type_string="shape")), utc)


def test_a_schema_has_nullability_and_comments() -> None:
    fields = [
        pb2.DataType.StructField(
            name="id", data_type=to_spark(pa.int64()), nullable=False, metadata=json.dumps({"comment": "key"})
        ),
        pb2.DataType.StructField(
            name="c",
            data_type=to_spark(pa.string()),
            nullable=True,
            metadata=json.dumps({"__CHAR_VARCHAR_TYPE_STRING": "char(3)", "number": 1}),
        ),
        pb2.DataType.StructField(name="c", data_type=to_spark(pa.bool_()), nullable=True),
    ]
    schema = schema_from_spark(pb2.DataType(struct=pb2.DataType.Struct(fields=fields)), utc)
    assert schema.names == ["id", "c", "c"]
    assert [field.nullable for field in schema] == [False, True, True]
    assert [field.metadata for field in schema] == [
        {b"comment": b"key"},
        {b"__CHAR_VARCHAR_TYPE_STRING": b"char(3)"},
        None,
    ]


@pytest.mark.parametrize(
    ("arrow", "own"),
    [
        (pa.uint32(), pa.int64()),
        (pa.uint64(), pa.decimal128(20, 0)),
        (pa.large_list(pa.uint8()), pa.list_(pa.field("element", pa.int16()))),
        (pa.list_(pa.large_string(), 2), pa.list_(pa.field("element", pa.string()))),
        (pa.timestamp("ns", tz="+01:00"), pa.timestamp("us", tz="UTC")),
        (pa.dictionary(pa.int8(), pa.large_string()), pa.string()),
        (pa.decimal256(30, 2), pa.decimal128(30, 2)),
    ],
    ids=str,
)
def test_a_type_that_spark_does_not_have_becomes_one_that_holds_it(
    arrow: pa.DataType, own: pa.DataType
) -> None:
    assert spark_arrow_type(arrow) == own


def test_trinos_types_are_put_into_the_batches() -> None:
    schema = StructType(
        [
            StructField("a", TimestampNTZType(), metadata={TRINO_TYPE_KEY: "timestamp(3)"}),
            StructField("b", TimeType(2)),
            StructField("c", StringType(), metadata={"comment": "x"}),
        ]
    )
    types = trino_types(schema)
    assert types == {0: "timestamp(3)", 1: "time(2)"}
    columns = [pa.array([0], pa.timestamp("us")), pa.array([0], pa.time64("ns")), pa.array(["x"])]
    batch = with_trino_types(pa.record_batch(columns, names=["a", "b", "c"]), types)
    assert [field.metadata for field in batch.schema] == [
        {TRINO_TYPE_KEY.encode(): b"timestamp(3)"},
        {TRINO_TYPE_KEY.encode(): b"time(2)"},
        None,
    ]
    assert batch.column(2).to_pylist() == ["x"]


def test_rows_keep_the_names_that_spark_numbers() -> None:
    doubled = StructType([StructField("x", IntegerType()), StructField("x", StringType())])
    schema = StructType(
        [
            StructField("a", ArrayType(doubled)),
            StructField("b", StructType([StructField("x", IntegerType()), StructField("X", IntegerType())])),
            StructField("c", MapType(StringType(), StructType([StructField('"', doubled)]))),
        ]
    )
    row = 'row("x" integer,"x" varchar)'
    assert trino_types(schema) == {0: f"array({row})", 2: f'map(varchar,row("""" {row}))'}
