from datetime import UTC, datetime

import pyarrow as pa
import pytest

from sqe.engine.arrow_types import with_trino_types
from sqe.engine.wide_times import TRINO_TYPE_KEY, is_wide, wide_type

KEY = TRINO_TYPE_KEY.encode()


def _texts(array: pa.Array, *, own_zones: bool = True) -> tuple[list[object], pa.Field]:
    batch = with_trino_types(pa.RecordBatch.from_arrays([array], ["x"]), {}, own_zones=own_zones)
    return batch.column(0).to_pylist(), batch.schema.field(0)


def _timestamps(declared: str, values: list[tuple[int, int] | None]) -> pa.Array:
    type_ = pa.struct([pa.field(f"trino {declared}", pa.timestamp("us")), pa.field("picos", pa.int32())])
    rows = [None if value is None else {f"trino {declared}": value[0], "picos": value[1]} for value in values]
    return pa.array(rows, type_)


def test_times_with_an_offset_are_written_in_it() -> None:
    name = "trino time(3) with time zone"
    type_ = pa.struct([pa.field(name, pa.int64()), pa.field("offset", pa.int32())])
    picos = 82_923_456 * 10**9  # 23:02:03.456 in UTC
    array = pa.array([{name: picos, "offset": 120}, {name: picos, "offset": -210}, None], type_)
    texts, field = _texts(array)
    assert texts == ["01:02:03.456+02:00", "19:32:03.456-03:30", None]
    assert field.type == pa.string()
    assert field.metadata[KEY] == b"time(3) with time zone"


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (0, "1970-01-01 00:00:00.000000500"),
        (-1, "1969-12-31 23:59:59.999999500"),
        (951_782_400 * 10**6, "2000-02-29 00:00:00.000000500"),
        (-62_167_219_200 * 10**6, "0000-01-01 00:00:00.000000500"),
        (253_402_300_800 * 10**6, "+10000-01-01 00:00:00.000000500"),
        (-62_167_219_201 * 10**6, "-0001-12-31 23:59:59.000000500"),
    ],
)
def test_timestamps_of_nine_digits(micros: int, text: str) -> None:
    assert _texts(_timestamps("timestamp(9)", [(micros, 500_000)]))[0] == [text]


def test_a_timestamp_is_written_in_its_own_zone() -> None:
    name = "trino timestamp(3) with time zone"
    type_ = pa.struct(
        [
            pa.field(name, pa.timestamp("us", tz="UTC")),
            pa.field("picos", pa.int32()),
            pa.field("zone", pa.string()),
            pa.field("seconds", pa.int32()),
        ]
    )
    moment = datetime(2024, 7, 1, 10, tzinfo=UTC)
    array = pa.array([{name: moment, "picos": 0, "zone": "Europe/Berlin", "seconds": 7200}], type_)
    assert _texts(array)[0] == ["2024-07-01 12:00:00.000 Europe/Berlin"]


def test_without_a_place_for_zones_it_is_a_point_in_time() -> None:
    name = "trino timestamp(3) with time zone"
    instant = pa.timestamp("us", tz="UTC")
    type_ = pa.struct(
        [
            pa.field(name, instant),
            pa.field("picos", pa.int32()),
            pa.field("zone", pa.string()),
            pa.field("seconds", pa.int32()),
        ]
    )
    moment = datetime(2024, 7, 1, 10, tzinfo=UTC)
    value = {name: moment, "picos": 0, "zone": "Europe/Berlin", "seconds": 7200}
    values, field = _texts(pa.array([value, None], type_), own_zones=False)
    assert values == [moment, None]
    assert field.type == instant
    values, field = _texts(pa.array([[value], None], pa.list_(type_)), own_zones=False)
    assert values == [[moment], None]
    assert field.type.value_type == instant
    nine = "timestamp(9)"
    assert _texts(_timestamps(nine, [(0, 0)]), own_zones=False)[1].type == pa.string()


def test_times_in_arrays_maps_and_rows_are_text_too() -> None:
    one = _timestamps("timestamp(7)", [(0, 100_000), None])
    lists = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), one)
    texts, field = _texts(lists)
    assert texts == [["1970-01-01 00:00:00.0000001", None]]
    assert field.type.value_field.metadata[KEY] == b"timestamp(7)"
    maps = pa.MapArray.from_arrays(pa.array([0, 2], pa.int32()), pa.array(["a", "b"]), one)
    assert _texts(maps)[0] == [[("a", "1970-01-01 00:00:00.0000001"), ("b", None)]]
    rows = pa.StructArray.from_arrays([one, pa.array([1, 2])], ["t", "n"])
    assert _texts(rows)[0] == [
        {"t": "1970-01-01 00:00:00.0000001", "n": 1},
        {"t": None, "n": 2},
    ]


def test_other_structs_are_rows() -> None:
    row = pa.struct([pa.field("trino", pa.int64())])
    assert wide_type(row) is None
    assert not is_wide(pa.list_(row))
