from __future__ import annotations

import ctypes
import json
import math
import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from dateutil.relativedelta import relativedelta  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trino.mapper import RowMapperFactory

from sqe.errors import UnsupportedError
from sqe.frontends.trino.encode.fragment import Style
from sqe.frontends.trino.encode.page import rows_json
from sqe.sql.trino.declared_type import TRINO_TYPE_KEY
from sqe.sql.trino.types import trino_type

NOW = Style()
OLD = Style(parametric_datetime=False)


def encoded(array: pa.Array, style: Style = NOW) -> list[Any]:
    """What a plain JSON reader makes of a page of one column."""
    batch = pa.record_batch([array], names=["c"])
    return [row[0] for row in json.loads(rows_json([batch], style))]


def mapped(array: pa.Array, style: Style = NOW) -> list[Any]:
    """What Trino's own Python client makes of it."""
    type_ = trino_type(array.type, parametric_datetime=style.parametric_datetime)
    column = {"name": "c", "type": type_.text, "typeSignature": type_.signature}
    rows = [[value] for value in encoded(array, style)]
    mapper = RowMapperFactory().create([column], legacy_primitive_types=False)
    return [row[0] for row in mapper.map(rows)]


# -- generated columns ------------------------------------------------------------------------------------------------

NAIVE = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))  # noqa: DTZ001 - without a zone on purpose
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DECIMALS = st.integers(-(10**20) + 1, 10**20 - 1).map(lambda number: Decimal(number).scaleb(-9))

LEAVES: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
    (pa.bool_(), st.booleans()),
    (pa.int8(), st.integers(-128, 127)),
    (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.float64(), st.floats(allow_nan=False)),
    (pa.float32(), st.floats(allow_nan=False, width=32)),
    (pa.decimal128(20, 9), DECIMALS),
    (pa.string(), TEXTS),
    (pa.large_string(), TEXTS),
    (pa.binary(), st.binary(max_size=9)),
    (pa.date32(), st.dates()),
    (pa.time64("us"), st.times()),
    (pa.timestamp("us"), NAIVE),
]
LEAF = st.sampled_from(LEAVES)


