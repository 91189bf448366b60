"""SQE as its users reach it: `sqe server`, with ADBC on Flight SQL or with Trino's Python client."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import sqe
from sqe.bench.answers import Row
from sqe.bench.dataset import CATALOG, Dataset
from sqe.bench.engines.base import Resources, ServerProcess, children, scratch_directory
from sqe.bench.suite import Dialect

_ADDRESS = re.compile(r"^(flight|trino|health|metrics)\s+(\S+?://\S+)", re.MULTILINE)
_DIALECT = "adbc.flight.sql.session.option.dialect"
_EXECUTOR = "adbc.flight.sql.session.option.local_executor"
_USER = "bench"
_RAN = re.compile(r'^sqe_executor_queries_total\{executor="(\w+)"\} (\S+)', re.MULTILINE)


class _Timer:
    """Calls `cancel` when a block takes longer than it may."""

    def __init__(self, seconds: float, cancel: Callable[[], object]) -> None:
        self._timer = threading.Timer(seconds, cancel)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


class CursorEngine:
    """An engine behind a DBAPI connection."""

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        connection: Any,
        server: ServerProcess,
        settings: Mapping[str, str],
        seconds: float,
    ) -> None:
        self.name = name
        self.dialect: Dialect = dialect
        self._connection = connection
        self._server = server
        self._settings = settings
        self._seconds = seconds

    def run(self, sql: str) -> Sequence[Row]:
        with closing(self._connection.cursor()) as cursor:
            cancel = getattr(cursor, "adbc_cancel", None) or cursor.cancel
            with _Timer(self._seconds, cancel):
                cursor.execute(sql)
                return [tuple(row) for row in cursor.fetchall()]

    def execute(self, sql: str) -> None:
        with closing(self._connection.cursor()) as cursor:
            cursor.execute(sql)
            cursor.fetchall()

    def pids(self) -> Mapping[str, int]:
        below = children(self._server.pid)
        return {self._server.what: self._server.pid, **({"jvm": below[-1]} if below else {})}

    def ran_on(self) -> str:
        return ""

    def settings(self) -> Mapping[str, str]:
        return self._settings


class SqeEngine(CursorEngine):
    """An engine that is `sqe server`."""

    metrics: str  # the address of its metrics

    def __init__(self, *arguments: Any, metrics: str) -> None:
        super().__init__(*arguments)
        self.metrics = metrics
        self._ran: Mapping[str, str] = self._counts()

    def pids(self) -> Mapping[str, int]:
        """Return the gateway, the JVM and the workers of the local executor."""
        found = {self._server.what: self._server.pid}
        workers = 0
        for pid in children(self._server.pid):
            name = _command(pid)
            if name == "java":
                found["jvm"] = pid
            elif name == "sqe.executor.worker":
                workers += 1
                found[f"worker {workers}"] = pid
        return found

    def ran_on(self) -> str:
        before, self._ran = self._ran, self._counts()
        return ", ".join(name for name, count in self._ran.items() if before.get(name) != count)

    def _counts(self) -> Mapping[str, str]:
        with urlopen(self.metrics, timeout=30) as response:  # noqa: S310 - an address that the server has printed
            return dict(_RAN.findall(response.read().decode()))


def _command(pid: int) -> str:
    """Return the name of a process's program, or of the module that Python runs."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    except OSError:
        return ""  # it has ended
    return words[words.index("-m") + 1] if "-m" in words else Path(words[0]).name


class FlightEngine(SqeEngine):
    """ADBC returns Arrow; rows are made of it outside of the measured time."""

    def run(self, sql: str) -> Sequence[Row]:
        with closing(self._connection.cursor()) as cursor, _Timer(self._seconds, cursor.adbc_cancel):
            cursor.execute(sql)
            return ArrowRows(cursor.fetch_arrow_table())


