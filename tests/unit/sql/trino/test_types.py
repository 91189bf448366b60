from __future__ import annotations

import json

import pyarrow as pa
import pytest

from sqe.errors import UnsupportedError
from sqe.sql.trino.declared_type import TRINO_TYPE_KEY
from sqe.sql.trino.types import CHAR_VARCHAR_KEY, trino_type

VARIANT = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={b"variant": b"true"}),
    ]
)


class Months(pa.ExtensionType):  # type: ignore[misc]  # pyarrow has no types
    def __init__(self) -> None:
        super().__init__(pa.int32(), "sqe.months")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> Months:
        return cls()


def long(*numbers: int) -> list[dict[str, object]]:
    return [{"kind": "LONG", "value": number} for number in numbers]


@pytest.mark.parametrize(
    ("arrow", "name", "text", "arguments", "jdbc_type", "precision", "scale"),
    [
        (pa.null(), "unknown", "unknown", [], 2000, None, None),
        (pa.bool_(), "boolean", "boolean", [], 16, None, None),
        (pa.int8(), "tinyint", "tinyint", [], -6, 3, None),
        (pa.int16(), "smallint", "smallint", [], 5, 5, None),
        (pa.int32(), "integer", "integer", [], 4, 10, None),
        (pa.int64(), "bigint", "bigint", [], -5, 19, None),
        (pa.uint8(), "smallint", "smallint", [], 5, 5, None),
        (pa.uint64(), "bigint", "bigint", [], -5, 19, None),
        (pa.float32(), "real", "real", [], 7, 24, None),
        (pa.float64(), "double", "double", [], 8, 53, None),
        (pa.decimal128(38, 10), "decimal", "decimal(38,10)", long(38, 10), 3, 38, 10),
        (pa.string(), "varchar", "varchar", long(2147483647), 12, 2147483647, None),
        (pa.large_string(), "varchar", "varchar", long(2147483647), 12, 2147483647, None),
        (pa.binary(), "varbinary", "varbinary", [], -3, 2147483647, None),
        (pa.binary(16), "varbinary", "varbinary", [], -3, 2147483647, None),
        (pa.date32(), "date", "date", [], 91, 14, None),
        (pa.time64("us"), "time", "time(6)", long(6), 92, 15, 6),
        (pa.timestamp("us"), "timestamp", "timestamp(6)", long(6), 93, 28, 6),
        (pa.timestamp("s"), "timestamp", "timestamp(0)", long(0), 93, 21, 0),
        (
            pa.timestamp("us", tz="Europe/Amsterdam"),
            "timestamp with time zone",
            "timestamp(6) with time zone",
            long(6),
            2014,
            62,
            6,
        ),
        (pa.duration("us"), "interval day to second", "interval day to second", [], 2000, None, None),
        (Months(), "interval year to month", "interval year to month", [], 2000, None, None),
        (pa.month_day_nano_interval(), "varchar", "varchar", long(2147483647), 12, 2147483647, None),
        (VARIANT, "json", "json", [], 2000, None, None),
        (
            pa.dictionary(pa.int32(), pa.string()),
            "varchar",
            "varchar",
            long(2147483647),
            12,
            2147483647,
            None,
        ),
    ],
    ids=str,
)
def test_scalars(
    arrow: pa.DataType,
    name: str,
    text: str,
    arguments: list[object],
    jdbc_type: int,
    precision: int | None,
    scale: int | None,
) -> None:
    made = trino_type(arrow)
    assert (made.name, made.text) == (name, text)
    assert made.signature == {"rawType": name, "arguments": arguments}
    assert (made.jdbc_type, made.precision, made.scale) == (jdbc_type, precision, scale)


def test_month_intervals_as_arrow_has_them() -> None:
    class FromTheWire:  # pyarrow reads the type from a stream, but cannot make one
        id = pa.lib.Type_INTERVAL_MONTHS

    assert trino_type(FromTheWire()).text == "interval year to month"


