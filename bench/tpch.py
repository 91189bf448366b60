"""Load TPC-H's data into an Iceberg warehouse; data, queries and answers come from DuckDB's generator."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import duckdb
import duckdb_extension_tpch
from testing.command import Sqe, clean_environment

TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
CATALOG = "iceberg"  # a warehouse knows its tables by the catalog's name too
SCHEMA = "tpch"


def queries() -> Mapping[int, str]:
    """Return the 22 queries, by number."""
    found = _generator().execute("SELECT query_nr, query FROM tpch_queries()").fetchall()
    return {number: text.strip().rstrip(";") for number, text in found}


def load(warehouse: Path, scale: float) -> None:
    """Create the tables in the schema `tpch` of a warehouse, except those that exist."""
    marker = warehouse / f"tpch-{scale}"
    if marker.exists():
        return
    with tempfile.TemporaryDirectory(prefix="sqe-tpch-") as scratch:
        files = Path(scratch)
        generator = _generator()
        generator.execute("CALL dbgen(sf = ?)", [scale])
        for table in TABLES:
            generator.execute(f"COPY {table} TO '{files / table}.parquet' (FORMAT parquet)")
        generator.close()
        sqe = Sqe(clean_environment(files / "home"), warehouse, files)
        try:
            made = sqe.sql(
                f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}",
                *(
                    f"CREATE OR REPLACE TABLE {SCHEMA}.{table} AS SELECT * FROM '{table}.parquet'"
                    for table in TABLES
                ),
            )
            if made.code:
                raise RuntimeError(f"the tables could not be made: {made.err}")
        finally:
            sqe.run("engine", "stop", "--all")
    marker.touch()


def _generator() -> duckdb.DuckDBPyConnection:
    """Return DuckDB with its generator, which comes as a wheel: nothing is fetched."""
    connection = duckdb.connect()
    package = Path(duckdb_extension_tpch.__file__).parent
    extension = package / "extensions" / f"v{duckdb.__version__}" / "tpch.duckdb_extension"
    connection.execute(f"LOAD '{extension}'")
    return connection
