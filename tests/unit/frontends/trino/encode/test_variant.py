from __future__ import annotations

import json
import struct
import uuid
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql.variant_utils import VariantUtils

from sqe.errors import DataError
from sqe.frontends.trino.encode.fragment import Style
from sqe.frontends.trino.encode.page import rows_json
from sqe.frontends.trino.encode.variant import variant_texts
from sqe.sql.trino.types import trino_type

TYPE = pa.struct(
    [
        pa.field("value", pa.binary()),
        pa.field("metadata", pa.binary(), metadata={"variant": "true"}),
    ]
)
NO_NAMES = b"\x01\x00\x00"


def variants(*pairs: tuple[bytes, bytes] | None) -> pa.Array:
    rows = [None if pair is None else {"value": pair[0], "metadata": pair[1]} for pair in pairs]
    return pa.array(rows, TYPE)


def primitive(kind: int, data: bytes) -> tuple[bytes, bytes]:
    return bytes([kind << 2]) + data, NO_NAMES


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    lambda children: (
        st.lists(children, max_size=5) | st.dictionaries(st.text("abcé", max_size=5), children, max_size=5)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(st.lists(JSON_VALUES, min_size=1, max_size=4))
def test_what_spark_makes_of_json_comes_back(values: list[Any]) -> None:
    made = variants(*(VariantUtils.parse_json(json.dumps(value)) for value in values))
    assert [json.loads(text) for text in variant_texts(made).to_pylist()] == values


def test_large_objects_and_arrays() -> None:
    value = {f"field {number}": list(range(number % 300)) for number in range(700)}
    [text] = variant_texts(variants(VariantUtils.parse_json(json.dumps(value)))).to_pylist()
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        (8, b"\x02" + (-150).to_bytes(4, "little", signed=True), "-1.50"),
        (9, b"\x12" + (1).to_bytes(8, "little"), "0.000000000000000001"),
        (10, b"\x00" + (10**30).to_bytes(16, "little"), "1" + "0" * 30),
        (11, struct.pack("<i", -1), '"1969-12-31"'),
        (12, struct.pack("<q", 1_500_000), '"1970-01-01 00:00:01.500000+00:00"'),
        (13, struct.pack("<q", -1), '"1969-12-31 23:59:59.999999"'),
        (14, struct.pack("<f", 1.5), "1.5"),
        (7, struct.pack("<d", float("inf")), '"Infinity"'),
        (15, struct.pack("<i", 2) + b"\x00\xff", '"AP8="'),
        (17, struct.pack("<q", 3_600_000_001), '"01:00:00.000001"'),
        (20, uuid.UUID(int=1).bytes, '"00000000-0000-0000-0000-000000000001"'),
    ],
)
def test_values_that_json_has_not(kind: int, data: bytes, text: str) -> None:
    assert variant_texts(variants(primitive(kind, data))).to_pylist() == [text]


def test_a_column_is_json() -> None:
    array = variants(VariantUtils.parse_json('{"a": "x\\n"}'), None)
    assert trino_type(TYPE).name == "json"
    page = rows_json([pa.record_batch([array], names=["v"])], Style())
    assert json.loads(page) == [['{"a":"x\\n"}'], [None]]


@pytest.mark.parametrize(
    "data", [b"", b"\xfc", b"\x02\x05", bytes([7 << 2]) + b"\x00", b"\x02\x01\x07\x00\x01\x00"]
)
def test_damaged_values_are_errors(data: bytes) -> None:
    with pytest.raises(DataError, match="VARIANT"):
        variant_texts(variants((data, NO_NAMES)))