def test_nested_types_have_the_types_inside_as_arguments() -> None:
    struct = pa.struct([("a", pa.int32()), ("b c", pa.timestamp("us"))])
    made = trino_type(pa.map_(pa.string(), pa.list_(struct)))
    assert made.text == 'map(varchar, array(row(a integer, "b c" timestamp(6))))'
    assert made.jdbc_type == 2000
    inner = {
        "rawType": "row",
        "arguments": [
            {
                "kind": "NAMED_TYPE",
                "value": {
                    "fieldName": {"name": "a"},
                    "typeSignature": {"rawType": "integer", "arguments": []},
                },
            },
            {
                "kind": "NAMED_TYPE",
                "value": {
                    "fieldName": {"name": "b c"},
                    "typeSignature": {"rawType": "timestamp", "arguments": long(6)},
                },
            },
        ],
    }
    assert made.signature == {
        "rawType": "map",
        "arguments": [
            {"kind": "TYPE", "value": {"rawType": "varchar", "arguments": long(2147483647)}},
            {"kind": "TYPE", "value": {"rawType": "array", "arguments": [{"kind": "TYPE", "value": inner}]}},
        ],
    }
    assert json.loads(json.dumps(made.signature)) == made.signature
    assert trino_type(pa.list_(pa.int8())).jdbc_type == 2003


def test_declared_lengths_come_from_the_field() -> None:
    assert trino_type(pa.string(), {CHAR_VARCHAR_KEY: b"varchar(10)"}).text == "varchar(10)"
    made = trino_type(pa.string(), {CHAR_VARCHAR_KEY: b"char(3)"})
    assert (made.signature, made.jdbc_type) == ({"rawType": "char", "arguments": long(3)}, 1)
    assert trino_type(pa.string(), {b"comment": b"varchar(10)"}).text == "varchar"
    field = pa.field("x", pa.string(), metadata={CHAR_VARCHAR_KEY: b"char(2)"})
    assert trino_type(pa.struct([field])).text == "row(x char(2))"


def test_a_struct_that_only_looks_like_a_variant_is_a_row() -> None:
    plain = pa.struct([("value", pa.binary()), ("metadata", pa.binary())])
    assert trino_type(plain).text == "row(value varbinary, metadata varbinary)"


def test_old_clients_get_times_without_parameters() -> None:
    made = trino_type(pa.list_(pa.timestamp("us", tz="UTC")), parametric_datetime=False)
    assert made.text == "array(timestamp with time zone)"
    assert made.signature["arguments"][0]["value"] == {"rawType": "timestamp with time zone", "arguments": []}
    assert trino_type(pa.time64("us"), parametric_datetime=False).text == "time"
    assert trino_type(pa.decimal128(5, 2), parametric_datetime=False).text == "decimal(5,2)"


def test_what_trino_cannot_hold_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="decimal256"):
        trino_type(pa.decimal256(50, 2))
    with pytest.raises(UnsupportedError, match="union"):
        trino_type(pa.dense_union([pa.field("a", pa.int32())]))


@pytest.mark.parametrize(
    ("arrow", "declared", "text"),
    [
        (pa.timestamp("us"), "timestamp(3)", "timestamp(3)"),
        (
            pa.timestamp("us", tz="UTC"),
            "timestamp(0) with time zone@Europe/Berlin",
            "timestamp(0) with time zone",
        ),
        (pa.time64("ns"), "time(2)", "time(2)"),
        (pa.string(), "json", "json"),
        (pa.string(), "uuid", "uuid"),
        (pa.string(), "ipaddress", "ipaddress"),
        (pa.string(), "char(5)", "char(5)"),
        (pa.string(), "varchar(7)", "varchar(7)"),
        (pa.list_(pa.string()), "array(json)", "array(json)"),
        (pa.map_(pa.string(), pa.int32()), "map(varchar(3), integer)", "map(varchar(3), integer)"),
        (
            pa.struct([("a", pa.timestamp("us")), ("b", pa.int32())]),
            'row("a" timestamp(3), integer)',
            "row(a timestamp(3), integer)",
        ),
        (pa.int32(), "json", "integer"),
        (pa.int64(), "timestamp(3)", "bigint"),
        (pa.string(), "timestamp(9)", "timestamp(9)"),
    ],
)
def test_a_declared_type_says_more_than_arrows(arrow: pa.DataType, declared: str, text: str) -> None:
    assert trino_type(arrow, {TRINO_TYPE_KEY: declared.encode()}).text == text


def test_old_clients_get_declared_times_without_parameters() -> None:
    metadata = {TRINO_TYPE_KEY: b"array(timestamp(3))"}
    made = trino_type(pa.list_(pa.timestamp("us")), metadata, parametric_datetime=False)
    assert made.text == "array(timestamp)"