def of(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Nested types over others, each with a strategy for its values."""

    def lists(
        child: tuple[pa.DataType, st.SearchStrategy[Any]],
    ) -> tuple[pa.DataType, st.SearchStrategy[Any]]:
        return pa.list_(child[0]), st.lists(st.none() | child[1], max_size=4)

    def rows(
        fields: list[tuple[pa.DataType, st.SearchStrategy[Any]]],
    ) -> tuple[pa.DataType, st.SearchStrategy[Any]]:
        names = [f"f{number}" for number in range(len(fields))]
        return (
            pa.struct([(name, field[0]) for name, field in zip(names, fields, strict=True)]),
            st.fixed_dictionaries(
                {name: st.none() | field[1] for name, field in zip(names, fields, strict=True)}
            ),
        )

    def maps(child: tuple[pa.DataType, st.SearchStrategy[Any]]) -> tuple[pa.DataType, st.SearchStrategy[Any]]:
        return pa.map_(pa.string(), child[0]), st.dictionaries(TEXTS, st.none() | child[1], max_size=4)

    return children.map(lists) | st.lists(children, min_size=1, max_size=3).map(rows) | children.map(maps)


TYPED = st.recursive(LEAF, of, max_leaves=4)


@st.composite
def columns(draw: st.DrawFn) -> tuple[pa.Array, list[Any]]:
    type_, values = draw(TYPED)
    column = draw(st.lists(st.none() | values, min_size=1, max_size=20))
    before = draw(st.integers(0, len(column) - 1))
    storable = [_arrow_value(type_, value) for value in column]
    return pa.array(storable, type_).slice(before), column[before:]


def _arrow_value(type_: pa.DataType, value: Any) -> Any:
    if value is None:
        return None
    if pa.types.is_map(type_):
        return [(key, _arrow_value(type_.item_type, item)) for key, item in value.items()]
    if pa.types.is_list(type_):
        return [_arrow_value(type_.value_type, item) for item in value]
    if pa.types.is_struct(type_):
        return {field.name: _arrow_value(field.type, value[field.name]) for field in type_}
    return value


def _client_value(type_: pa.DataType, value: Any) -> Any:
    """How Trino's Python client shows it: a row is a tuple."""
    if value is None:
        return None
    if pa.types.is_list(type_):
        return [_client_value(type_.value_type, item) for item in value]
    if pa.types.is_map(type_):
        return {key: _client_value(type_.item_type, item) for key, item in value.items()}
    if pa.types.is_struct(type_):
        return tuple(_client_value(field.type, value[field.name]) for field in type_)
    if type_ == pa.float32():  # its text, as Java's, is another number for a reader of doubles
        if not math.isfinite(value):
            return value
        shortest = np.format_float_scientific(np.float32(value), trim="0")
        return float(shortest if len(shortest.split("e")[0].strip("-.0")) > 1 else f"{value:.1e}")
    return value


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(columns())
def test_trinos_client_reads_back_what_was_there(column: tuple[pa.Array, list[Any]]) -> None:
    array, values = column
    assert mapped(array) == [_client_value(array.type, value) for value in values]


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.lists(st.none() | TEXTS, min_size=3, max_size=3), min_size=1, max_size=5), st.integers(1, 3)
)
def test_rows_of_many_batches_are_one_array(rows: list[list[str | None]], times_: int) -> None:
    columns_ = [pa.array([row[number] for row in rows], pa.string()) for number in range(3)]
    batch = pa.record_batch(columns_, names=["a", "b", "c"])
    assert json.loads(rows_json([batch] * times_, NOW)) == rows * times_


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.none() | st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)), min_size=1, max_size=10),  # noqa: DTZ001
    st.sampled_from(
        ["UTC", "Europe/Amsterdam", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "+05:30", "-11:00"]
    ),
)
def test_instants_are_shown_in_the_sessions_zone(values: list[datetime | None], zone: str) -> None:
    instants = [value and value.replace(tzinfo=UTC) for value in values]
    array = pa.array(instants, pa.timestamp("us", "UTC"))
    shown = encoded(array, Style(zone))
    assert all(text is None or text.endswith(" " + zone) for text in shown)
    back = mapped(array, Style(zone))
    for instant, got in zip(instants, back, strict=True):
        if instant is None:
            assert got is None
        elif zone[0] in "+-":
            assert got.astimezone(UTC) == instant
        else:  # in an hour that the clocks went through twice, the zone's name cannot tell which one it was
            assert instant in (got.astimezone(UTC), got.replace(fold=1).astimezone(UTC))


# -- the exact forms --------------------------------------------------------------------------------------------------


def page(*arrays: pa.Array, style: Style = NOW) -> str:
    names = [f"c{number}" for number in range(len(arrays))]
    return rows_json([pa.record_batch(list(arrays), names=names)], style).decode()


def test_a_page_is_an_array_of_rows() -> None:
    assert page(pa.array([1, None]), pa.array(["a", None]), pa.array([True, False])) == (
        '[[1,"a",true],[null,null,false]]'
    )


def test_doubles_look_like_doubles() -> None:
    numbers = [1.0, -0.0, 0.1, 1e10, 123456789.0, 9999999999.0, 1e22, 1.5e-9, None]
    texts = page(pa.array(numbers)).strip("[]").split("],[")
    assert texts[:5] == ["1.0", "-0.0", "0.1", "1e+10", "123456789.0"]
    assert texts[-1] == "null"
    assert all("." in text or "e" in text for text in texts[:-1])
    assert [json.loads(text) for text in texts] == numbers
    assert page(pa.array([1.0, 16777216.0], pa.float32())) == "[[1.0],[16777216.0]]"


def test_the_smallest_numbers_have_two_digits_as_in_java() -> None:
    smallest = 2.0**-149
    assert page(pa.array([smallest, -2 * smallest, None, 0.0, 1e-40], pa.float32())) == (
        "[[1.4e-45],[-2.8e-45],[null],[0.0],[1.0e-40]]"
    )
    assert page(pa.array([5e-324, 1.5])) == "[[4.9e-324],[1.5]]"


def test_numbers_that_json_has_not_are_strings() -> None:
    assert page(pa.array([math.nan, math.inf, -math.inf, None, 2.0])) == (
        '[["NaN"],["Infinity"],["-Infinity"],[null],[2.0]]'
    )


