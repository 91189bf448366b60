"""Queries on edge values for the forms that the benchmark suites need, of Spark's functions and of Trino's.

Trino's functions have the names under which the engine knows them: `trino_round` is `round` at the Trino front end. The
local executor runs each query of `CASES`; Spark runs each of `LEFT_TO_SPARK` again, because DuckDB refuses a value.
"""

from __future__ import annotations

SCHEMA = "lake.coverage"

_FINITE = (
    *(
        "0.0",
        "-0.0",
        "1.005",
        "-1.005",
        "2.5",
        "-2.5",
        "0.5",
        "-0.5",
        "1.5",
        "0.285",
        "1.255",
        "2.675",
        "-2.675",
    ),
    *(
        "0.045",
        "1e-7",
        "-0.001",
        "0.004999999999999999",
        "0.005",
        "4.9e-324",
        "0.30000000000000004",
        "1234567.125",
    ),
    *(
        "123456789012345.67",
        "-99999999999999.95",
        "0.49999999999999994",
        "9007199254740992",
        "9007199254740994",
    ),
    *("1e17", "-1.5e18", "33.333333333333336", "100", "99.995"),
)
_ODD = ("NaN", "Infinity", "-Infinity", "1.7976931348623157e308", "-1e300")
_DECIMALS = (
    "0",
    "0.005",
    "-0.005",
    "0.015",
    "2.5",
    "-2.5",
    "1.005",
    "99.999",
    "-99.995",
    "12345.678",
    "-0.001",
    "1",
)
_TEXTS = (
    *(
        "",
        " ",
        "a",
        "ab",
        "abc",
        "hello world",
        "Grüße",
        "日本語",
        "a😀b",
        "😀",
        "e\\u0301a",
        "  b  ",
        "x%y_z",
    ),
    *("https://www.example.com/path/a", "http://example.com/", "https://example.com", "ftp://example.com/x"),
    *("https://a.b/c?d=e&f=/g", "https://www./x", "http:///x", " https://example.com/", "https://é.com/à"),
)
_DAYS = (
    "0001-01-01",
    "1582-10-04",
    "1582-10-15",
    "1900-02-28",
    "1969-12-31",
    "1970-01-01",
    "2000-02-29",
    "2020-12-31",
)
_DAYS_AFTER = ("2021-01-01", "2021-01-03", "2024-02-29", "2024-12-30", "2026-11-18", "9999-12-31")
_MOMENTS = (
    "1969-12-31 23:59:59.999999",
    "1970-01-01 00:00:00",
    "2000-02-29 12:34:56.789012",
    "2024-12-30 00:00:00",
)


def _values(values: tuple[str, ...], type_name: str) -> str:
    return ", ".join(
        [*(f"(CAST('{value}' AS {type_name}))" for value in values), f"(CAST(NULL AS {type_name}))"]
    )


def _table(name: str, columns: str, values: str) -> str:
    return f"CREATE TABLE {SCHEMA}.{name} AS SELECT {columns} FROM (VALUES {values}) AS v(v)"


