"""DuckDB: on the generated files, whose answers are the expected ones, and on the Iceberg tables, as a lower bound."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqe.bench.answers import Row
from sqe.bench.dataset import Dataset
from sqe.bench.duckdb_extensions import connect
from sqe.bench.engines.base import Resources
from sqe.bench.suite import Dialect

if TYPE_CHECKING:
    import duckdb


class DuckDbEngine:
    dialect: Dialect = "duckdb"

    def __init__(self, name: str, connection: duckdb.DuckDBPyConnection, resources: Resources) -> None:
        self.name = name
        self._connection = connection
        self._resources = resources
        connection.execute(f"SET threads = {resources.cores}")
        connection.execute(f"SET memory_limit = '{int(resources.memory) // 2**20}MiB'")

    def run(self, sql: str) -> Sequence[Row]:
        timer = threading.Timer(self._resources.query_seconds, self._connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            return self._connection.execute(sql).fetchall()
        finally:
            timer.cancel()

    def execute(self, sql: str) -> None:
        self._connection.execute(sql)

    def pids(self) -> Mapping[str, int]:
        return {"process": os.getpid()}

    def ran_on(self) -> str:
        return ""

    def settings(self) -> Mapping[str, str]:
        import duckdb

        return {"version": duckdb.__version__, "memory": str(self._resources.memory), "client": "in process"}


@contextmanager
def on_iceberg(dataset: Dataset, resources: Resources) -> Iterator[DuckDbEngine]:
    """Yield DuckDB on the Iceberg tables that all engines share."""
    with connect("avro", "iceberg") as connection:
        for table, metadata in dataset.loaded().items():
            connection.execute(f"CREATE VIEW {table} AS SELECT * FROM iceberg_scan('{metadata}')")
        yield DuckDbEngine("duckdb", connection, resources)


@contextmanager
def on_files(dataset: Dataset, resources: Resources) -> Iterator[DuckDbEngine]:
    """Yield DuckDB on the generated files."""
    with connect() as connection:
        for table in dataset.tables():
            file = dataset.files / f"{table}.parquet"
            connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{file}')")
        yield DuckDbEngine("expected", connection, resources)
