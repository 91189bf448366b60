from __future__ import annotations

import pyarrow as pa
import pytest

from sqe.frontends.flight import xdbc
from sqe.frontends.flight.proto import FlightSql_pb2 as sql
from sqe.sql.trino.types import trino_type

OURS = [
    pa.bool_(),
    pa.int8(),
    pa.int16(),
    pa.int32(),
    pa.int64(),
    pa.float32(),
    pa.float64(),
    pa.decimal128(10, 2),
    pa.string(),
    pa.binary(),
    pa.date32(),
    pa.timestamp("us"),
    pa.timestamp("us", tz="UTC"),
    pa.list_(pa.int32()),
    pa.map_(pa.string(), pa.int32()),
    pa.struct([("a", pa.int32())]),
    pa.duration("us"),
]


@pytest.mark.parametrize("arrow", OURS, ids=str)
def test_every_type_that_a_column_can_have_is_there(arrow: pa.DataType) -> None:
    assert trino_type(arrow).name in xdbc.types(None).column("type_name").to_pylist()


@pytest.mark.parametrize("arrow", [kind for kind in OURS if not pa.types.is_nested(kind)], ids=str)
def test_a_type_has_the_number_that_its_columns_have(arrow: pa.DataType) -> None:
    ours = trino_type(arrow)
    numbers = dict(
        zip(*(xdbc.types(None).column(name).to_pylist() for name in ("type_name", "data_type")), strict=True)
    )
    assert numbers[ours.name] == ours.jdbc_type


def test_types_are_ordered_and_have_the_schema() -> None:
    types = xdbc.types(None)
    types.validate(full=True)
    assert types.schema == xdbc.SCHEMA
    order = list(
        zip(types.column("data_type").to_pylist(), types.column("type_name").to_pylist(), strict=True)
    )
    assert order == sorted(order)


def test_one_number_can_be_asked_for() -> None:
    assert xdbc.types(sql.XDBC_VARCHAR).column("type_name").to_pylist() == ["varchar"]
    assert xdbc.types(4711).num_rows == 0


def test_dates_have_their_subcode() -> None:
    [date] = xdbc.types(sql.XDBC_DATE).to_pylist()
    assert (date["sql_data_type"], date["datetime_subcode"]) == (sql.XDBC_DATETIME, sql.XDBC_SUBCODE_DATE)
    assert (date["literal_prefix"], date["literal_suffix"]) == ("DATE '", "'")
