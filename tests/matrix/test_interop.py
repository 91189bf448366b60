"""Tables and views that SQE writes are read by others, and the other way round."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from tests.matrix.lake import SCHEMA, Lake

pytestmark = [pytest.mark.engine, pytest.mark.timeout(300)]

_NOON = datetime.datetime(2020, 2, 29, 12, 30, 1, 123456)  # noqa: DTZ001 - one without a zone is meant
_INSTANT = _NOON.replace(tzinfo=datetime.UTC)

_VALUES = {
    "b": True,
    "i": -7,
    "l": 5_000_000_000,
    "r": 1.5,
    "d": -2.25,
    "n": Decimal("123456789.12"),
    "s": "straße 😀",
    "v": b"\x00\xff",
    "day": datetime.date(1969, 12, 31),
    "at": _NOON,
    "instant": _INSTANT,
    "a": [1, None, 3],
    "m": {"x": 1},
    "o": {"p": 1, "q": "z"},
}
_COLUMNS = (
    "b boolean, i integer, l bigint, r real, d double, n decimal(11, 2), s varchar, v varbinary, day date, "
    "at timestamp(6), instant timestamp(6) with time zone, a array(integer), m map(varchar, integer), "
    "o row(p integer, q varchar)"
)
_LITERALS = (
    "true, -7, 5000000000, REAL '1.5', DOUBLE '-2.25', 123456789.12, 'straße 😀', X'00ff', DATE '1969-12-31', "
    "TIMESTAMP '2020-02-29 12:30:01.123456', TIMESTAMP '2020-02-29 12:30:01.123456 UTC', ARRAY[1, NULL, 3], "
    "MAP(ARRAY['x'], ARRAY[1]), CAST(ROW(1, 'z') AS row(p integer, q varchar))"
)
_AT_THE_TRINO_DOOR = (
    True,
    -7,
    5_000_000_000,
    1.5,
    -2.25,
    "123456789.12",
    "straße 😀",
    "AP8=",
    "1969-12-31",
    "2020-02-29 12:30:01.123456",
    "2020-02-29 12:30:01.123456 UTC",
    [1, None, 3],
    {"x": 1},
    [1, "z"],
)
_ARROW = pa.schema(
    [
        ("b", pa.bool_()),
        ("i", pa.int32()),
        ("l", pa.int64()),
        ("r", pa.float32()),
        ("d", pa.float64()),
        ("n", pa.decimal128(11, 2)),
        ("s", pa.string()),
        ("v", pa.binary()),
        ("day", pa.date32()),
        ("at", pa.timestamp("us")),
        ("instant", pa.timestamp("us", tz="UTC")),
        ("a", pa.list_(pa.int32())),
        ("m", pa.map_(pa.string(), pa.int32())),
        ("o", pa.struct([("p", pa.int32()), ("q", pa.string())])),
    ]
)


@pytest.mark.parametrize("version", [2, 3])
def test_others_read_values_of_all_types(lake: Lake, version: int) -> None:
    table = lake.create(version, _COLUMNS)
    lake.run(f"INSERT INTO {table} SELECT {_LITERALS}")
    (row,) = lake.table(table).scan().to_arrow().to_pylist()
    assert {**row, "m": dict(row["m"])} == _VALUES
    (row,) = lake.duckdb(table, "* EXCLUDE (instant)")
    assert row == tuple(value for name, value in _VALUES.items() if name != "instant")
    assert lake.duckdb(table, "epoch_us(instant)") == [(int(_INSTANT.timestamp() * 1_000_000),)]


def test_values_of_others_are_read(lake: Lake) -> None:
    name = lake.fresh()
    made = lake.catalog.create_table((SCHEMA, name.rpartition(".")[2]), _ARROW)
    made.append(pa.Table.from_pylist([{**_VALUES, "m": [("x", 1)]}], _ARROW))
    assert lake.run(f"SELECT * FROM {name}") == [_AT_THE_TRINO_DOOR]


def test_changes_of_others_to_a_table_of_sqe(lake: Lake) -> None:
    table = lake.create(2, rows="(1, 'a'), (2, 'b')")
    read = lake.table(table)
    read.append(pa.table({"id": [3], "name": ["c"]}))
    read.delete("id = 1")
    with read.update_schema() as change:
        change.rename_column("name", "title")
    assert lake.run(f"SELECT id, title FROM {table} ORDER BY id") == [(2, "b"), (3, "c")]


def test_a_column_of_no_type_is_read(lake: Lake) -> None:
    table = lake.create(3, "id bigint, nothing unknown")
    lake.run(f"INSERT INTO {table} (id) VALUES (1)")
    assert lake.run(f"SELECT * FROM {table}") == [(1, None)]
    assert lake.pyiceberg(table) == [(1, None)]


def test_a_view_is_one_of_icebergs(lake: Lake) -> None:
    table, view = lake.create(3, rows="(1, 'a')"), lake.fresh()
    lake.run(f"CREATE VIEW {view} AS SELECT id AS number FROM {table}")
    metadata = lake.metadata(view)
    assert metadata["format-version"] == 1
    assert [field["name"] for field in metadata["schemas"][-1]["fields"]] == ["number"]
    (text,) = metadata["versions"][-1]["representations"]
    assert (text["type"], text["dialect"]) == ("sql", "spark")
    assert lake.run(f"SELECT * FROM {view}") == [(1,)]