def test_decimals_have_all_their_digits() -> None:
    small = [Decimal("0.0000001"), Decimal("-0.0000012"), Decimal(0), None, Decimal("-123.4500000")]
    assert encoded(pa.array(small, pa.decimal128(12, 7))) == [
        "0.0000001",
        "-0.0000012",
        "0.0000000",
        None,
        "-123.4500000",
    ]
    largest = Decimal("9" * 38)
    assert encoded(pa.array([largest, Decimal("-" + "9" * 38)], pa.decimal128(38, 0))) == [
        "9" * 38,
        "-" + "9" * 38,
    ]
    assert encoded(pa.array([Decimal("0." + "0" * 37 + "1")], pa.decimal128(38, 38))) == [
        "0." + "0" * 37 + "1"
    ]


def test_strings_are_escaped() -> None:
    text = '"\\\b\t\n\f\r\x00\x1f\x7f/é漢😀\u2028\u2029'
    assert encoded(pa.array([text, None, "", "plain"])) == [text, None, "", "plain"]
    assert "\u2028" not in page(pa.array([text]))
    assert page(pa.array(["\x01"])) == '[["\\u0001"]]'


def test_bytes_that_are_not_utf8_are_marked() -> None:
    data = pa.array([b"a\xff", b"b", None], pa.binary())
    broken = pa.Array.from_buffers(pa.string(), 3, data.buffers())
    assert encoded(broken) == ["a�", "b", None]


def test_dates_outside_of_four_digit_years_have_a_sign() -> None:
    days = pa.array([0, 2_932_896, 2_932_897, -719_528, -719_529, None, 2**31 - 1, -(2**31)], pa.int32())
    assert encoded(days.cast(pa.date32())) == [
        "1970-01-01",
        "9999-12-31",
        "+10000-01-01",
        "0000-01-01",
        "-0001-12-31",
        None,
        "+5881580-07-11",
        "-5877641-06-23",
    ]


def test_timestamps_have_six_digits_or_three() -> None:
    micros = pa.array([0, 1, 1500, 999_999, -1, None, 253_402_300_800_000_000, 2**62], pa.int64())
    array = micros.cast(pa.timestamp("us"))
    assert encoded(array) == [
        "1970-01-01 00:00:00.000000",
        "1970-01-01 00:00:00.000001",
        "1970-01-01 00:00:00.001500",
        "1970-01-01 00:00:00.999999",
        "1969-12-31 23:59:59.999999",
        None,
        "+10000-01-01 00:00:00.000000",
        "+148108-07-06 14:00:27.387904",
    ]
    assert encoded(array.slice(0, 6), OLD) == [
        "1970-01-01 00:00:00.000",
        "1970-01-01 00:00:00.000",
        "1970-01-01 00:00:00.002",
        "1970-01-01 00:00:01.000",
        "1970-01-01 00:00:00.000",
        None,
    ]


def test_instants_without_a_session_zone_keep_that_of_the_column() -> None:
    instants = pa.array([0], pa.timestamp("us", "Europe/Berlin"))
    assert encoded(instants) == ["1970-01-01 01:00:00.000000 Europe/Berlin"]
    assert encoded(pa.array([0], pa.timestamp("us", "Etc/UTC"))) == ["1970-01-01 00:00:00.000000 UTC"]
    assert encoded(instants, Style("UTC", parametric_datetime=False)) == ["1970-01-01 00:00:00.000 UTC"]


def test_local_mean_time_before_the_zones() -> None:
    instants = pa.array([-3_000_000_000_000_000], pa.timestamp("us", "UTC"))
    assert encoded(instants, Style("America/New_York")) == ["1874-12-07 13:43:58.000000 America/New_York"]


def test_times() -> None:
    array = pa.array([time(23, 59, 59, 999999), time(0), None], pa.time64("us"))
    assert encoded(array) == ["23:59:59.999999", "00:00:00.000000", None]
    assert encoded(array, OLD) == ["00:00:00.000", "00:00:00.000", None]


def test_intervals() -> None:
    durations = [
        timedelta(days=1, hours=2, minutes=3, seconds=4, milliseconds=5),
        -timedelta(days=1, hours=2, minutes=3, seconds=4, milliseconds=5),
        timedelta(microseconds=-5000),
        timedelta(),
        None,
    ]
    array = pa.array(durations, pa.duration("us"))
    assert encoded(array) == ["1 02:03:04.005", "-1 02:03:04.005", "-0 00:00:00.005", "0 00:00:00.000", None]
    assert mapped(array) == durations


