"""Measure the throughput of a large result at each front end.

It compares with PySpark's own client on the same Spark server in the same run, and with a Trino server, if one
is named.

    python -m bench.throughput --rows 10000000 [--trino-server http://127.0.0.1:8090]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.process import usage
from bench.spark_server import SparkServer
from testing.server import RunningServer, running_server

from sqe.config.load import load
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter

_BLOCK = 2000
_COLUMNS = "id, id * 2 AS b, CAST(id AS {text}) AS c"


@dataclass(frozen=True, slots=True)
class Rate:
    reader: str
    rows: int
    seconds: tuple[float, ...]
    peak: int | None = None  # bytes that the gateway grew

    @property
    def per_second(self) -> float:
        return self.rows / statistics.median(self.seconds)


def spark_client(server: SparkServer, rows: int) -> int:
    """Read with PySpark's own Connect client, which turns a stream of Arrow batches into one table."""
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(f"{server.url}/;token={server.token}").create()
    try:
        found = 0
        frame: Any = session.sql(f"SELECT {_COLUMNS.format(text='STRING')} FROM range({rows})")
        query = frame._plan.to_proto(session.client)
        for batch in session.client.to_table_as_iterator(query, frame._plan.observations):
            if hasattr(batch, "num_rows"):
                found += batch.num_rows
        return found
    finally:
        session.stop()


def flight(server: RunningServer, rows: int) -> int:
    from adbc_driver_flightsql import dbapi

    sql = f"SELECT {_COLUMNS.format(text='STRING')} FROM range({rows})"
    with dbapi.connect(server.flight, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.adbc_statement.set_options(**{"adbc.rpc.result_queue_size": "5"})
        cursor.execute(sql)
        return sum(batch.num_rows for batch in cursor.fetch_record_batch())


def trino(url: str, sql: str, encoding: str | None) -> int:
    """Read pages without decoding them to Python values: the server's rate and not the client's."""
    import httpx
    import orjson

    headers = {"X-Trino-User": "bench", "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME"}
    if encoding:
        headers["X-Trino-Query-Data-Encoding"] = encoding
    found = 0
    with httpx.Client(headers=headers, timeout=120) as client:
        page = orjson.loads(client.post(f"{url}/v1/statement", content=sql.encode()).content)
        while True:
            if "error" in page:
                raise RuntimeError(page["error"]["message"])
            data = page.get("data")
            if isinstance(data, dict):
                found += sum(segment["metadata"]["rowsCount"] for segment in data["segments"])
            elif data:
                found += len(data)
            if "nextUri" not in page:
                return found
            page = orjson.loads(client.get(page["nextUri"]).content)


@contextmanager
def watched(pid: int) -> Iterator[list[int]]:
    """Measure by how much a process's memory grows at most while the block runs."""
    before, most, done = usage(pid).rss, [0], threading.Event()

    def sample() -> None:
        while not done.wait(0.2):
            most[0] = max(most[0], usage(pid).rss - before)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield most
    finally:
        done.set()
        thread.join()


def measure(reader: str, rows: int, runs: int, read: Callable[[], int], pid: int | None = None) -> Rate:
    seconds: list[float] = []
    peak = 0
    for _ in range(runs):
        with watched(pid or os.getpid()) as most:
            begun = time.monotonic()
            found = read()
            seconds.append(time.monotonic() - begun)
        peak = max(peak, most[0])
        if found != rows:
            raise RuntimeError(f"{reader}: {found} rows instead of {rows}")
    return Rate(reader, rows, tuple(seconds), peak if pid else None)


def rates(rows: int, runs: int, trino_server: str | None) -> list[Rate]:
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    runtime = provide(load(None, environ), QuietReporter(), environ=environ)
    found: list[Rate] = []
    with tempfile.TemporaryDirectory(prefix="sqe-bench-") as directory:
        spark = SparkServer(runtime, Path(directory) / "spark", cores=os.cpu_count() or 1, heap=4 << 30)
        settings = {"engine__url": spark.url, "engine__token": spark.token}
        try:
            with running_server(settings=settings) as server:
                server.wait_until_ready()
                spark_client(spark, 1000), flight(server, 1000)
                pid = server.process.pid
                found.append(
                    measure("PySpark's Connect client", rows, runs, lambda: spark_client(spark, rows))
                )
                found.append(measure("Flight SQL (ADBC)", rows, runs, lambda: flight(server, rows), pid))
                sql = f"SELECT {_COLUMNS.format(text='varchar')} FROM range({rows})"
                for name, encoding in (("plain JSON", None), ("json+zstd", "json+zstd")):
                    read = lambda encoding=encoding: trino(server.trino, sql, encoding)  # noqa: E731
                    found.append(measure(f"Trino pages, {name}", rows, runs, read, pid))
        finally:
            spark.process.stop()
    if trino_server is not None:
        # As many numbers as there are rows; one `sequence` must not be longer than 10,000.
        numbers = (
            f"UNNEST(sequence(1, {rows // _BLOCK})) AS a(n) CROSS JOIN UNNEST(sequence(1, {_BLOCK})) AS b(n)"
        )
        sql = f"SELECT {_COLUMNS.format(text='varchar')} FROM (SELECT a.n * {_BLOCK} + b.n AS id FROM {numbers})"
        trino(trino_server, sql, None)  # its JVM compiles
        found.append(
            measure("Trino's own server, plain JSON", rows, runs, lambda: trino(trino_server, sql, None))
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.throughput", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--trino-server", metavar="URL", help="a Trino to compare with; --rows is then a multiple of 2000"
    )
    options = parser.parse_args()
    found = rates(options.rows, options.runs, options.trino_server)
    base = found[0]
    print(f"{'reader':<50} {'rows/s':>12} {'ratio':>6}  gateway grew by")
    for rate in found:
        grew: Any = "" if rate.peak is None else f"{rate.peak / 1e6:,.0f} MB"
        print(
            f"{rate.reader:<50} {rate.per_second:>12,.0f} {rate.per_second / base.per_second:>6.2f}  {grew}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