TABLES = (
    f"CREATE SCHEMA {SCHEMA}",
    _table("finite", "v AS d, CAST(v AS FLOAT) AS f", _values(_FINITE, "DOUBLE")),
    _table("odd", "v AS d, CAST(v AS FLOAT) AS f", _values((*_ODD, "1", "-1.5", "0", "-0.0"), "DOUBLE")),
    (
        f"CREATE TABLE {SCHEMA}.pairs AS SELECT a.d AS d, b.d AS e, a.f AS f, b.f AS g "
        f"FROM {SCHEMA}.odd a CROSS JOIN {SCHEMA}.odd b"
    ),
    _table(
        "decimals",
        "CAST(v AS DECIMAL(8,3)) AS s, CAST(v AS DECIMAL(17,3)) AS m, CAST(v AS DECIMAL(38,3)) AS l, "
        "CAST(v AS DECIMAL(38,10)) AS x, CAST(CAST(v AS DECIMAL(8,0)) AS BIGINT) AS i",
        _values(_DECIMALS, "DECIMAL(20,3)"),
    ),
    _table(
        "units",
        "v AS u",
        _values(("9007199254740993.01", "-9007199254740993.99", "0.01", "70"), "DECIMAL(18,2)"),
    ),
    (
        f"CREATE TABLE {SCHEMA}.many AS SELECT id % 37 AS k, "
        "CAST((id * 7919 % 100003 - 50000) / 100BD AS DECIMAL(15,2)) AS a, "
        "CAST((id * 104729 % 1009 - 500) / 1000BD AS DECIMAL(12,3)) AS b, "
        "CAST(id * 99999999999999.99BD AS DECIMAL(30,2)) AS c FROM range(0, 2000, 1, 1)"
    ),
    _table("texts", "v AS t", _values(_TEXTS, "STRING")),
    _table("words", "v AS t", _values(("", "a", "Ab C", "XYZ0_", "z"), "STRING")),
    _table("numerals", "v AS t", _values(("0", "-1", "+7", "007", "123456789"), "STRING")),
    _table("dates", "v AS d", _values((*_DAYS, *_DAYS_AFTER), "DATE")),
    _table("moments", "v AS n, CAST(v AS TIMESTAMP) AS t", _values(_MOMENTS, "TIMESTAMP_NTZ")),
    _table("date_texts", "v AS t", _values(("2024-02-29", "0001-01-01", "9999-12-31"), "STRING")),
    (
        f"CREATE TABLE {SCHEMA}.groups AS SELECT * FROM (VALUES (1, 1.5D, 2.0D), (1, 2.5D, 1.0D), (1, 4.0D, 7.5D), "
        "(2, NULL, 1.0D), (3, NULL, NULL), (4, 1.0D, 2.0D), (4, 3.0D, NULL), (4, 2.0D, 5.0D)) AS v(k, a, b)"
    ),
)


def _of(table: str, *expressions: str) -> str:
    return f"SELECT {', '.join(expressions)} FROM {SCHEMA}.{table}"


_FIELDS = ("year", "quarter", "month", "week", "day", "day_of_week", "day_of_year", "year_of_week")
_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
_URL = "^https?://(?:www[.])?([^/]+)/.*$"

