"""Load the tables that the suites of other projects expect, with PyIceberg into the warehouses of a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog

from sqe.bench.duckdb_extensions import connect
from sqe.bench.suites.tpc import TPCH

Run = Callable[[str], object]
"""Runs a statement of Trino's SQL. Raises when it fails."""

# The tables of Trino's connector tpch: the columns have no prefix, prices are doubles, and texts have their length.
_TPCH_TYPES: Mapping[str, str] = {
    "nation": "nationkey bigint, name varchar(25), regionkey bigint, comment varchar(152)",
    "region": "regionkey bigint, name varchar(25), comment varchar(152)",
    "customer": "custkey bigint, name varchar(25), address varchar(40), nationkey bigint, phone varchar(15), "
    "acctbal double, mktsegment varchar(10), comment varchar(117)",
    "orders": "orderkey bigint, custkey bigint, orderstatus varchar(1), totalprice double, orderdate date, "
    "orderpriority varchar(15), clerk varchar(15), shippriority integer, comment varchar(79)",
    "lineitem": "orderkey bigint, partkey bigint, suppkey bigint, linenumber integer, quantity double, "
    "extendedprice double, discount double, tax double, returnflag varchar(1), linestatus varchar(1), shipdate date, "
    "commitdate date, receiptdate date, shipinstruct varchar(25), shipmode varchar(10), comment varchar(44)",
    "part": "partkey bigint, name varchar(55), mfgr varchar(25), brand varchar(10), type varchar(25), size integer, "
    "container varchar(10), retailprice double, comment varchar(23)",
    "partsupp": "partkey bigint, suppkey bigint, availqty integer, supplycost double, comment varchar(199)",
    "supplier": "suppkey bigint, name varchar(25), address varchar(40), nationkey bigint, phone varchar(15), "
    "acctbal double, comment varchar(101)",
}
# The scale of each schema, and the tables that get rows: the suites read no others, and list them all.
_SCHEMAS: Mapping[str, tuple[float, Sequence[str]]] = {
    "tiny": (0.01, tuple(_TPCH_TYPES)),
    "sf1": (1, ("nation", "region", "customer")),
}
_TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS hive\.default\.(\w+)")
_UNQUALIFIED = re.compile(r"\b(TABLE IF EXISTS|TABLE IF NOT EXISTS|TABLE|INTO) (?!IF\b)(\w+)(?![\w.])")


def load_tpch(run: Run, warehouse: Path) -> None:
    """Create `tpch.tiny` and `tpch.sf1`, with rows as far as the suites read them."""
    for schema, (scale, tables) in _SCHEMAS.items():
        run(f"CREATE SCHEMA tpch.{schema}")
        for table, columns in _TPCH_TYPES.items():
            run(f"CREATE TABLE tpch.{schema}.{table} ({columns})")
        with connect("tpch") as duckdb:
            TPCH.generate(duckdb, scale)
            for table in tables:
                _append(warehouse, "tpch", (schema, table), duckdb.table(table).to_arrow_table())


def load_ibis(run: Run, warehouses: Mapping[str, Path], checkout: Path) -> None:
    """Create the tables of ibis's `ci/schema/trino.sql` in `memory.default`, and of TPC-H and TPC-DS in `hive`.

    Ibis has them as tables of files in `hive.default`, with views of them in `memory.default`.
    """
    data = checkout / "ci/ibis-testing-data"
    for statement in (checkout / "ci/schema/trino.sql").read_text().split(";\n"):
        if found := _TABLE.search(statement):
            table = found[1]
            run(statement[: statement.index(") WITH") + 1].strip().replace("hive.", "memory."))
            _append(
                warehouses["memory"],
                "memory",
                ("default", table),
                pq.read_table(data / f"parquet/{table}.parquet"),
            )
        elif statement.strip() and "hive." not in statement:
            run(_UNQUALIFIED.sub(r"\1 memory.default.\2", statement.strip().rstrip(";")))
    for schema in ("tpch", "tpcds"):
        run(f"CREATE SCHEMA hive.{schema}")
        for file in sorted((data / schema).rglob("*.parquet")):
            rows = pq.read_table(file)
            created = _catalog(warehouses["hive"], "hive").create_table((schema, file.stem), rows.schema)
            created.append(rows)


def _append(warehouse: Path, name: str, table: tuple[str, str], rows: pa.Table) -> None:
    loaded = _catalog(warehouse, name).load_table(table)
    schema = loaded.schema().as_arrow()
    columns = [column.cast(field.type) for column, field in zip(rows.columns, schema, strict=True)]
    loaded.append(pa.table(columns, schema=schema))


def _catalog(warehouse: Path, name: str) -> SqlCatalog:
    return SqlCatalog(
        name,
        uri=f"sqlite:///{warehouse / 'catalog.db'}",
        warehouse=str(warehouse / "data"),
        init_catalog_tables="false",
    )
