"""TPC-H and TPC-DS: data and queries from the generators in DuckDB's extensions, ports of TPC's own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import sqlglot

from sqe.bench.duckdb_extensions import connect
from sqe.bench.suite import Check, Dialect, Query, Suite

if TYPE_CHECKING:
    import duckdb

_LIMITED_MEMORY_SCALE = (
    5.0  # from here on, tables are generated in steps, so that memory does not grow with the scale
)
_STEPS = 10

# What DuckDB accepts and Trino does not, after sqlglot: text where a date belongs, days as a number, an alias in GROUP
# BY, and a grouping() behind which ORDER BY finds an alias. Where DuckDB computes with doubles, and Trino rounds
# decimals to a few digits before they are ranked or multiplied, doubles are written.
_TRINO = (
    (re.compile(r"(?<!CAST\()('\d{4}-\d\d-\d\d')"), r"DATE \1"),
    (re.compile(r"d1\.d_date \+ 5"), "d1.d_date + INTERVAL '5' DAY"),
    (re.compile(r"GROUP BY\s+supplier_no"), "GROUP BY l_suppkey"),
    (re.compile(r"AVG\(ss_net_profit\)"), "AVG(CAST(ss_net_profit AS DOUBLE))"),
    (re.compile(r"CAST\((promotions|total) AS DECIMAL\(15, 4\)\)"), r"CAST(\1 AS DOUBLE)"),
    (re.compile(r"CASE WHEN GROUPING\(\w+\) \+ GROUPING\(\w+\) = 0"), "CASE WHEN lochierarchy = 0"),
)

# Row counts at scale 1 by the specifications; lineitem and order lines of TPC-DS vary around theirs.
_TPCH_ROWS = {
    "customer": 150_000,
    "orders": 1_500_000,
    "part": 200_000,
    "partsupp": 800_000,
    "supplier": 10_000,
}


def in_trino_spelling(query: str) -> str:
    """Return a query of DuckDB's generators as it is written for Trino."""
    (text,) = sqlglot.transpile(query, read="duckdb", write="trino", pretty=True)
    for pattern, replacement in _TRINO:
        text = pattern.sub(replacement, text)
    return text


def in_spark_spelling(query: str) -> str:
    """Return a query of DuckDB's generators as it is written for Spark."""
    (text,) = sqlglot.transpile(query, read="duckdb", write="spark", pretty=True)
    return text


def _queries(extension: str) -> Sequence[Query]:
    with connect(extension) as connection:
        found = connection.execute(f"SELECT query_nr, query FROM {extension}_queries() ORDER BY 1").fetchall()
    return [_query(f"q{number:02}", text.strip().rstrip(";")) for number, text in found]


def _query(name: str, text: str) -> Query:
    texts: dict[Dialect, str] = {
        "duckdb": text,
        "spark": in_spark_spelling(text),
        "trino": in_trino_spelling(text),
    }
    return Query(name, texts)


def _generate_tpch(connection: duckdb.DuckDBPyConnection, scale: float) -> None:
    if scale < _LIMITED_MEMORY_SCALE:
        connection.execute("CALL dbgen(sf = ?)", [scale])
        return
    for step in range(_STEPS):
        connection.execute(f"CALL dbgen(sf = ?, children = {_STEPS}, step = {step})", [scale])


def _generate_tpcds(connection: duckdb.DuckDBPyConnection, scale: float) -> None:
    connection.execute("CALL dsdgen(sf = ?)", [scale])


def _checks_tpch() -> Sequence[Check]:
    counts = [
        Check(
            f"{table} has {rows:,} rows for each unit of the scale",
            f"SELECT count(*) = CAST({rows} * getvariable('scale') AS BIGINT) FROM {table}",
        )
        for table, rows in _TPCH_ROWS.items()
    ]
    return [
        *counts,
        Check(
            "lineitem has four lines for an order",
            "SELECT count(*) BETWEEN 3.9 * (SELECT count(*) FROM orders)"
            " AND 4.1 * (SELECT count(*) FROM orders) FROM lineitem",
        ),
        Check(
            "there are four groups of return flags and line states",
            "SELECT count(DISTINCT (l_returnflag, l_linestatus)) = 4 FROM lineitem",
        ),
    ]


def _checks_tpcds() -> Sequence[Check]:
    return [
        Check("date_dim covers two hundred years", "SELECT count(*) = 73049 FROM date_dim"),
        Check("item_sk is a key", "SELECT count(*) = count(DISTINCT i_item_sk) FROM item"),
        Check(
            "every sale in a store has an item",
            "SELECT count(*) = 0 FROM store_sales ANTI JOIN item ON ss_item_sk = i_item_sk",
        ),
    ]


def _suite(name: str, title: str, **parts: object) -> Suite:
    return Suite(
        name=name,
        title=title,
        origin=f"data and queries of DuckDB's extension {name}, a port of the generator of the TPC",
        derived=False,
        queries=cache(lambda: _queries(name)),
        **parts,  # type: ignore[arg-type]
    )


_EMPTY: Mapping[str, str] = {}
TPCH = _suite("tpch", "TPC-H", generate=_generate_tpch, checks=_checks_tpch, may_be_empty=_EMPTY)
TPCDS = _suite(
    "tpcds",
    "TPC-DS",
    generate=_generate_tpcds,
    checks=_checks_tpcds,
    may_be_empty={"q17": "no item of scale 1 was bought, returned and bought again in those quarters"},
)
