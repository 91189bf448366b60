from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from sqe.errors import CastError, Position, SqeError, SqlSyntaxError, UnsupportedError
from sqe.sql.session_statement import Argument
from sqe.sql.trino.literals import value

UTC = pa.timestamp("us", tz="UTC")


@pytest.mark.parametrize(
    ("text", "type_", "expected"),
    [
        ("1", pa.int32(), 1),
        ("-1", pa.int32(), -1),
        ("+ 1", pa.int32(), 1),
        ("(1)", pa.int32(), 1),
        ("2147483648", pa.int64(), 2147483648),
        ("-2147483648", pa.int32(), -2147483648),
        ("1_000", pa.int32(), 1000),
        ("1.5", pa.decimal128(2, 1), Decimal("1.5")),
        ("-0.50", pa.decimal128(2, 2), Decimal("-0.50")),
        ("1e0", pa.float64(), 1.0),
        ("TRUE", pa.bool_(), True),
        ("NULL", pa.null(), None),
        ("'it''s \\n'", pa.string(), "it's \\n"),
        ("U&'\\00e9'", pa.string(), "é"),
        ("X'0aFF'", pa.binary(), b"\n\xff"),
        ("DATE '2020-02-29'", pa.date32(), dt.date(2020, 2, 29)),
        ("TIME '10:11:12.5'", pa.time64("us"), dt.time(10, 11, 12, 500000)),
        ("TIMESTAMP '2020-01-01'", pa.timestamp("us"), dt.datetime(2020, 1, 1)),  # noqa: DTZ001
        ("TIMESTAMP '2020-01-01 10:00 +02:00'", UTC, dt.datetime(2020, 1, 1, 8, tzinfo=dt.UTC)),
        (
            "TIMESTAMP '2020-07-01 10:00:00.000001 Europe/Amsterdam'",
            UTC,
            dt.datetime(2020, 7, 1, 8, 0, 0, 1, dt.UTC),
        ),
        ("TIMESTAMP '2020-01-01 10:00:00 UTC'", UTC, dt.datetime(2020, 1, 1, 10, tzinfo=dt.UTC)),
        ("DECIMAL '001.50'", pa.decimal128(3, 2), Decimal("1.50")),
        ("DOUBLE '1.5'", pa.float64(), 1.5),
        ("REAL '1.5'", pa.float32(), 1.5),
        ("BIGINT '5'", pa.int64(), 5),
        ("BOOLEAN 'false'", pa.bool_(), False),
        ("VARCHAR 'a'", pa.string(), "a"),
        ("UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", pa.string(), "12151fd2-7586-11e9-8f9e-2a86e4085a59"),
        ("INTERVAL '2' DAY", pa.duration("us"), dt.timedelta(days=2)),
        ("INTERVAL -'1.5' SECOND", pa.duration("us"), dt.timedelta(seconds=-1.5)),
        ("INTERVAL '2' YEAR", pa.month_day_nano_interval(), (24, 0, 0)),
        ("CAST(NULL AS varchar(10))", pa.string(), None),
        ("CAST('2020-01-01' AS date)", pa.date32(), dt.date(2020, 1, 1)),
        ("CAST(1 AS decimal(10, 2))", pa.decimal128(10, 2), Decimal("1.00")),
        ("CAST(1 AS double precision)", pa.float64(), 1.0),
        (
            "CAST('2020-01-01 00:00:00 UTC' AS timestamp(3) with time zone)",
            UTC,
            dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
        ),
        ("CAST(ARRAY[1] AS array(bigint))", pa.list_(pa.int64()), [1]),
        ("ARRAY[1, NULL, 3000000000]", pa.list_(pa.int64()), [1, None, 3000000000]),
        ("ARRAY[]", pa.list_(pa.null()), []),
        ("ARRAY[ARRAY['a'], ARRAY[]]", pa.list_(pa.list_(pa.string())), [["a"], []]),
        ("MAP(ARRAY['a'], ARRAY[1])", pa.map_(pa.string(), pa.int32()), [("a", 1)]),
        ("-DOUBLE '1.5'", pa.float64(), -1.5),
        ("infinity()", pa.float64(), math.inf),
        ("-infinity()", pa.float64(), -math.inf),
    ],
)
def test_value(text: str, type_: pa.DataType, expected: Any) -> None:
    found = value(Argument(text, Position(1, 1)))
    assert found.type == type_
    assert found.as_py() == expected


def test_nan() -> None:
    assert math.isnan(value(Argument("nan()", Position(1, 1))).as_py())


def test_rows() -> None:
    found = value(Argument("ROW(1, 'a', ROW(true))", Position(1, 1)))
    assert found.as_py() == {"col1": 1, "col2": "a", "col3": {"col1": True}}
    named = value(Argument("CAST(ROW(1, 'a') AS row(x bigint, \"y z\" varchar))", Position(1, 1)))
    assert named.type == pa.struct([("x", pa.int64()), ("y z", pa.string())])
    assert named.as_py() == {"x": 1, "y z": "a"}


@pytest.mark.parametrize(
    ("text", "error", "column"),
    [
        ("x", UnsupportedError, 10),
        ("1 + 1", UnsupportedError, 12),
        ("f(1)", UnsupportedError, 10),
        ("current_date", UnsupportedError, 10),
        ("(SELECT 1)", UnsupportedError, 11),
        ("?", UnsupportedError, 10),
        ("ARRAY[x]", UnsupportedError, 16),
        ("-'a'", UnsupportedError, 14),
        ("99999999999999999999", UnsupportedError, 10),
        ("CAST(1 AS frob)", UnsupportedError, 20),
        ("DATE '2020-13-01'", CastError, 10),
        ("DECIMAL 'x'", CastError, 10),
        ("X'0'", CastError, 10),
        ("TIMESTAMP '2020-01-01 00:00:00 Nowhere/City'", CastError, 10),
        ("TIME '10:00:00.1234567'", CastError, 10),
        ("ARRAY[1, 'a']", CastError, 15),
        ("MAP(ARRAY[1], ARRAY[])", CastError, 13),
        ("MAP(ARRAY[], ARRAY[])", UnsupportedError, 31),
        ("MAP(ARRAY[1, NULL], ARRAY[1, 2])", UnsupportedError, 42),
        ("MAP(CAST(NULL AS array(bigint)), ARRAY[1])", UnsupportedError, 52),
        ("MAP(ARRAY[1], CAST(NULL AS array(bigint)))", UnsupportedError, 52),
        ("(1", SqlSyntaxError, 12),
    ],
)
def test_refused_with_its_place(text: str, error: type[SqeError], column: int) -> None:
    with pytest.raises(error) as caught:
        value(Argument(text, Position(3, 10)))
    assert caught.value.position == Position(3, column)


def test_place_on_a_later_line() -> None:
    with pytest.raises(UnsupportedError) as caught:
        value(Argument("ARRAY[1,\n  x]", Position(2, 5)))
    assert caught.value.position == Position(3, 3)
