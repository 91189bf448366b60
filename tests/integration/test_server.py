"""`sqe server` as an operator runs it: TLS, a users file, probes, signals; with real clients at both front ends."""

from __future__ import annotations

import base64
import concurrent.futures
import os
import shutil
import signal
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import adbc_driver_flightsql.dbapi as flight_sql
import adbc_driver_manager
import pytest
import trino
from adbc_driver_flightsql import DatabaseOptions
from testing.certificates import Authority, own_certificates
from testing.command import ENDLESS, Sqe, until
from testing.server import RunningServer, running_server

pytestmark = [
    pytest.mark.engine,
    pytest.mark.filterwarnings("ignore:Cannot disable autocommit"),  # as there are no transactions
]

SECONDS = 150.0

# Long enough to see it run, short enough to see it end.
LONG = "SELECT count(*) FROM range(300000000) WHERE hash(id) = 1"

Ask = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server(users={"alice": "secret", "bob": "b"}, tls=True) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def _own_certificates() -> Iterator[None]:
    with own_certificates():
        yield


def ask_trino(server: RunningServer, sql: str, user: str = "alice", password: str = "secret") -> list[Any]:
    connection = trino.dbapi.connect(  # type: ignore[no-untyped-call]
        host="localhost",
        port=server.port("trino"),
        http_scheme="https",
        verify=str(server.ca),
        user=user,
        auth=trino.auth.BasicAuthentication(user, password),
        session_properties={"dialect": "spark"} if "range(" in sql else None,
        request_timeout=SECONDS,
        max_attempts=1,
    )
    with closing(connection), closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        return [tuple(row) for row in cursor.fetchall()]


def ask_flight(server: RunningServer, sql: str, user: str = "alice", password: str = "secret") -> list[Any]:
    assert server.ca is not None
    options = {
        "username": user,
        "password": password,
        DatabaseOptions.TLS_ROOT_CERTS.value: server.ca.read_text(),
    }
    with flight_sql.connect(server.flight, db_kwargs=options) as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        rows: list[Any] = cursor.fetchall()
        return rows


def running(server: RunningServer) -> float:
    text = server.get(f"{server.metrics}/metrics")[1]
    return float(
        next(line.split()[1] for line in text.splitlines() if line.startswith("sqe_queries_running "))
    )


def test_queries_that_come_before_the_engine_wait_and_succeed() -> None:
    with running_server(users={"alice": "secret"}, tls=True) as server:
        status, reason = server.get(f"{server.health}/readyz")
        assert status == 503, "the engine was faster than this test"
        assert "reason" in reason
        assert server.get(f"{server.health}/healthz")[0] == 200
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answers = [pool.submit(ask, server, "SELECT 1") for ask in (ask_trino, ask_flight)]
            assert [answer.result(SECONDS) for answer in answers] == [[(1,)], [(1,)]]
        assert server.get(f"{server.health}/readyz")[0] == 200
        assert server.stop() == 0
        assert not any("Traceback" in line for line in server.log), "\n".join(server.log)


@pytest.mark.smoke
@pytest.mark.parametrize("ask", [ask_trino, ask_flight])
def test_a_user_with_the_right_password_is_that_user(server: RunningServer, ask: Ask) -> None:
    assert ask(server, "SELECT 1") == [(1,)]
    assert ask(server, "SELECT current_user") == [("alice",)]
    assert ask(server, "SELECT current_user", "bob", "b") == [("bob",)]


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("ask", "refusal"),
    [(ask_trino, trino.exceptions.HttpError), (ask_flight, adbc_driver_manager.ProgrammingError)],
)
def test_a_wrong_password_is_refused(server: RunningServer, ask: Ask, refusal: type[Exception]) -> None:
    for user, password in (("alice", "b"), ("mallory", "secret")):
        with pytest.raises(refusal, match=r"401|UNAUTHENTICATED"):
            ask(server, "SELECT 1", user, password)
    assert ask(server, "SELECT 1") == [(1,)]


def test_nobody_comes_in_without_credentials(server: RunningServer) -> None:
    status, _ = server.get(f"{server.trino}/v1/query", {"X-Trino-User": "alice"})
    assert status in (401, 404)
    basic = base64.b64encode(b"alice:secret").decode()
    assert server.get(f"{server.trino}/v1/info", {"Authorization": f"Basic {basic}"})[0] == 200