CASES = (
    # division
    _of("decimals", "m / nullif(s, 0)", "s / nullif(m, 0)", "l / nullif(s, 0)", "x / 3", "s / -7", "i / 3BD"),
    _of("many", "a / nullif(b, 0)", "b / nullif(a, 0)", "a / -3", "a / 7.5", "a / nullif(b, 0) / 3"),
    _of("many", "c / nullif(a, 0)", "c / nullif(c, 0)"),
    f"SELECT k, avg(a), avg(b), avg(c), sum(a) / sum(b), sum(c) / count(*) FROM {SCHEMA}.many GROUP BY k",
    (
        "SELECT k, a, avg(a) OVER (PARTITION BY k), avg(c) OVER (PARTITION BY k ORDER BY a, b, c ROWS 3 PRECEDING), "
        f"a * 100 / sum(a) OVER (PARTITION BY k), rank() OVER (PARTITION BY k ORDER BY a) FROM {SCHEMA}.many"
    ),
    f"SELECT avg(s), avg(m), avg(l), avg(x), avg(i) FROM {SCHEMA}.decimals",
    # round, floor, ceil
    _of("finite", "d", *(f"round(d, {places})" for places in range(6)), "round(d)"),
    _of("finite WHERE abs(d) < 1e9", "d", *(f"round(d, {places})" for places in range(6, 11))),
    _of("odd", "d", "round(d, 2)"),
    _of("decimals", *(f"round({column}, {places})" for column in "smlx" for places in range(5))),
    _of(
        "decimals",
        "round(i, 2)",
        "round(s)",
        "floor(s)",
        "ceil(s)",
        "floor(m)",
        "ceil(l)",
        "floor(i)",
        "ceil(x)",
    ),
    _of("finite", "floor(d)", "ceil(d)"),
    # bits, as grouping() has them
    _of(
        "decimals",
        "i & 5",
        "i | 8L",
        "shiftright(i, 1)",
        "shiftright(i, 63)",
        "shiftright(CAST(i AS INT), 31)",
    ),
    f"SELECT grouping(s), grouping(i), grouping_id(s, i), s, i, count(*) FROM {SCHEMA}.decimals GROUP BY ROLLUP (s, i)",
    f"SELECT grouping(s), s, i, sum(m) FROM {SCHEMA}.decimals GROUP BY GROUPING SETS ((s, i), (i), ())",
    # timestamps in UTC
    _of("moments", "CAST(n AS TIMESTAMP)", "CAST(t AS TIMESTAMP_NTZ)", "date_trunc('MINUTE', n)", "n < t"),
    # texts
    *(
        _of("texts", "t", *(f"substring(t, {start}, {length})" for start in (-9, -3, -1, 0, 1, 2, 9)))
        for length in (-1, 0, 1, 3, 2147483647)
    ),
    _of(
        "texts", "substring(t, length(t) - 2, 2)", "substring(t, 2 - length(t), length(t) - 1)", "right(t, 2)"
    ),
    _of("texts", "substring(t, CAST(NULL AS INT), 2)", "substring(t, nullif(length(t), 3), 2)", "left(t, 2)"),
    _of("texts", "substring(t, 2, nullif(length(t), 3))", "substring(t, 2147483647, length(t))"),
    _of(
        "texts",
        "t LIKE 'x\\\\%y\\\\_z'",
        "t LIKE 'x!%%!__' ESCAPE '!'",
        "t LIKE '_'",
        "t LIKE '%o%w%'",
        "t NOT LIKE ''",
    ),
    _of("texts", "instr(t, 'b')", "instr(t, '')", "instr(t, t)", "position('本' IN t)", "locate('😀', t)"),
    _of("texts", "replace(t, 'a', 'xy')", "replace(t, '', 'x')", "replace(t, '😀')", "replace(t, t, 'z')"),
    _of(
        "texts",
        "trino_replace(t, 'a', 'xy')",
        "trino_replace(t, '本')",
        "trino_strpos(t, 'b')",
        "trino_strpos(t, '')",
    ),
    _of("texts", "trino_like(t, 'x!%y!_z', '!')", "trino_like(t, '%/')"),
    # regular expressions
    _of("texts", f"regexp_replace(t, '{_URL}', '$1')", f"regexp_replace(t, '{_URL}', '')"),
    _of("texts", "regexp_replace(t, '^[a-z]+', '<$0>')", "regexp_replace(t, '^(.)(.?)', '$2$1')"),
    _of("texts", f"trino_regexp_replace(t, '{_URL}', '$1')", "trino_regexp_replace(t, '^[^ ]* ?', '-')"),
    # Trino's numbers
    _of(
        "finite WHERE abs(d) < 1e15",
        "d",
        *(f"trino_round(d, {places})" for places in range(3)),
        "trino_round(d)",
    ),
    _of("odd", "trino_floor(d)", "trino_ceil(d)", "trino_floor(f)", "trino_ceil(f)"),
    _of("finite", "trino_floor(d)", "trino_ceil(d)"),
    _of("decimals", *(f"trino_round({column}, {places})" for column in "smlx" for places in range(4))),
    _of(
        "decimals",
        *(f"{name}({column})" for name in ("trino_round", "trino_floor", "trino_ceil") for column in "smlx"),
    ),
    _of("pairs", "trino_divide(d, e)", "trino_divide(f, g)"),
    _of(
        "pairs",
        *(f"trino_{name}(d, e)" for name in _COMPARED),
        *(f"trino_{name}(f, g)" for name in _COMPARED),
    ),
    _of(
        "pairs",
        *(f"NOT trino_{name}(d, e)" for name in _COMPARED),
        "trino_between(d, e, 1e0)",
        "trino_in(d, e, 1e0)",
    ),
    _of(
        "decimals",
        "trino_divide(s, 3)",
        "trino_divide(m, 0.7)",
        "trino_divide(l, CAST(7 AS DECIMAL(3,2)))",
        "trino_divide(1, 3)",
    ),
    _of(
        "decimals",
        "trino_multiply(m, l)",
        "trino_multiply(l, 1.5)",
        "trino_add(l, x)",
        "trino_subtract(x, l)",
        "trino_add(l, l)",
    ),
    _of("decimals", *(f"trino_cast({column}, 'double')" for column in "smlx"), "trino_divide(l, 3e0)"),
    _of("units", "trino_cast(u, 'double')", "CAST(u AS DOUBLE)"),
    _of("finite WHERE abs(d) < 1e9", "trino_cast(d, 'integer')", "trino_cast(d, 'bigint')"),
    _of("numerals", "trino_cast(t, 'integer')", "trino_cast(t, 'bigint')"),
    _of("date_texts", "trino_cast(t, 'date')"),
    # Trino's aggregates
    f"SELECT {', '.join(f'trino_avg({c}), trino_sum({c})' for c in 'smlxi')} FROM {SCHEMA}.decimals",
    (
        f"SELECT i, {', '.join(f'trino_avg({c}), trino_sum({c}), count(DISTINCT {c})' for c in 'smlx')} "
        f"FROM {SCHEMA}.decimals GROUP BY i"
    ),
    f"SELECT trino_max(d), trino_min(d), trino_max(f), trino_min(f) FROM {SCHEMA}.odd",
    f"SELECT isnan(d), trino_max(d), trino_min(d), trino_max(f) FROM {SCHEMA}.odd GROUP BY isnan(d)",
    f"SELECT trino_avg(s) OVER (ORDER BY m ROWS 2 PRECEDING), s FROM {SCHEMA}.decimals WHERE s IS NOT NULL",
    f"SELECT k, corr(a, b) FROM {SCHEMA}.groups GROUP BY k",
    # Trino's dates
    _of("dates", *(f"trino_{field}(d)" for field in _FIELDS)),
    _of("moments", *(f"trino_{field}(n)" for field in (*_FIELDS, "hour", "minute", "second"))),
    _of("dates", *(f"trino_date_trunc('{unit}', d)" for unit in ("day", "week", "month", "quarter", "year"))),
    _of(
        "moments",
        *(f"trino_date_trunc('{unit}', n)" for unit in ("second", "minute", "hour", "week", "quarter")),
    ),
    _of(
        "dates WHERE d < DATE '9000-01-01'",
        "trino_add(d, INTERVAL '30' DAY)",
        "trino_subtract(d, INTERVAL '1' DAY)",
    ),
    # Trino's texts
    *(
        _of(
            "texts",
            "t",
            *(f"trino_substr(t, {start}, {length})" for length in (-1, 0, 1, 2, 100)),
            f"trino_substr(t, {start})",
        )
        for start in (-9, -3, -2, -1, 0, 1, 2, 3, 50)
    ),
    _of("words", "trino_lower(t)", "trino_upper(t)", "lower(t)", "upper(t)"),
)

LEFT_TO_SPARK = (
    "SELECT round(d, 1) FROM (SELECT d * 5e14 AS d FROM lake.coverage.finite WHERE d = 2.5)",
    "SELECT floor(d) FROM lake.coverage.odd WHERE isnan(d)",
    "SELECT trino_lower(t) FROM lake.coverage.texts",
    "SELECT trino_cast(concat(' ', t), 'integer') FROM lake.coverage.numerals",
    "SELECT trino_regexp_replace(concat(t, '\\n'), '^a.*$', '') FROM lake.coverage.words",
    "SELECT corr(a, b) FROM lake.coverage.groups WHERE k = 2 OR k = 1 AND a = 1.5",
)
