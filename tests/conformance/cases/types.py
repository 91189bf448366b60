"""Every type, with the values at its edges, in Trino's SQL; the expected values are in the form of values.py."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from polars.exceptions import DuplicateError, PanicException
from tests.conformance.case_context import CaseContext
from tests.conformance.cases.case import Case
from tests.conformance.gaps import Gap, never
from tests.conformance.values import Months, difference, real

_CET, _CEST = timezone(timedelta(hours=1)), timezone(timedelta(hours=2))
_AMSTERDAM = ZoneInfo("Europe/Amsterdam")
_FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
_TYPES_OF_NULLS = [
    "boolean",
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "real",
    "double",
    "decimal(10,2)",
    "varchar",
    "varbinary",
    "date",
    "timestamp(6)",
]


_NUMBERS_BESIDE_NULL = {
    "pandas_trino": never(
        "NumPy has no NULL beside numbers: they become floats, and it NaN", raises=AssertionError
    )
}


def type_case(
    name: str,
    title: str,
    type_: str,
    values: Sequence[tuple[str, Any]],
    gaps: Mapping[str, Gap] | None = None,
) -> Case:
    """One column of `values`, each an expression and what it should be. A NULL is always among them."""

    def run(context: CaseContext) -> None:
        rows = ", ".join(
            f"({number}, {expression})" for number, (expression, _) in enumerate([*values, ("NULL", None)])
        )
        found = context.connection.query(f"SELECT n, v FROM (VALUES {rows}) AS t(n, v) ORDER BY n")
        client = context.client
        expected = [
            (number, client.shown_value(value, type_))
            for number, (_, value) in enumerate([*values, ("NULL", None)])
        ]
        assert found.names == ("n", "v")
        assert (problem := difference(found.rows, expected)) is None, problem
        assert found.types[1] == client.shown_type(type_), found.types[1]

    return Case("types", name, title, run, (), gaps or {})


def select_case(
    name: str,
    title: str,
    sql: str,
    columns: Sequence[tuple[str, str]],
    rows: Sequence[tuple[Any, ...]],
    gaps: Mapping[str, Gap] | None = None,
) -> Case:
    """A whole query: names and types of its columns, and its rows."""

    def run(context: CaseContext) -> None:
        found = context.connection.query(sql)
        client = context.client
        expected = [
            tuple(client.shown_value(value, type_) for value, (_, type_) in zip(row, columns, strict=True))
            for row in rows
        ]
        assert found.names == tuple(name for name, _ in columns)
        assert (problem := difference(found.rows, expected)) is None, problem
        assert found.types == tuple(client.shown_type(type_) for _, type_ in columns), found.types

    return Case("types", name, title, run, (), gaps or {})


CASES: tuple[Case, ...] = (
    type_case("boolean", "boolean", "boolean", [("true", True), ("false", False)]),
    type_case(
        "tinyint",
        "tinyint, smallest and largest",
        "tinyint",
        [("CAST(-128 AS tinyint)", -128), ("CAST(127 AS tinyint)", 127)],
        _NUMBERS_BESIDE_NULL,
    ),
    type_case(
        "smallint",
        "smallint, smallest and largest",
        "smallint",
        [("CAST(-32768 AS smallint)", -32768), ("CAST(32767 AS smallint)", 32767)],
        _NUMBERS_BESIDE_NULL,
    ),
    type_case(
        "integer",
        "integer, smallest and largest",
        "integer",
        [("-2147483648", -2147483648), ("0", 0), ("2147483647", 2147483647)],
        _NUMBERS_BESIDE_NULL,
    ),
    type_case(
        "bigint",
        "bigint, smallest and largest",
        "bigint",
        [
            ("CAST(-9223372036854775808 AS bigint)", -(2**63)),
            ("9007199254740993", 2**53 + 1),
            ("9223372036854775807", 2**63 - 1),
        ],
        _NUMBERS_BESIDE_NULL,
    ),
    type_case(
        "real",
        "real: NaN, infinities, -0.0, largest, smallest",
        "real",
        [
            ("REAL '1.5'", 1.5),
            ("REAL '0.1'", real(0.1)),
            ("REAL '-0.0'", -0.0),
            ("REAL '3.4028235E38'", real(3.4028235e38)),
            ("REAL '1.1754944E-38'", real(1.1754944e-38)),
            ("CAST(nan() AS real)", math.nan),
            ("CAST(infinity() AS real)", math.inf),
            ("CAST(-infinity() AS real)", -math.inf),
        ],
        _NUMBERS_BESIDE_NULL,
    ),
    type_case(
        "double",
        "double: NaN, infinities, -0.0, largest, smallest",
        "double",
        [
            ("1E0", 1.0),
            ("0.1E0", 0.1),
            ("DOUBLE '-0.0'", -0.0),
            ("DOUBLE '1.7976931348623157E308'", 1.7976931348623157e308),
            ("DOUBLE '4.9E-324'", 4.9e-324),
            ("nan()", math.nan),
            ("infinity()", math.inf),
            ("-infinity()", -math.inf),
        ],
        _NUMBERS_BESIDE_NULL,
    ),
    type_case(
        "decimal_38_18",
        "decimal(38,18)",
        "decimal(38,18)",
        [
            ("DECIMAL '99999999999999999999.999999999999999999'", Decimal("9" * 20 + "." + "9" * 18)),
            (
                "CAST(DECIMAL '-12345678901234567890.123456789012345678' AS decimal(38,18))",
                Decimal("-12345678901234567890.123456789012345678"),
            ),
            ("CAST(DECIMAL '0.000000000000000001' AS decimal(38,18))", Decimal("0.000000000000000001")),
            ("CAST(0 AS decimal(38,18))", Decimal("0.000000000000000000")),
        ],
    ),
    type_case(
        "decimal_38_0",
        "decimal(38,0)",
        "decimal(38,0)",
        [(f"DECIMAL '{'9' * 38}'", Decimal("9" * 38)), (f"DECIMAL '-{'9' * 38}'", Decimal("-" + "9" * 38))],
    ),
    type_case(
        "decimal_5_2",
        "decimal(5,2), with trailing zeros",
        "decimal(5,2)",
        [("DECIMAL '123.40'", Decimal("123.40")), ("DECIMAL '-000.01'", Decimal("-0.01"))],
    ),
    type_case(
        "varchar",
        "varchar: empty, one byte, quotes, backslashes, control characters",
        "varchar",
        [
            ("''", ""),
            ("'a'", "a"),
            ("' '", " "),
            ("'it''s \"quoted\"'", 'it\'s "quoted"'),
            ("'back\\slash \\n \\'", "back\\slash \\n \\"),
            ("'100% _ ? ${x} {{y}} :z'", "100% _ ? ${x} {{y}} :z"),
            ("'line\nbreak\ttab'", "line\nbreak\ttab"),
            ("'NULL'", "NULL"),
        ],
    ),
    type_case(
        "unicode",
        "varchar: accents composed and not, emoji, right to left, beyond the basic plane",
        "varchar",
        [
            ("'é'", "é"),
            ("'e\u0301'", "e\u0301"),
            (f"'{_FAMILY}'", _FAMILY),
            ("'שלום 你好 Привет'", "שלום 你好 Привет"),
            ("'\U0001d518\U0010ffff'", "\U0001d518\U0010ffff"),
            ("U&'\\00e9\\+01F600'", "é\U0001f600"),
        ],
    ),
    type_case(
        "large_varchar",
        "varchar of two million characters",
        "varchar",
        [("rpad('', 2000000, 'xyz')", ("xyz" * 700_000)[:2_000_000])],
    ),
    type_case(
        "varbinary",
        "varbinary: empty, every kind of byte",
        "varbinary",
        [("X''", b""), ("X'00'", b"\x00"), ("X'00FF0a0D7f80'", b"\x00\xff\n\r\x7f\x80")],
    ),
    type_case(
        "date",
        "date: year 1, both sides of the Gregorian reform, 1970, year 9999",
        "date",
        [
            (f"DATE '{text}'", date.fromisoformat(text))
            for text in (
                "0001-01-01",
                "1582-10-04",
                "1582-10-15",
                "1969-12-31",
                "1970-01-01",
                "2024-02-29",
                "9999-12-31",
            )
        ],
    ),
    type_case(
        "timestamp",
        "timestamp with microseconds: year 1, before 1582, before 1970, year 9999",
        "timestamp(6)",
        [
            (f"TIMESTAMP '{text}'", datetime.fromisoformat(text))
            for text in (
                "0001-01-01 00:00:00.000000",
                "1500-03-01 12:00:00.500000",
                "1969-12-31 23:59:59.999999",
                "2024-02-29 12:34:56.123456",
                "2024-03-31 02:30:00.000001",
                "9999-12-31 23:59:59.999999",
            )
        ],
    ),
    type_case(
        "timestamp_with_time_zone",
        "timestamp with time zone, in several zones and at changes of daylight saving time",
        "timestamp(6) with time zone",
        [
            ("TIMESTAMP '2024-02-29 12:34:56.123456 UTC'", datetime(2024, 2, 29, 12, 34, 56, 123456, UTC)),
            (
                "TIMESTAMP '2024-03-31 01:59:59.999999 Europe/Amsterdam'",
                datetime(2024, 3, 31, 1, 59, 59, 999999, _AMSTERDAM),
            ),
            (
                "TIMESTAMP '2024-03-31 03:00:00 Europe/Amsterdam'",
                datetime(2024, 3, 31, 3, 0, tzinfo=_AMSTERDAM),
            ),
            ("TIMESTAMP '2024-10-27 02:30:00 +02:00'", datetime(2024, 10, 27, 2, 30, tzinfo=_CEST)),
            ("TIMESTAMP '2024-10-27 02:30:00 +01:00'", datetime(2024, 10, 27, 2, 30, tzinfo=_CET)),
            (
                "TIMESTAMP '2024-07-01 12:00:00 America/New_York'",
                datetime(2024, 7, 1, 12, 0, tzinfo=ZoneInfo("America/New_York")),
            ),
            (
                "TIMESTAMP '2024-07-01 12:00:00 Asia/Kolkata'",
                datetime(2024, 7, 1, 12, 0, tzinfo=ZoneInfo("Asia/Kolkata")),
            ),
            ("TIMESTAMP '1969-12-31 23:59:59.999999 UTC'", datetime(1969, 12, 31, 23, 59, 59, 999999, UTC)),
            ("TIMESTAMP '1500-03-01 12:00:00 UTC'", datetime(1500, 3, 1, 12, 0, tzinfo=UTC)),
            ("TIMESTAMP '9999-12-31 23:59:59.999999 UTC'", datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)),
        ],
    ),
    type_case(
        "interval_day_to_second",
        "interval day to second",
        "interval day to second",
        [
            ("INTERVAL '3' DAY", timedelta(days=3)),
            ("INTERVAL '2 03:04:05.678' DAY TO SECOND", timedelta(2, 11045, 678000)),
        ],
    ),
    type_case(
        "interval_year_to_month",
        "interval year to month",
        "interval year to month",
        [("INTERVAL '14' MONTH", Months(14)), ("INTERVAL '3' YEAR", Months(36))],
        {"polars": never("polars has no such type", raises=PanicException)},
    ),
    type_case(
        "array",
        "array: empty, with nulls, of strings",
        "array(integer)",
        [
            ("ARRAY[1, NULL, 3]", [1, None, 3]),
            ("CAST(ARRAY[] AS array(integer))", []),
            ("ARRAY[CAST(NULL AS integer)]", [None]),
        ],
    ),
    type_case(
        "array_of_varchar",
        "array of varchar",
        "array(varchar)",
        [("ARRAY['a', '', NULL, 'it''s \"é\"']", ["a", "", None, 'it\'s "é"'])],
    ),
    type_case(
        "map",
        "map: empty, with nulls",
        "map(varchar, integer)",
        [
            ("MAP(ARRAY['a', 'b'], ARRAY[1, NULL])", {"a": 1, "b": None}),
            ("CAST(MAP() AS map(varchar, integer))", {}),
        ],
    ),
    type_case(
        "map_with_bigint_keys",
        "map with bigint keys",
        "map(bigint, double)",
        [("CAST(MAP(ARRAY[1, 2], ARRAY[0.5E0, 1E0]) AS map(bigint, double))", {1: 0.5, 2: 1.0})],
    ),
    type_case(
        "row",
        "row, with a null field",
        "row(a integer, b varchar)",
        [
            ("CAST(ROW(1, 'x') AS row(a integer, b varchar))", (1, "x")),
            ("CAST(ROW(NULL, '') AS row(a integer, b varchar))", (None, "")),
        ],
    ),
    type_case(
        "nested",
        "arrays of rows of maps of arrays",
        "array(row(a integer, m map(varchar, array(double))))",
        [
            (
                (
                    "CAST(ARRAY[ROW(1, MAP(ARRAY['k'], ARRAY[ARRAY[1.5E0, NULL]])), NULL]"
                    " AS array(row(a integer, m map(varchar, array(double)))))"
                ),
                [(1, {"k": [1.5, None]}), None],
            ),
        ],
    ),
    type_case(
        "array_of_times",
        "dates, timestamps, decimals and bytes inside an array of rows",
        "array(row(d date, t timestamp(6), z timestamp(6) with time zone, n decimal(10,2), b varbinary))",
        [
            (
                (
                    "ARRAY[CAST(ROW(DATE '1582-10-04', TIMESTAMP '2024-02-29 12:34:56.123456',"
                    " TIMESTAMP '2024-02-29 12:34:56.123456 UTC', DECIMAL '1.50', X'00FF') AS row(d date,"
                    " t timestamp(6), z timestamp(6) with time zone, n decimal(10,2), b varbinary))]"
                ),
                [
                    (
                        date(1582, 10, 4),
                        datetime(2024, 2, 29, 12, 34, 56, 123456),  # noqa: DTZ001 - it has none
                        datetime(2024, 2, 29, 12, 34, 56, 123456, UTC),
                        Decimal("1.50"),
                        b"\x00\xff",
                    )
                ],
            ),
        ],
        {
            "flight_jdbc": never(
                "inside of nested values the driver hands out dates and instants as numbers",
                raises=AssertionError,
            ),
            "trino_jdbc": never(
                "inside of nested values the driver hands out a timestamp as an instant in the JVM's zone",
                raises=AssertionError,
            ),
        },
    ),
    select_case("unknown", "NULL without a type", "SELECT NULL AS v", [("v", "unknown")], [(None,)]),
    select_case(
        "all_null",
        "a NULL of every type",
        f"SELECT {', '.join(f'CAST(NULL AS {type_}) AS c{n}' for n, type_ in enumerate(_TYPES_OF_NULLS))}",
        [(f"c{number}", type_) for number, type_ in enumerate(_TYPES_OF_NULLS)],
        [(None,) * len(_TYPES_OF_NULLS)],
    ),
    select_case(
        "names",
        "columns with odd names",
        'SELECT 1 AS "a b", 2 AS "Ünïcode.☃", 3 AS "UPPER", 4 AS "quo""te", 5 AS "back`tick"',
        [
            ("a b", "integer"),
            ("Ünïcode.☃", "integer"),
            ("UPPER", "integer"),
            ('quo"te', "integer"),
            ("back`tick", "integer"),
        ],
        [(1, 2, 3, 4, 5)],
    ),
    select_case(
        "same_names",
        "two columns of one name",
        "SELECT 1 AS x, 2 AS x",
        [("x", "integer"), ("x", "integer")],
        [(1, 2)],
        {
            "pandas_adbc": never(
                "Arrow makes no pandas frame with two columns of one name", raises=ValueError
            ),
            "polars": never("a frame has no two columns of one name", raises=DuplicateError),
        },
    ),
    select_case(
        "wide",
        "500 columns",
        f"SELECT {', '.join(f'{number} AS c{number}' for number in range(500))}",
        [(f"c{number}", "integer") for number in range(500)],
        [tuple(range(500))],
    ),
)
