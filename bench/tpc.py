"""Load the data of TPC-H and TPC-DS into an Iceberg warehouse; data, queries and answers are DuckDB's."""

from __future__ import annotations

import importlib
import re
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import sqlglot  # noqa: TID251 - to respell the queries of a peer, not to read a user's
from testing.command import Sqe, clean_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOG = "iceberg"  # a warehouse knows its tables by the catalog's name too


@dataclass(frozen=True, slots=True)
class Benchmark:
    name: str  # of DuckDB's extension, and of the schema
    generator: str  # DuckDB's function that makes the tables

    @property
    def schema(self) -> str:
        return self.name

    def queries(self) -> Mapping[int, str]:
        """Return the queries as DuckDB spells them, by number."""
        with self.duckdb() as connection:
            found = connection.execute(f"SELECT query_nr, query FROM {self.name}_queries()").fetchall()
        return {number: text.strip().rstrip(";") for number, text in found}

    @contextmanager
    def duckdb(self, scale: float | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield DuckDB with its generator, which comes as a wheel, and with the tables if `scale` is given."""
        package = Path(importlib.import_module(f"duckdb_extension_{self.name}").__path__[0])
        extension = package / "extensions" / f"v{duckdb.__version__}" / f"{self.name}.duckdb_extension"
        with duckdb.connect() as connection:
            connection.execute(f"LOAD '{extension}'")
            if scale is not None:
                connection.execute(f"CALL {self.generator}(sf = ?)", [scale])
            yield connection


TPCH = Benchmark("tpch", "dbgen")
TPCDS = Benchmark("tpcds", "dsdgen")


def load(warehouse: Path, scale: float, *benchmarks: Benchmark) -> None:
    """Create the tables of benchmarks in schemas of their names, except those that an earlier call has made."""
    missing = [benchmark for benchmark in benchmarks if not _marker(warehouse, scale, benchmark).exists()]
    if not missing:
        return
    with tempfile.TemporaryDirectory(prefix="sqe-tpc-") as scratch:
        files = Path(scratch)
        statements = []
        for benchmark in missing:
            statements.append(f"CREATE SCHEMA IF NOT EXISTS {benchmark.schema}")
            with benchmark.duckdb(scale) as connection:
                for (table,) in connection.execute("SHOW TABLES").fetchall():
                    file = f"{benchmark.name}-{table}.parquet"
                    connection.execute(f"COPY {table} TO '{files / file}' (FORMAT parquet)")
                    statements.append(
                        f"CREATE OR REPLACE TABLE {benchmark.schema}.{table} AS SELECT * FROM '{file}'"
                    )
        sqe = Sqe(clean_environment(files / "home"), warehouse, files)
        try:
            made = sqe.sql(*statements)
            if made.code:
                raise RuntimeError(f"the tables could not be made: {made.err}")
        finally:
            sqe.run("engine", "stop", "--all")
    for benchmark in missing:
        _marker(warehouse, scale, benchmark).touch()


def _marker(warehouse: Path, scale: float, benchmark: Benchmark) -> Path:
    return warehouse / f"{benchmark.name}-{scale}"


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


def in_trino_spelling(query: str) -> str:
    """Return a query of DuckDB's generators as it is written for Trino."""
    (text,) = sqlglot.transpile(query, read="duckdb", write="trino", pretty=True)
    for pattern, replacement in _TRINO:
        text = pattern.sub(replacement, text)
    return text