def test_intervals_of_months() -> None:
    rows = json.loads(rows_json([_month_batch()], NOW))
    assert rows == [["1-2", [["1-2"]]], ["-1-2", None], ["-0-1", []], ["0-0", []], [None, []]]
    column = {"typeSignature": trino_type(_month_type()).signature}
    mapper = RowMapperFactory().create([column], legacy_primitive_types=False)
    assert mapper.map([["1-2"], ["-0-1"], [None]]) == [
        [relativedelta(years=1, months=2)],
        [relativedelta(months=-1)],
        [None],
    ]


def _month_batch() -> pa.RecordBatch:
    """As Spark's come; pyarrow knows the type, but cannot make an array of it."""
    months = pa.array([14, -14, -1, 0, None], pa.int32())
    offsets = pa.array([0, None, 1, 1, 1, 1], pa.int32())
    lists = pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays([months.slice(0, 1)], ["m"]))
    type_ = _month_type()
    schema = pa.schema([("m", type_), ("l", pa.list_(pa.struct([("m", type_)])))])
    exported = ctypes.create_string_buffer(80)
    pa.record_batch([months, lists], names=["m", "l"])._export_to_c(ctypes.addressof(exported))
    return pa.RecordBatch._import_from_c(ctypes.addressof(exported), schema)


def _month_type() -> pa.DataType:
    exported = ctypes.create_string_buffer(72)
    pa.field("m", pa.int32())._export_to_c(ctypes.addressof(exported))
    letters = ctypes.create_string_buffer(b"tiM")  # the C interface's name of the type
    ctypes.c_void_p.from_buffer(exported).value = ctypes.addressof(letters)
    return pa.Field._import_from_c(ctypes.addressof(exported)).type


