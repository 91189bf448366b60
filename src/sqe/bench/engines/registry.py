"""The engines that `sqe bench` knows, by the names of its option --engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from sqe.bench.dataset import Dataset
from sqe.bench.engines import duckdb_engine, spark_connect, sqe_server, trino_server
from sqe.bench.engines.base import Engine, Resources

Factory = Callable[[Dataset, Resources], AbstractContextManager[Engine]]

ENGINES: Mapping[str, Factory] = {
    "sqe": sqe_server.flight,
    "sqe-trino": sqe_server.trino,
    "sqe-spark": sqe_server.on_spark,
    "spark": spark_connect.bare,
    "trino": trino_server.trino,
    "duckdb": duckdb_engine.on_iceberg,
}

DESCRIPTIONS: Mapping[str, str] = {
    "sqe": "SQE by Flight SQL (ADBC)",
    "sqe-trino": "SQE by Trino's protocol",
    "sqe-spark": "SQE by Flight SQL, without the local executor",
    "spark": "a bare Spark Connect server with PySpark",
    "trino": "Trino 476",
    "duckdb": "DuckDB on the same Iceberg tables",
}
