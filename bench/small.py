"""Measure what small queries cost: CPU time of engine and gateway, time of one client, throughput of many.

    python -m bench.small [--clients 16] [--against CHECKOUT]

One server has two Iceberg tables of 100,000 and 15,000 rows. With `--against`, a second server runs the code of another
checkout; `--setting` changes a setting of the second server. Both take turns in short rounds, so that a busy machine is
busy for both, and the report has the ratios. CPU time is more robust than elapsed time. Every statement has a number in
it that changes, as the statements of real clients do.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.load import Client, Target
from bench.process import cpu_seconds, engine_of
from testing.command import JAVA_OPTIONS
from testing.server import RunningServer, running_server

_T = (
    "CREATE TABLE t AS SELECT id, id % 20 AS a, (id * 7919) % 100000 AS b, CAST(id AS DOUBLE) / 7 AS x,"
    " concat('name ', CAST(id % 500 AS VARCHAR)) AS name FROM range(0, 100000, 1, 1)"
)
_ORDERS = (
    "CREATE TABLE orders AS SELECT id AS order_id, id % 1500 AS customer_id, id % 5 AS status,"
    " CAST((id * 31) % 10000 AS DECIMAL(12, 2)) AS total FROM range(0, 15000, 1, 1)"
)
_TABLES = (_T, _ORDERS)

STATEMENTS = {
    "constant": "SELECT {n}",
    "count": "SELECT count(*), {n} FROM t",
    "min and max": "SELECT min(b), max(b), {n} FROM t",
    "values": "SELECT count(*), max(x) FROM (VALUES 1, 2, 3) AS t(x) WHERE x > {n}",
    "aggregate": "SELECT a, count(*) AS c FROM t WHERE b > {n} GROUP BY a",
    "key": "SELECT id, name, x FROM t WHERE id = {n}",
    "join": "SELECT o.status, count(*) AS c, sum(o.total) AS s FROM orders o JOIN t ON o.customer_id = t.id"
    " WHERE t.a < {n} GROUP BY o.status",
    "top": "SELECT id, x FROM t WHERE b > {n} ORDER BY x DESC LIMIT 10",
}


@dataclass(slots=True)
class Sample:
    """The rounds of one statement on one server."""

    engine: list[float] = field(default_factory=list)  # seconds of CPU for each query
    gateway: list[float] = field(default_factory=list)
    elapsed: list[float] = field(default_factory=list)
    per_second: list[float] = field(default_factory=list)  # of all clients together

    @property
    def cpu(self) -> float:
        return statistics.median(self.engine) + statistics.median(self.gateway)


class Bed:
    """A server with the tables, and connections to one of its front ends."""

    def __init__(self, name: str, server: RunningServer, front_end: str, clients: int) -> None:
        self.name = name
        self._pids = [engine_of(server.process.pid), server.process.pid]
        target = Target(front_end, server.addresses[front_end])
        opened = [target.connect() for _ in range(clients)]
        self._clients = [run for run, _ in opened]
        self.close = [close for _, close in opened]
        self.samples = {each: Sample() for each in STATEMENTS}

    def one_by_one(self, name: str, seconds: float, first: int) -> None:
        """Run the statement with one client for a while, and keep the CPU time and the median of the times."""
        sample, before = self.samples[name], self._cpu()
        times: list[float] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            self._clients[0](_text(name, first + len(times)))
            times.append(time.monotonic() - begun)
        sample.elapsed.append(statistics.median(times))
        self._keep(sample, before, len(times))

    def together(self, name: str, seconds: float, first: int) -> None:
        """Run the statement with all clients for a while, and keep the throughput and the CPU time."""
        sample, before, done = self.samples[name], self._cpu(), [0] * len(self._clients)
        begun = time.monotonic()

        def work(number: int, run: Client) -> None:
            while time.monotonic() < begun + seconds:
                run(_text(name, first + number * 1000 + done[number]))
                done[number] += 1

        _all(partial(work, number, run) for number, run in enumerate(self._clients))
        sample.per_second.append(sum(done) / (time.monotonic() - begun))
        self._keep(sample, before, sum(done))

    def warm_up(self, seconds: float) -> None:
        def work(number: int, run: Client) -> None:
            end, done = time.monotonic() + seconds, 0
            while time.monotonic() < end:
                for name in STATEMENTS:
                    run(_text(name, number * 1000 + done))
                done += 1

        _all(partial(work, number, run) for number, run in enumerate(self._clients[:3]))

    def _cpu(self) -> list[float]:
        return [cpu_seconds(pid) for pid in self._pids]

    def _keep(self, sample: Sample, before: Sequence[float], queries: int) -> None:
        engine, gateway = ((now - then) / queries for now, then in zip(self._cpu(), before, strict=True))
        sample.engine.append(engine)
        sample.gateway.append(gateway)


def _text(name: str, number: int) -> str:
    return STATEMENTS[name].format(n=number % 3 if name == "values" else number % 997)


def _all(works: Iterable[Callable[[], None]]) -> None:
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised below
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def command(checkout: Path | None) -> tuple[str, ...]:
    """Return the command of a server that runs the code of a checkout."""
    own = (sys.executable, "-m", "sqe.cli.main", "server")
    return own if checkout is None else ("env", f"PYTHONPATH={checkout}:{checkout / 'src'}", *own)


def report(beds: Sequence[Bed], clients: int) -> None:
    print(
        f"{'statement':<12} {'server':<8} {'engine':>8} {'gateway':>8} {'p50':>8} {clients:>5} clients"
        "  ratio of CPU, throughput"
    )
    for name in STATEMENTS:
        first = beds[0].samples[name]
        for bed in beds:
            sample = bed.samples[name]
            engine, gateway = statistics.median(sample.engine), statistics.median(sample.gateway)
            elapsed = statistics.median(sample.elapsed) if sample.elapsed else 0
            rate = statistics.median(sample.per_second) if sample.per_second else 0
            ratios = [f"{sample.cpu / first.cpu:.2f}"]
            if first.per_second:
                ratios.append(f"{rate / statistics.median(first.per_second):.2f}")
            print(
                f"{name:<12} {bed.name:<8} {engine * 1e3:>5.1f} ms {gateway * 1e3:>5.1f} ms {elapsed * 1e3:>5.1f} ms"
                f" {rate:>8.1f} /s     {', '.join(ratios)}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.small", description=__doc__)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--seconds", type=float, default=4, help="of one statement in one round on one server"
    )
    parser.add_argument("--warm-up", type=float, default=90, help="seconds on each server")
    parser.add_argument("--front-end", choices=("flight", "trino"), default="flight")
    parser.add_argument("--against", type=Path, help="a checkout that a second server runs")
    parser.add_argument(
        "--setting", action="append", default=[], metavar="NAME=VALUE", help="of the second server"
    )
    parser.add_argument("--only", nargs="+", choices=list(STATEMENTS), help="statements")
    options = parser.parse_args()
    for name in [each for each in STATEMENTS if options.only and each not in options.only]:
        del STATEMENTS[name]
    os.environ.setdefault(JAVA_OPTIONS, "[]")  # the tests' own leave the optimising compiler out
    settings = {"limits__concurrent_queries_per_user": "16", "engine__warm_up": "false"}
    settings["engine__class_data_sharing"] = "false"  # it would be made beside the measurement
    second = dict(each.partition("=")[::2] for each in options.setting)
    servers = [("this", None, settings)]
    if options.against is not None or second:
        servers.append(("other", options.against, settings | second))
    with ExitStack() as stack:
        beds: list[Bed] = []
        for name, checkout, given in servers:
            server = stack.enter_context(running_server(settings=given, command=command(checkout)))
            server.wait_until_ready()
            run, close = Target("flight", server.flight).connect()
            for statement in _TABLES:
                run(statement)
            close()
            bed = Bed(name, server, options.front_end, options.clients)
            for end in bed.close:
                stack.callback(end)
            bed.warm_up(options.warm_up)
            beds.append(bed)
        for number in range(options.rounds):
            for statement in STATEMENTS:
                for bed in beds if number % 2 == 0 else beds[::-1]:
                    bed.one_by_one(statement, options.seconds, 100 * number)
                for bed in beds if number % 2 == 0 else beds[::-1]:
                    if options.clients > 1:
                        bed.together(statement, options.seconds, 100 * number)
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    report(beds, options.clients)
    return 0


if __name__ == "__main__":
    sys.exit(main())
