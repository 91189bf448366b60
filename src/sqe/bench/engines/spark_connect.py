"""A bare Spark Connect server with Iceberg, and PySpark's own client: the engine of SQE without SQE.

It has the JVM options and the settings for speed of SQE's engine, so that the difference is the gateway and the guard.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqe.bench.answers import Row
from sqe.bench.dataset import CATALOG, Dataset
from sqe.bench.engines.base import Resources, ServerProcess, scratch_directory
from sqe.bench.engines.sqe_server import ArrowRows
from sqe.bench.suite import Dialect
from sqe.config.load import load
from sqe.engine.catalog_settings import warehouse_settings
from sqe.engine.launcher.command import JvmPlan, environment, network_environment, settings_options
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.settings import speed_settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MAIN = "org.apache.spark.sql.connect.service.SparkConnectServer"
_CATALOG_CLASS = "org.apache.iceberg.spark.SparkCatalog"
_EXTENSIONS = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"


class SparkConnectEngine:
    name = "spark"
    dialect: Dialect = "spark"

    def __init__(
        self, session: SparkSession, server: ServerProcess, resources: Resources, version: str
    ) -> None:
        self._session = session
        self._server = server
        self._resources = resources
        self._version = version

    def run(self, sql: str) -> Sequence[Row]:
        timer = threading.Timer(self._resources.query_seconds, self._session.interruptAll)
        timer.daemon = True
        timer.start()
        try:
            return ArrowRows(self._session.sql(sql).toArrow())
        finally:
            timer.cancel()

    def execute(self, sql: str) -> None:
        self._session.sql(sql).collect()

    def pids(self) -> Mapping[str, int]:
        return {"jvm": self._server.pid}

    def ran_on(self) -> str:
        return ""

    def settings(self) -> Mapping[str, str]:
        return {
            "version": self._version,
            "memory": str(self._resources.memory),
            "client": "PySpark, Spark Connect",
        }


@contextmanager
def bare(dataset: Dataset, resources: Resources) -> Iterator[SparkConnectEngine]:
    config = load(None, os.environ, {"engine.master": f"local[{resources.cores}]"})
    runtime = provide(config, QuietReporter())
    plan = JvmPlan.of(runtime, config.engine.master, int(resources.memory), None)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with scratch_directory() as directory:
        home = Path(directory)
        settings = {
            "spark.app.name": "bare",
            "spark.master": config.engine.master,
            "spark.local.dir": str(home),
            "spark.sql.warehouse.dir": (home / "spark-warehouse").as_uri(),
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(port),
            "spark.driver.maxResultSize": "0",
            "spark.sql.extensions": _EXTENSIONS,
            "spark.sql.defaultCatalog": CATALOG,
            **speed_settings(resources.cores),
            **warehouse_settings(CATALOG, dataset.warehouse, _CATALOG_CLASS, own=False),
        }
        command = plan.command(home / "arguments", [*settings_options(settings), _MAIN])
        server = ServerProcess(
            "spark", command, {**environment(None), **network_environment(config.engine.master)}, home
        )
        try:
            server.wait_until(lambda: _listens(port))
            with _session(port) as session:
                session.sql(f"USE {CATALOG}.{dataset.schema}").collect()
                yield SparkConnectEngine(session, server, resources, runtime.spark_version)
        finally:
            server.stop()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@contextmanager
def _session(port: int) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    try:
        yield session
    finally:
        session.stop()
