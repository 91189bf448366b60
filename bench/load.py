"""Measure query times and leftovers with many clients at once at both front ends.

python -m bench.load --flight grpc+tls://127.0.0.1:50051 --trino https://127.0.0.1:8080 --ca ca.pem --user alice
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.process import usage
from testing.server import running_server

Client = Callable[[str], list[tuple[Any, ...]]]

_SMALL = "SELECT count(*), max(x) FROM (VALUES 1, 2, 3) AS t(x) WHERE x > {n}"


@dataclass(frozen=True, slots=True)
class Target:
    """The address of a listener, and the user who connects."""

    name: str
    url: str
    user: str | None = None
    password: str | None = None
    ca: Path | None = None

    def connect(self) -> tuple[Client, Callable[[], None]]:
        return self._flight() if self.name == "flight" else self._trino()

    def _flight(self) -> tuple[Client, Callable[[], None]]:
        from adbc_driver_flightsql import DatabaseOptions, dbapi

        options: dict[str, str] = {}
        if self.user is not None and self.password is not None:
            options |= {"username": self.user, "password": self.password}
        if self.ca is not None:
            options[DatabaseOptions.TLS_ROOT_CERTS.value] = self.ca.read_text(encoding="ascii")
        connection = dbapi.connect(self.url, db_kwargs=options, autocommit=True)

        def run(sql: str) -> list[tuple[Any, ...]]:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return list(cursor.fetchall())

        return run, connection.close

    def _trino(self) -> tuple[Client, Callable[[], None]]:
        import requests
        import trino

        session = requests.Session()
        session.trust_env = False  # certificates that the environment names would win
        session.verify = str(self.ca) if self.ca else True
        place = urlsplit(self.url)
        login: dict[str, Any] = {}
        if self.user is not None and self.password is not None:
            login["auth"] = trino.auth.BasicAuthentication(self.user, self.password)
        connection = trino.dbapi.connect(  # type: ignore[no-untyped-call]
            host=place.hostname,
            port=place.port,
            http_scheme=place.scheme,
            user=self.user or "anonymous",
            http_session=session,
            **login,
        )

        def run(sql: str) -> list[tuple[Any, ...]]:
            cursor = connection.cursor()
            cursor.execute(sql)
            return [tuple(row) for row in cursor.fetchall()]

        return run, connection.close


@dataclass(slots=True)
class Report:
    target: str
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    def quantile(self, share: float) -> float:
        return statistics.quantiles(self.latencies, n=1000)[round(share * 1000) - 1]

    def __str__(self) -> str:
        if len(self.latencies) < 2:
            return f"{self.target}: {len(self.latencies)} queries, {dict(self.errors)}"
        return (
            f"{self.target}: {len(self.latencies)} queries, {len(self.latencies) / self.seconds:,.0f}/s, "
            f"p50 {self.quantile(0.5) * 1000:,.0f} ms, p99 {self.quantile(0.99) * 1000:,.0f} ms, "
            f"{sum(self.errors.values())} errors {dict(self.errors) or ''}"
        )


def load(targets: list[Target], clients: int, seconds: float) -> list[Report]:
    """Run one query after the other on each of `clients` connections, spread over the targets."""
    reports = [Report(target.name) for target in targets]
    lock, go = threading.Lock(), threading.Event()
    ready = threading.Barrier(clients + 1)
    deadline: list[float] = []

    def work(number: int) -> None:
        target, report = targets[number % len(targets)], reports[number % len(targets)]
        try:
            run, close = target.connect()
            run(_SMALL.format(n=0))
        except Exception as error:  # noqa: BLE001 - whatever a driver raises is what is counted here
            with lock:
                report.errors[f"connect: {type(error).__name__}: {error}"[:200]] += 1
            ready.wait()
            return
        ready.wait()
        go.wait()
        while time.monotonic() < deadline[0]:
            begun = time.monotonic()
            try:
                rows = run(_SMALL.format(n=number % 3))
                if rows != [(3 - number % 3, 3)]:
                    raise AssertionError(f"wrong rows: {rows}")  # noqa: TRY301
            except Exception as error:  # noqa: BLE001
                with lock:
                    report.errors[f"{type(error).__name__}: {error}"[:200]] += 1
                continue
            with lock:
                report.latencies.append(time.monotonic() - begun)
        close()

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(clients)]
    for thread in threads:
        thread.start()
    ready.wait()
    begun = time.monotonic()
    deadline.append(begun + seconds)
    go.set()
    for thread in threads:
        thread.join(seconds + 120)
    for report in reports:
        report.seconds = time.monotonic() - begun
    stuck = sum(thread.is_alive() for thread in threads)
    if stuck:
        reports[0].errors["clients that never came back"] += stuck
    return reports


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=100, help="on both targets together")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    users = {"alice": "one good secret"}
    with running_server(users=users, tls=True) as server:
        server.wait_until_ready()
        targets = [
            Target(name, server.addresses[name], "alice", users["alice"], server.ca)
            for name in ("flight", "trino")
        ]
        load(targets, options.clients, 5)  # pools, classes and buffers that stay are no leak
        before = usage(server.process.pid)
        reports = load(targets, options.clients, options.seconds)
        after = usage(server.process.pid)
    for report in reports:
        print(report)
    print(f"gateway before: {before}; after: {after}")
    return 1 if any(report.errors for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