@pytest.mark.smoke
def test_tables_of_one_front_end_are_seen_at_the_other_and_in_the_shell(server: RunningServer) -> None:
    ask_trino(server, "CREATE TABLE shared AS SELECT 42 AS answer")
    assert ask_flight(server, "SELECT answer FROM shared") == [(42,)]
    shell = Sqe(server.environment)
    done = shell.run("-e", "SELECT answer FROM iceberg.default.shared", "--format", "csv")
    assert done.out == "answer\n42\n", done.err


def test_metrics_count_what_happened(server: RunningServer) -> None:
    ask_trino(server, "SELECT 1")
    ask_flight(server, "SELECT 1")
    text = server.get(f"{server.metrics}/metrics")[1]
    for front_end in ("trino", "flight"):
        assert f'sqe_queries_total{{code="",front_end="{front_end}",state="FINISHED"}}' in text
    assert 'sqe_logins_total{provider="users_file",result="accepted"}' in text
    assert "sqe_engine_up 1.0" in text


def test_new_certificates_are_taken_up_while_it_runs(server: RunningServer, tmp_path: Path) -> None:
    new = Authority(tmp_path)
    fresh = new.server()
    certificate, key = (server.environment[f"SQE_SERVER__TLS_{name}"] for name in ("CERTIFICATE", "KEY"))
    old = {path: Path(path).read_bytes() for path in (certificate, key)}
    before = server.ca
    try:
        shutil.copy(fresh.certificate, certificate)
        shutil.copy(fresh.key, key)
        os.kill(server.process.pid, signal.SIGHUP)
        server.ca = new.certificate
        until(lambda: reachable(server), "the new certificate is used", 20)
        assert ask_trino(server, "SELECT 1") == [(1,)]
        assert ask_flight(server, "SELECT 1") == [(1,)]
    finally:
        for path, content in old.items():
            Path(path).write_bytes(content)
        server.ca = before
        until(lambda: reachable(server), "the old certificate is used again", 20)


def reachable(server: RunningServer) -> bool:
    try:
        return server.get(f"{server.health}/healthz")[0] == 200
    except (OSError, ssl.SSLError):
        return False


def test_a_user_added_while_it_runs_can_log_in(server: RunningServer) -> None:
    shell = Sqe(server.environment)
    done = shell.run("users", "add", "carol", stdin="c\n")
    assert done.code == 0, done.err
    assert ask_trino(server, "SELECT 1", "carol", "c") == [(1,)]
    assert shell.run("users", "remove", "carol").code == 0
    with pytest.raises(trino.exceptions.HttpError, match="401"):
        ask_trino(server, "SELECT 1", "carol", "c")


@pytest.mark.slow
def test_sigterm_lets_running_queries_end_and_refuses_new_ones() -> None:
    with running_server(
        users={"alice": "secret"}, tls=True, settings={"server__drain_timeout": "10min"}
    ) as server:
        ask_trino(server, "SELECT 1")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answers = [pool.submit(ask_trino, server, LONG)]
            until(lambda: running(server) == 1, "the query runs")
            server.process.send_signal(signal.SIGTERM)
            until(lambda: server.get(f"{server.health}/readyz")[0] == 503, "it is not ready", 10)
            with pytest.raises((trino.exceptions.Error, adbc_driver_manager.Error)):
                ask_flight(server, "SELECT 1")
            assert len(answers[0].result(4 * SECONDS)) == 1
        assert server.process.wait(SECONDS) == 0


def test_a_query_that_does_not_end_in_time_is_canceled() -> None:
    with (
        running_server(
            users={"alice": "secret"}, tls=True, settings={"server__drain_timeout": "1s"}
        ) as server,
        concurrent.futures.ThreadPoolExecutor() as pool,
    ):
        answer = pool.submit(ask_trino, server, ENDLESS)
        until(lambda: running(server) == 1, "the query runs")
        assert server.stop(60) == 0
        with pytest.raises(trino.exceptions.Error):
            answer.result(SECONDS)


def test_a_taken_port_is_told_in_one_sentence(server: RunningServer) -> None:
    port = server.port("trino")
    command = Sqe({**server.environment, "SQE_PATHS__HOME": str(server.home / "other")})
    done = command.having(server__trino_port=str(port)).run("server")
    assert done.code == 2
    assert f"server.trino_port: the port {port} on 127.0.0.1 is taken." in done.err
