"""Queries on edge values: operators, joins, aggregates and windows, for every form that the renderer has of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.executor.edge_tables import DECIMALS, SCHEMA, VALUES

_FEW = 7  # a number that has no factor in common with that of the types


@dataclass(frozen=True)
class Query:
    """A query that the local executor has to run, and what it is an example of."""

    forms: tuple[str, ...]
    sql: str
    ordered: bool = False
    tolerance: float | None = None
    zone: str = "UTC"


def queries(*, at_length: bool = True) -> Iterator[Query]:
    """Return all queries, or each of those that are for every type with a few types only."""
    for place, table in enumerate(VALUES):
        for number, query in enumerate(_of_every_type(f"{SCHEMA}.{table}")):
            if at_length or table == "doubles" or (place + number) % _FEW == 0:
                yield query
    yield from _aggregates()
    yield from _windows()
    yield from _joins()
    yield from _operators()


def _of_every_type(t: str) -> Iterator[Query]:
    yield Query(("Aggregate", "Count"), f"SELECT count(*), count(a), count(DISTINCT a) FROM {t}")
    yield Query(("Count",), f"SELECT count(DISTINCT a, b), count(a, b) FROM {t} WHERE id % 3 <> 0")
    yield Query(
        ("Aggregate", "Min", "Max", "NormalizeNaNAndZero"),
        f"SELECT a, count(*), min(b), max(b), count(b), count(DISTINCT b) FROM {t} GROUP BY a",
    )
    yield Query(("Aggregate",), f"SELECT DISTINCT a FROM {t}")
    yield Query(("Min", "Max"), f"SELECT min(a), max(a) FROM {t} WHERE id > 20")
    yield Query(("Min", "Max"), f"SELECT min(a), max(a), count(*) FROM {t} WHERE id < 0 AND a = b")
    for order in ("ASC", "DESC", "ASC NULLS LAST", "DESC NULLS FIRST"):
        yield Query(("Sort",), f"SELECT a, b, id FROM {t} ORDER BY a {order}, b {order}, id", ordered=True)
    yield Query(
        ("Sort", "GlobalLimit", "LocalLimit", "Offset"),
        f"SELECT a, id FROM {t} ORDER BY a DESC, id LIMIT 7 OFFSET 3",
        ordered=True,
    )
    yield Query(
        ("Inner", "Join"), f"SELECT x.id, y.id, x.a FROM {t} x JOIN {t} y ON x.a = y.b AND x.id < y.id"
    )
    few = f"(SELECT DISTINCT a FROM {t} WHERE id % 5 <> 0)"
    other = f"(SELECT DISTINCT b FROM {t} WHERE id % 7 < 4)"
    for kind, form in (
        *(("LEFT", "LeftOuter"), ("RIGHT", "RightOuter"), ("FULL", "FullOuter")),
        *(("LEFT SEMI", "LeftSemi"), ("LEFT ANTI", "LeftAnti")),
    ):
        columns = "x.a" if "SEMI" in kind or "ANTI" in kind else "x.a, y.b"
        yield Query(
            (form, "KnownFloatingPointNormalized"),
            f"SELECT {columns} FROM {few} x {kind} JOIN {other} y ON x.a = y.b",
        )
        yield Query((form,), f"SELECT {columns} FROM {few} x {kind} JOIN {other} y ON x.a <=> y.b")
        yield Query((form,), f"SELECT {columns} FROM {few} x {kind} JOIN {other} y ON x.a < y.b")
    if t not in (f"{SCHEMA}.floats", f"{SCHEMA}.doubles"):  # Spark tells -0.0 from 0.0 there
        yield Query(
            ("LeftAnti",),
            f"SELECT id FROM {t} WHERE a NOT IN (SELECT b FROM {t} WHERE id % 4 = 1 AND b IS NOT NULL)",
        )
        yield Query(("LeftAnti",), f"SELECT id FROM {t} WHERE a NOT IN (SELECT b FROM {t} WHERE id < 6)")
    yield Query(("LeftSemi",), f"SELECT id, a FROM {t} WHERE a IN (SELECT b FROM {t} WHERE id % 4 = 1)")
    yield Query(
        ("ExistenceJoin",),
        f"SELECT id, a FROM {t} WHERE a IN (SELECT b FROM {t} WHERE id % 9 = 1) OR id % 2 = 0",
    )
    yield Query(("Union",), f"SELECT a FROM {t} WHERE id < 9 UNION SELECT b FROM {t} WHERE id > 4")
    yield Query(("Union",), f"SELECT a FROM {t} WHERE id < 9 UNION ALL SELECT b FROM {t} WHERE id > 4")
    yield Query(("Aggregate",), f"SELECT a FROM {t} INTERSECT SELECT b FROM {t} WHERE id % 3 = 1")
    yield Query(("Aggregate",), f"SELECT a FROM {t} EXCEPT SELECT b FROM {t} WHERE id % 3 = 1")
    yield Query(
        ("Window", "RowNumber", "Rank", "DenseRank"),
        f"SELECT id, row_number() OVER (ORDER BY a, id), rank() OVER (ORDER BY a), dense_rank() OVER (ORDER BY a DESC)"
        f" FROM {t}",
    )
    yield Query(
        ("Lag", "Lead", "FrameLessOffsetWindowFunction"),
        f"SELECT id, lag(a) OVER (ORDER BY id), lead(a, 2, b) OVER (PARTITION BY b ORDER BY id),"
        f" lag(b, 3, a) OVER (PARTITION BY a ORDER BY id) FROM {t}",
    )
    yield Query(
        ("AggregateExpression",),
        f"SELECT id, min(b) OVER (PARTITION BY a ORDER BY id), max(a) OVER (ORDER BY b, id ROWS BETWEEN 3 PRECEDING AND"
        f" 1 FOLLOWING), count(a) OVER (ORDER BY a) FROM {t}",
    )
    yield Query(
        ("LocalRelation",),
        f"SELECT id, x.b FROM {t} x JOIN VALUES (1, 2L), (3, NULL), (9, 4L) AS v(k, w) ON x.id = v.k",
    )


def _aggregates() -> Iterator[Query]:
    ints, longs, floats, doubles = (f"{SCHEMA}.{name}" for name in ("ints", "longs", "floats", "doubles"))
    yield Query(
        ("Sum", "Average"),
        f"SELECT a, sum(b), avg(b), avg(DISTINCT b), sum(DISTINCT b) FROM {ints} GROUP BY a",
    )
    yield Query(("Average",), f"SELECT avg(a), avg(b) FROM {longs} WHERE a > 0 AND b < 0", tolerance=1e-12)
    yield Query(
        ("Sum",), f"SELECT sum(a) FROM {longs} WHERE a BETWEEN -9007199254740993 AND 9007199254740993"
    )
    for table in (floats, doubles):
        some = "b BETWEEN -1000000 AND 1000000"
        every = ", ".join(
            f"{name}(b)" for name in ("sum", "avg", "stddev_samp", "stddev_pop", "var_samp", "var_pop")
        )
        forms = ("Sum", "Average", "StddevSamp", "StddevPop", "VarianceSamp", "VariancePop")
        yield Query(forms, f"SELECT a, {every} FROM {table} WHERE {some} GROUP BY a", tolerance=1e-9)
        yield Query(forms, f"SELECT {every} FROM {table} WHERE {some} AND a = 1", tolerance=1e-9)
        yield Query(
            ("StddevSamp",),
            f"SELECT b, stddev(b), var_pop(b), variance(b) FROM {table} WHERE {some} GROUP BY b",
            tolerance=1e-9,
        )
        yield Query(
            ("StddevSamp",), f"SELECT stddev(a), var_pop(a) FROM {table} WHERE id = 40", tolerance=1e-9
        )
        yield Query(
            ("Sum", "Average"),
            f"SELECT a, sum(b), avg(b), sum(DISTINCT a) FROM {table} GROUP BY a",
            tolerance=1e-9,
        )
    for name in DECIMALS:
        table = f"{SCHEMA}.{name}"
        yield Query(
            ("Sum", "Average"),
            f"SELECT a, avg(b), sum(b), count(b) FROM {table} WHERE abs(CAST(b AS DOUBLE)) < 1e15 GROUP BY a",
        )
        if name != "dec_38_18":  # whose averages have more than 38 digits on the way
            yield Query(
                ("Sum", "Average"),
                f"SELECT avg(a), sum(a), avg(DISTINCT b) FROM {table}"
                " WHERE CAST(a AS DOUBLE) < 1000 AND CAST(a AS DOUBLE) > -1000 AND b > 0 AND CAST(b AS DOUBLE) < 1e9",
            )
            yield Query(
                ("Sum", "Average"),
                f"SELECT id, sum(b) OVER (PARTITION BY a ORDER BY id), avg(b) OVER (ORDER BY id)"
                f" FROM {table} WHERE abs(CAST(b AS DOUBLE)) < 1e15",
            )
    booleans = f"{SCHEMA}.booleans"
    yield Query(
        ("BoolAnd", "BoolOr"),
        f"SELECT a, bool_and(b), bool_or(b), every(a), any(b) FROM {booleans} GROUP BY a",
    )
    yield Query(
        ("BoolAnd", "BoolOr"), f"SELECT bool_and(b), bool_or(b) FROM {booleans} WHERE id > 100 + abs(id)"
    )
    yield Query(
        ("First", "Expand"),
        f"SELECT a, count(DISTINCT b), sum(b), count(DISTINCT id % 3), max(id) FILTER (WHERE b > 1)"
        f" FROM {ints} GROUP BY a",
    )
    yield Query(
        ("First", "Expand"), f"SELECT count(DISTINCT a), count(DISTINCT b), min(a), sum(id) FROM {doubles}"
    )
    yield Query(
        ("Aggregate",), f"SELECT sum(b) FILTER (WHERE a > 0), count(*) FILTER (WHERE b IS NULL) FROM {ints}"
    )
    for sets in ("ROLLUP (a, b)", "CUBE (a, b)", "GROUPING SETS ((a), (b), (), (a, b))"):
        yield Query(
            ("Expand",), f"SELECT a, b, grouping_id(a, b), count(*), sum(id) FROM {ints} GROUP BY {sets}"
        )
        yield Query(("Expand",), f"SELECT a, b, count(*), sum(id) FROM {doubles} GROUP BY {sets}")
    yield Query(
        ("Aggregate",),
        f"SELECT a + 1D, a * 2, count(*) FROM {doubles} GROUP BY a HAVING count(b) > 3 OR a IS NULL",
    )


def _windows() -> Iterator[Query]:
    t = f"{SCHEMA}.ints"
    every = "SELECT id, {} FROM " + t
    for form, call in (
        *(
            ("PercentRank", "percent_rank()"),
            ("CumeDist", "cume_dist()"),
            ("NTile", "ntile(7)"),
            ("NTile", "ntile(200)"),
        ),
        *(("RowNumber", "row_number()"), ("Rank", "rank()")),
    ):
        order = "a, id" if form in {"NTile", "RowNumber"} else "a"
        yield Query(
            (form,),
            every.format(f"{call} OVER (PARTITION BY b ORDER BY {order}), {call} OVER (ORDER BY {order})"),
        )
    for frame in (
        *(
            "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
            "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
        ),
        *(
            "ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING",
            "ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
            "ROWS 2 PRECEDING",
        ),
        "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
    ):
        order = "a" if frame.startswith("RANGE") else "a, id"
        over = f"OVER (PARTITION BY b ORDER BY {order} {frame})"
        yield Query(
            ("AggregateExpression",),
            every.format(f"sum(a) {over}, avg(a) {over}, count(*) {over}, max(id) {over}"),
        )
    yield Query(
        ("WindowGroupLimit",),
        f"SELECT id, n FROM (SELECT id, rank() OVER (PARTITION BY a ORDER BY b) AS n FROM {t}) WHERE n <= 2",
    )
    yield Query(("Window",), every.format("sum(id) OVER (PARTITION BY a) - id"))


def _joins() -> Iterator[Query]:
    ints, longs = f"{SCHEMA}.ints", f"{SCHEMA}.longs"
    yield Query(("Cross",), f"SELECT count(*), sum(x.id - y.id) FROM {ints} x CROSS JOIN {longs} y")
    yield Query(("Inner",), f"SELECT x.id, y.id FROM {ints} x JOIN {longs} y ON x.a = y.b AND x.b + 1L > y.a")
    yield Query(
        ("LeftOuter",),
        f"SELECT x.id, y.id FROM {ints} x LEFT JOIN {longs} y ON x.a = y.b AND x.id > 30 AND y.id < 50",
    )
    yield Query(
        ("FullOuter",), f"SELECT x.id, y.id FROM {ints} x FULL JOIN {longs} y ON x.a = y.b AND x.id = y.id"
    )
    yield Query(
        ("LeftAnti",),
        f"SELECT id FROM {ints} x WHERE NOT EXISTS (SELECT 1 FROM {longs} y WHERE y.a = x.b AND y.id > x.id)",
    )
    yield Query(
        ("LeftSemi",),
        f"SELECT id FROM {ints} x WHERE EXISTS (SELECT 1 FROM {longs} y WHERE y.a = x.b AND y.id > x.id)",
    )
    yield Query(
        ("ScalarSubquery",),
        f"SELECT id, (SELECT max(b) FROM {longs} WHERE a <> b) FROM {ints}"
        f" WHERE a < (SELECT avg(b) FROM {ints} WHERE id > 3)",
    )
    yield Query(("ScalarSubquery",), f"SELECT id, (SELECT max(b) FROM {longs} WHERE id < 0) FROM {ints}")
    yield Query(
        ("CreateNamedStruct", "GetStructField"),
        f"SELECT id, (SELECT max(b) FROM {longs} WHERE a <> b), (SELECT min(a) FROM {longs} WHERE a <> b), "
        f"(SELECT count(b) FROM {longs} WHERE a <> b) FROM {ints}",
    )
    yield Query(
        ("LeftOuter",),
        f"SELECT id, (SELECT count(*) FROM {longs} y WHERE y.a = x.a),"
        f" (SELECT max(y.id) FROM {longs} y WHERE y.b = x.b)"
        f" FROM {ints} x",
    )


def _operators() -> Iterator[Query]:
    ints, texts = f"{SCHEMA}.ints", f"{SCHEMA}.texts"
    yield Query(
        ("Project", "Filter", "DataSourceV2ScanRelation"),
        f"SELECT b, a, a AS again FROM {ints} WHERE a > 0 OR b IS NULL",
    )
    # A branch that is not taken does not fail.
    guarded = "CASE WHEN b <> 0 THEN a / b END, if(b = 0, NULL, a % b), CASE WHEN abs(a) < 1000 THEN a * 3 ELSE a END"
    yield Query(("CaseWhen", "If"), f"SELECT id, {guarded} FROM {ints} WHERE a > -2147483648")
    yield Query(
        ("CaseWhen",),
        f"SELECT a, sum(CASE WHEN b <> 0 THEN a / b END) FROM {ints} GROUP BY a",
        tolerance=1e-9,
    )
    yield Query(("OneRowRelation",), f"SELECT id FROM {ints} UNION ALL SELECT 5")
    yield Query(
        ("WithCTE", "CTERelationRef"),
        f"WITH w AS (SELECT a, count(*) AS n, max(id) AS m FROM {ints} GROUP BY a)"
        " SELECT x.a, x.n, y.m FROM w x JOIN w y ON x.m < y.m WHERE x.n > 0",
    )
    yield Query(("GlobalLimit",), f"SELECT count(*) FROM (SELECT * FROM {texts} LIMIT 10)")
    yield Query(
        ("GlobalLimit",),
        f"SELECT id FROM (SELECT id FROM {ints} ORDER BY id DESC LIMIT 20) ORDER BY id LIMIT 5",
        ordered=True,
    )
    yield Query(("Offset",), f"SELECT id FROM {ints} ORDER BY id OFFSET 100", ordered=True)
    yield Query(("Sort",), f"SELECT b FROM {ints} ORDER BY -id", ordered=True)
    yield Query(("KnownNotNull",), f"SELECT id, a IN (SELECT b FROM {ints} WHERE id = 3) FROM {ints}")
    for zone in ("Europe/Amsterdam", "+05:30"):
        for table in ("instants", "moments"):
            yield Query(
                ("Sort",),
                f"SELECT a, max(b) FROM {SCHEMA}.{table} GROUP BY a ORDER BY a",
                ordered=True,
                zone=zone,
            )