class ArrowRows(Sequence[Row]):
    """Rows of an Arrow table, made when they are first looked at."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._rows: list[Row] | None = None

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __getitem__(self, index: Any) -> Any:
        if self._rows is None:
            columns = [column.to_pylist() for column in self._table.columns]
            self._rows = list(zip(*columns, strict=True))
        return self._rows[index]


@contextmanager
def server(
    dataset: Dataset,
    resources: Resources,
    listeners: Sequence[str] = ("flight", "trino"),
    settings: Mapping[str, str] | None = None,
) -> Iterator[tuple[ServerProcess, Mapping[str, str]]]:
    """Run `sqe server` on the dataset's warehouse; yield it and the addresses of its listeners."""
    with scratch_directory() as directory:
        home = Path(directory)
        own = {
            "paths__home": str(home),
            "engine__memory": str(resources.memory),
            "engine__master": f"local[{resources.cores}]",
            "executor__memory": str(resources.memory),
            "server__listeners": json.dumps([*listeners, "health", "metrics"]),
            "limits__run_time": f"{resources.query_seconds:g}s",
            f"catalogs__{CATALOG}__type": "warehouse",
            f"catalogs__{CATALOG}__path": str(dataset.warehouse),
            **{f"server__{name}_port": "0" for name in ("flight", "trino", "metrics", "health")},
            **(settings or {}),
        }
        environment = {
            **{name: value for name, value in os.environ.items() if name != "SQE_PATHS__HOME"},
            **{f"SQE_{name.upper()}": value for name, value in own.items()},
        }
        process = ServerProcess(
            "gateway", [sys.executable, "-m", "sqe.cli.main", "server"], environment, home
        )
        try:
            wanted = {*listeners, "health", "metrics"}
            process.wait_until(lambda: wanted <= dict(_ADDRESS.findall(process.text())).keys())
            yield process, dict(_ADDRESS.findall(process.text()))
        finally:
            process.stop()


def _described(resources: Resources, client: str) -> Mapping[str, str]:
    return {"version": sqe.__version__, "memory": str(resources.memory), "client": client}


@contextmanager
def flight(
    dataset: Dataset, resources: Resources, name: str = "sqe", local: str = "auto"
) -> Iterator[FlightEngine]:
    described = _described(resources, "ADBC, Flight SQL; SQL in Spark's dialect")
    with (
        server(dataset, resources, ("flight",), {"executor__local": local}) as (process, addresses),
        closing(connect_flight(addresses["flight"], dataset.schema)) as connection,
    ):
        yield FlightEngine(
            *(name, "spark", connection, process, described, resources.query_seconds),
            metrics=addresses["metrics"],
        )


def on_spark(dataset: Dataset, resources: Resources) -> AbstractContextManager[FlightEngine]:
    """Run everything on Spark."""
    return flight(dataset, resources, "sqe-spark", "off")


@contextmanager
def trino(dataset: Dataset, resources: Resources) -> Iterator[SqeEngine]:
    described = _described(resources, "Trino's Python client; SQL in Trino's dialect")
    with (
        server(dataset, resources, ("trino",)) as (process, addresses),
        closing(connect_trino(addresses["trino"], dataset.schema)) as connection,
    ):
        yield SqeEngine(
            *("sqe-trino", "trino", connection, process, described, resources.query_seconds),
            metrics=addresses["metrics"],
        )


def connect_flight(address: str, schema: str, dialect: Dialect = "spark", executor: str = "auto") -> Any:
    import adbc_driver_flightsql.dbapi

    return adbc_driver_flightsql.dbapi.connect(
        address,
        conn_kwargs={
            "adbc.connection.catalog": CATALOG,
            "adbc.connection.db_schema": schema,
            _DIALECT: dialect,
            _EXECUTOR: executor,
        },
        autocommit=True,
    )


def connect_trino(address: str, schema: str, session: Mapping[str, str] | None = None) -> Any:
    import trino

    place = urlsplit(address)
    return trino.dbapi.connect(  # type: ignore[no-untyped-call]
        host=place.hostname,
        port=place.port,
        http_scheme=place.scheme,
        user=_USER,
        catalog=CATALOG,
        schema=schema,
        session_properties=dict(session or {}),
        request_timeout=600,
    )