@pytest.mark.parametrize("type_", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_binary_is_base64(type_: pa.DataType) -> None:
    assert encoded(pa.array([b"", b"\x00", b"ab", b"abc", None, b"abcd"], type_)) == [
        "",
        "AA==",
        "YWI=",
        "YWJj",
        None,
        "YWJjZA==",
    ]
    assert encoded(pa.array([b"ab", None], pa.binary(2))) == ["YWI=", None]


@pytest.mark.parametrize(("zone", "text"), [("+18:00", "18:00"), ("-18:00", "06:00")])
def test_the_widest_offsets_of_a_zone(zone: str, text: str) -> None:
    day = "1970-01-01" if zone[0] == "+" else "1969-12-31"
    array = pa.array([0], pa.timestamp("us", tz="UTC"))
    assert encoded(array, Style(zone=zone)) == [f"{day} {text}:00.000000 {zone}"]


def test_a_map_without_entries_may_have_keys_without_a_type() -> None:
    maps = pa.MapArray.from_arrays(pa.array([0, 0, None, 0], pa.int32()), pa.nulls(0), pa.nulls(0))
    assert encoded(maps) == [{}, {}, None]
    assert encoded(pa.ListArray.from_arrays(pa.array([0, 1, 3, 3], pa.int32()), maps)) == [
        [{}],
        [{}, None],
        [],
    ]
    assert trino_type(maps.type).text == "map(unknown, unknown)"


def test_keys_of_maps_are_strings() -> None:
    for type_, key, text in [
        (pa.int32(), 1, "1"),
        (pa.bool_(), True, "true"),
        (pa.float64(), 1.0, "1.0"),
        (pa.float64(), math.inf, "Infinity"),
        (pa.decimal128(4, 2), Decimal("1.50"), "1.50"),
        (pa.date32(), date(2020, 1, 2), "2020-01-02"),
        (pa.string(), 'a"', 'a"'),
        (pa.list_(pa.int32()), [1], "[1]"),
    ]:
        assert encoded(pa.array([[(key, 5)], None, []], pa.map_(type_, pa.int64()))) == [{text: 5}, None, {}]


def test_keys_that_are_no_scalars_are_the_texts_of_java() -> None:
    key = pa.struct(
        [("n", pa.int32()), ("l", pa.list_(pa.string())), ("m", pa.map_(pa.string(), pa.bool_()))]
    )
    value = {"n": None, "l": ["a", 'b"c'], "m": [("x", True)]}
    array = pa.array([[(value, 1)]], pa.map_(key, pa.int64()))
    assert encoded(array) == [{'[null, [a, b"c], {x=true}]': 1}]


def test_lists_of_fixed_size_and_dictionaries() -> None:
    assert encoded(pa.array([[1, 2], None], pa.list_(pa.int32(), 2))) == [[1, 2], None]
    assert encoded(pa.array(["a", None, "a"]).dictionary_encode()) == ["a", None, "a"]


def test_nulls_and_rows_without_fields() -> None:
    assert page(pa.nulls(2), pa.array([{}, None], pa.struct([]))) == "[[null,[]],[null,null]]"


def test_a_null_list_may_hide_values() -> None:
    array = pa.ListArray.from_arrays(
        pa.array([0, 2, 4, 5]), pa.array([1, 2, 3, 4, 5]), mask=pa.array([False, True, False])
    )
    assert encoded(array) == [[1, 2], None, [5]]
    assert encoded(array.slice(1)) == [None, [5]]


def test_a_zone_that_arrow_does_not_know_comes_from_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from sqe.frontends.trino.encode import times

    instants = pa.array([0, None, 1_700_000_000_123_456, -(2**62), 2**62], pa.timestamp("us", "UTC"))
    zone = "America/New_York"
    expected = times.local(instants.slice(0, 3), zone)
    assert times._local_by_python(instants, zone).slice(0, 3) == expected
    assert times._local_by_python(instants, "+05:30")[0].as_py() == datetime(1970, 1, 1, 5, 30)  # noqa: DTZ001


def test_what_has_no_form_is_refused() -> None:
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    with pytest.raises(UnsupportedError, match="union"):
        encoded(union)


def test_every_zone_of_python_is_known_to_arrow() -> None:
    instants = pa.array([0], pa.timestamp("us", "UTC"))
    for zone in sorted(zoneinfo.available_timezones() - {"localtime", "Factory"}):
        [text] = encoded(instants, Style(zone))
        assert text.endswith(zone)


def declared(array: pa.Array, type_: str, style: Style = NOW) -> list[Any]:
    """What a plain JSON reader makes of a column whose type Trino's functions have declared."""
    field = pa.field("c", array.type, metadata={TRINO_TYPE_KEY: type_.encode()})
    batch = pa.record_batch([array], schema=pa.schema([field]))
    return [row[0] for row in json.loads(rows_json([batch], style))]


def test_a_declared_type_has_its_own_digits_of_a_second() -> None:
    moment = datetime(2020, 5, 1, 12, 34, 56, 120_000)  # noqa: DTZ001
    stamps = pa.array([moment, None], pa.timestamp("us"))
    assert declared(stamps, "timestamp(2)") == ["2020-05-01 12:34:56.12", None]
    assert declared(stamps, "timestamp(0)") == ["2020-05-01 12:34:56", None]
    assert declared(pa.array([10**9], pa.time64("ns")), "time(3)") == ["00:00:01.000"]
    assert declared(stamps, "timestamp(0)", OLD) == ["2020-05-01 12:34:56.120", None]


def test_a_declared_zone_is_that_of_the_column() -> None:
    moments = pa.array([datetime(2020, 5, 1, 12, tzinfo=UTC)], pa.timestamp("us", tz="UTC"))
    shown = declared(moments, "timestamp(0) with time zone@America/Los_Angeles")
    assert shown == ["2020-05-01 05:00:00 America/Los_Angeles"]
    assert declared(moments, "timestamp(3) with time zone@?") == ["2020-05-01 12:00:00.000 UTC"]


def test_a_declared_type_reaches_into_nested_values() -> None:
    moment = datetime(2020, 5, 1, 12, 34, 56)  # noqa: DTZ001
    lists = pa.array([[moment]], pa.list_(pa.timestamp("us")))
    assert declared(lists, "array(timestamp(1))") == [["2020-05-01 12:34:56.0"]]
    rows = pa.array([{"a": moment, "b": 1}], pa.struct([("a", pa.timestamp("us")), ("b", pa.int32())]))
    assert declared(rows, 'row("a" timestamp(0), "b" integer)') == [["2020-05-01 12:34:56", 1]]
    maps = pa.array([[(moment, moment)]], pa.map_(pa.timestamp("us"), pa.timestamp("us")))
    shown = {"2020-05-01 12:34:56": "2020-05-01 12:34:56.0"}
    assert declared(maps, "map(timestamp(0), timestamp(1))") == [shown]


def test_a_declared_type_that_does_not_fit_is_ignored() -> None:
    assert declared(pa.array([1]), "timestamp(0)") == [1]
    assert declared(pa.array(["x"]), "nonsense(") == ["x"]
