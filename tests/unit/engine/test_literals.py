from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyspark.sql.connect.proto as pb2
import pytest

from sqe.engine.literals import literal, null
from sqe.errors import DataError, UnsupportedError

Literal = pb2.Expression.Literal


@pytest.mark.parametrize(
    ("value", "arrow", "kind", "written"),
    [
        (True, pa.bool_(), "boolean", True),
        (-128, pa.int8(), "byte", -128),
        (5, pa.int16(), "short", 5),
        (5, pa.int32(), "integer", 5),
        (2**62, pa.int64(), "long", 2**62),
        (0.5, pa.float32(), "float", 0.5),
        (1e300, pa.float64(), "double", 1e300),
        ("it's \\ \0", pa.string(), "string", "it's \\ \0"),
        ("x", pa.large_string(), "string", "x"),
        ("x", pa.string_view(), "string", "x"),
        (b"\x00\xff", pa.binary(), "binary", b"\x00\xff"),
        (b"ab", pa.binary(2), "binary", b"ab"),
        (-1_000_000, pa.date32(), "date", -1_000_000),  # a year that Python's dates do not have
        (86_400_000, pa.date64(), "date", 1),
        (1, pa.timestamp("us"), "timestamp_ntz", 1),
        (1, pa.timestamp("s"), "timestamp_ntz", 1_000_000),
        (1, pa.timestamp("us", tz="Europe/Amsterdam"), "timestamp", 1),
        (-1, pa.timestamp("us", tz="UTC"), "timestamp", -1),
        (1_000, pa.timestamp("ns", tz="UTC"), "timestamp", 1),
        (-5, pa.duration("us"), "day_time_interval", -5),
        (5, pa.duration("s"), "day_time_interval", 5_000_000),
        (7, pa.uint8(), "short", 7),
        (7, pa.uint16(), "integer", 7),
        (2**32 - 1, pa.uint32(), "long", 2**32 - 1),
    ],
)
def test_a_plain_value(value: Any, arrow: pa.DataType, kind: str, written: Any) -> None:
    made = literal(pa.scalar(value, arrow)).literal
    assert made.WhichOneof("literal_type") == kind
    assert getattr(made, kind) == written


@pytest.mark.parametrize(
    ("value", "arrow", "text", "precision", "scale"),
    [
        (Decimal("-0.01"), pa.decimal128(5, 2), "-0.01", 5, 2),
        (Decimal("1E+3"), pa.decimal128(10, 2), "1000.00", 10, 2),
        (Decimal("9" * 38), pa.decimal128(38, 0), "9" * 38, 38, 0),
        (Decimal("0.00000000"), pa.decimal128(38, 8), "0.00000000", 38, 8),
        (2**64 - 1, pa.uint64(), "18446744073709551615", 20, 0),
        (Decimal("1.5"), pa.decimal256(20, 1), "1.5", 20, 1),
    ],
)
def test_a_decimal_keeps_its_type(
    value: Any, arrow: pa.DataType, text: str, precision: int, scale: int
) -> None:
    made = literal(pa.scalar(value, arrow)).literal.decimal
    assert (made.value, made.precision, made.scale) == (text, precision, scale)


def test_a_dictionary_is_its_value() -> None:
    value = pa.array(["a", "b"]).dictionary_encode()[1]
    assert literal(value).literal.string == "b"


def test_months_alone_are_a_year_month_interval() -> None:
    assert literal(pa.scalar(pa.MonthDayNano([14, 0, 0]))).literal.year_month_interval == 14
    mixed = literal(pa.scalar(pa.MonthDayNano([1, 2, 3_000]))).literal.calendar_interval
    assert (mixed.months, mixed.days, mixed.microseconds) == (1, 2, 3)


def test_a_list_names_its_type_and_keeps_its_nulls() -> None:
    made = literal(pa.scalar([1, None], pa.list_(pa.uint8()))).literal
    assert [element.WhichOneof("literal_type") for element in made.array.elements] == ["short", "null"]
    assert made.data_type.array.element_type.HasField("short")
    assert made.data_type.array.contains_null


def test_an_empty_list_has_a_type() -> None:
    made = literal(pa.scalar([], pa.list_(pa.string()))).literal
    assert made.data_type.array.element_type.HasField("string")


def test_a_map_has_keys_and_values() -> None:
    made = literal(pa.scalar([("a", 1), ("b", None)], pa.map_(pa.string(), pa.int64()))).literal
    assert [key.string for key in made.map.keys] == ["a", "b"]
    assert made.map.values[0].long == 1
    assert made.map.values[1].HasField("null")


def test_a_struct_may_have_two_fields_of_one_name() -> None:
    arrow = pa.struct([pa.field("x", pa.int32()), pa.field("x", pa.string())])
    value = pa.StructArray.from_arrays([pa.array([1], pa.int32()), pa.array(["a"])], fields=list(arrow))[0]
    made = literal(value).literal
    assert (made.struct.elements[0].integer, made.struct.elements[1].string) == (1, "a")
    assert [field.name for field in made.data_type.struct.fields] == ["x", "x"]


@pytest.mark.parametrize(
    ("arrow", "kind"),
    [
        (pa.null(), "null"),
        (pa.int64(), "long"),
        (pa.decimal128(7, 3), "decimal"),
        (pa.timestamp("ns", tz="Asia/Tokyo"), "timestamp"),
        (pa.list_(pa.int8()), "array"),
        (pa.map_(pa.string(), pa.string()), "map"),
        (pa.struct([("a", pa.int8())]), "struct"),
    ],
)
def test_a_null_has_a_type(arrow: pa.DataType, kind: str) -> None:
    made = null(arrow).literal
    assert made.null.WhichOneof("kind") == kind
    assert literal(pa.scalar(None, arrow)).literal.null == made.null


@pytest.mark.parametrize(
    "value",
    [
        pa.scalar(1, pa.timestamp("ns")),
        pa.scalar(1, pa.duration("ns")),
        pa.scalar(pa.MonthDayNano([0, 0, 1])),
    ],
    ids=str,
)
def test_what_spark_cannot_hold_exactly_is_refused(value: pa.Scalar) -> None:
    with pytest.raises(DataError):
        literal(value)


def test_a_type_that_spark_does_not_have_is_refused() -> None:
    with pytest.raises(UnsupportedError):
        literal(pa.scalar(Decimal(1), pa.decimal256(40, 0)))
    with pytest.raises(UnsupportedError):
        null(pa.run_end_encoded(pa.int32(), pa.int64()))
