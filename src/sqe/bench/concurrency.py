"""Measure throughput and latency with many sessions at once, on SQE and on Trino in turns."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqe.bench.dataset import Dataset
from sqe.bench.engines import sqe_server, trino_server
from sqe.bench.engines.base import Resources
from sqe.errors import BenchmarkError

# On the tables of TPC-H, in words that Spark and Trino both read. {n} is a number of the session and of its turn.
_AGGREGATE = """
SELECT o_orderpriority, count(*), sum(o_totalprice) FROM orders WHERE o_custkey % 100 = {n} % 100
GROUP BY o_orderpriority"""
_LINES = """
SELECT l_returnflag, sum(l_quantity), avg(l_discount) FROM lineitem WHERE l_orderkey % 1000 = {n} % 1000
GROUP BY l_returnflag"""
SMALL = (_AGGREGATE,)
MIXED = (
    _AGGREGATE,
    "SELECT c_name, c_acctbal FROM customer WHERE c_custkey = {n} % 1000 + 1",
    "SELECT n_name, count(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY n_name",
    _LINES,
    "SELECT count(*) FROM part WHERE p_size = {n} % 50 + 1",
)
WORKLOADS: Mapping[str, Sequence[str]] = {"small": SMALL, "mixed": MIXED}

Connect = Callable[[], Any]
_GRACE_SECONDS = 300.0


@dataclass(slots=True)
class Load:
    """What a number of sessions got from one engine."""

    engine: str
    workload: str
    sessions: int
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def throughput(self) -> float:
        return len(self.latencies) / self.seconds if self.seconds else 0.0

    def quantile(self, share: float) -> float:
        if len(self.latencies) < 2:
            return self.latencies[0] if self.latencies else float("nan")
        return statistics.quantiles(self.latencies, n=100, method="inclusive")[round(share * 100) - 1]


@contextmanager
def targets(dataset: Dataset, resources: Resources, names: Sequence[str]) -> Iterator[Mapping[str, Connect]]:
    """Start the servers of these engines, and yield what opens a connection to each."""
    with ExitStack() as stack:
        found: dict[str, Connect] = {}
        for name in names:
            if name == "trino":
                _, address = stack.enter_context(trino_server.trino_address(dataset, resources))
                found[name] = _connector(sqe_server.connect_trino, address, dataset.schema)
            elif name in ("sqe", "sqe-trino"):
                listener = "flight" if name == "sqe" else "trino"
                connect = sqe_server.connect_flight if name == "sqe" else sqe_server.connect_trino
                _, addresses = stack.enter_context(sqe_server.server(dataset, resources, (listener,)))
                found[name] = _connector(connect, addresses[listener], dataset.schema)
            else:
                raise BenchmarkError(f"{name} has no server for many sessions.")
        yield found


def _connector(connect: Callable[[str, str], Any], address: str, schema: str) -> Connect:
    return lambda: connect(address, schema)


def load(engine: str, connect: Connect, workload: str, sessions: int, seconds: float) -> Load:
    """Run one statement after the other in each of `sessions` connections, and return what came of it."""
    result = Load(engine, workload, sessions)
    lock, go, stop = threading.Lock(), threading.Event(), threading.Event()
    ready = threading.Barrier(sessions + 1)

    def work(number: int) -> None:
        statements = WORKLOADS[workload]
        try:
            connection = connect()
            _run(connection, statements[0].format(n=number))
        except Exception as error:  # noqa: BLE001 - whatever a driver raises is what is counted here
            with lock:
                result.errors[f"connect: {type(error).__name__}: {error}"[:200]] += 1
            ready.wait()
            return
        ready.wait()
        go.wait()
        turn = number
        with closing(connection):
            while not stop.is_set():
                began = time.perf_counter()
                try:
                    _run(connection, statements[turn % len(statements)].format(n=turn))
                except Exception as error:  # noqa: BLE001 - as above
                    with lock:
                        result.errors[f"{type(error).__name__}: {error}"[:200]] += 1
                else:
                    with lock:
                        result.latencies.append(time.perf_counter() - began)
                turn += 1

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(sessions)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.perf_counter()
    go.set()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join(_GRACE_SECONDS)
    result.seconds = time.perf_counter() - began
    if stuck := sum(thread.is_alive() for thread in threads):
        result.errors["sessions that did not end"] += stuck
    return result


def _run(connection: Any, sql: str) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        if not cursor.fetchall() and "=" not in sql:
            raise BenchmarkError("An aggregate came back without rows.")


def table(loads: Sequence[Load]) -> list[str]:
    """Return the loads as lines of Markdown: throughput as a ratio to Trino's first."""
    base = {(one.workload, one.sessions): one.throughput for one in loads if one.engine == "trino"}
    lines = [
        "| workload | sessions | engine | throughput to trino | queries/s | p50 ms | p95 ms | p99 ms | errors |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for one in loads:
        reference = base.get((one.workload, one.sessions))
        ratio = f"{one.throughput / reference:.2f}" if reference else ""
        times = " | ".join(f"{one.quantile(share) * 1000:.0f}" for share in (0.5, 0.95, 0.99))
        lines.append(
            f"| {one.workload} | {one.sessions} | {one.engine} | {ratio} | {one.throughput:.1f} | {times} "
            f"| {sum(one.errors.values())} |"
        )
    return lines
