"""Queries that are stopped: by their user, by a limit, or before they have begun."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from testing.command import ENDLESS, Sqe, until

from sqe.cli.client.gateway import connect
from sqe.config.load import load
from sqe.errors import (
    QueryCanceledError,
    QueryTimeoutError,
    StatementTooComplexError,
    StatementTooLargeError,
    TooManyRowsError,
)
from sqe.frontends.flight import wire
from sqe.frontends.flight.client import FlightConnection, FlightResult
from sqe.model.query import QueryState
from sqe.model.session import DEFAULT_CATALOG, SessionSpec, WarehouseCatalog

pytestmark = pytest.mark.engine

Connect = Callable[[Mapping[str, str]], FlightConnection]


@pytest.fixture(name="connect")
def connector(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Connect]:
    """Open sessions from this process, on the gateway that the command would use with the same environment."""
    connections: list[FlightConnection] = []
    monkeypatch.delenv("JAVA_HOME", raising=False)

    def open_session(environment: Mapping[str, str]) -> FlightConnection:
        spec = SessionSpec((WarehouseCatalog(DEFAULT_CATALOG, tmp_path / "warehouse"),), tmp_path)
        connections.append(connect(load(None, environment), spec, on_wait=lambda note: None))
        return connections[-1]

    yield open_session
    for connection in connections:
        connection.close()


def values(connection: FlightConnection, sql: str) -> list[Any]:
    """The first column of a result."""
    return [value for batch in connection.execute(sql) for value in batch.column(0).to_pylist()]


def engine(connection: FlightConnection) -> dict[str, Any]:
    return connection.ask(wire.GATEWAY_STATUS, {})


def run_until_busy(connection: FlightConnection, sql: str) -> FlightResult:
    result = connection.execute(sql)
    until(lambda: result.status().progress.tasks_running > 0, "the query's tasks run")
    return result


def assert_cores_are_free(connection: FlightConnection) -> None:
    """More tasks than cores: they could not all end while another query's tasks hold one for ever."""
    assert values(connection, "SELECT count(*) FROM range(0, 1000, 1, 16)") == [1000]


def test_a_canceled_aggregate_gives_its_cores_back(connect: Connect, environment: Mapping[str, str]) -> None:
    connection = connect(environment)
    values(connection, "SELECT 1")
    result = run_until_busy(connection, ENDLESS)
    assert result.status().state is QueryState.RUNNING
    result.cancel()
    result.cancel()  # twice is harmless
    with pytest.raises(QueryCanceledError):
        list(result)
    until(lambda: result.status().state.terminal, "the query ends")
    status = result.status()
    assert status.state is QueryState.CANCELED
    assert isinstance(status.error, QueryCanceledError)
    assert status.error.query_id == result.query_id
    assert_cores_are_free(connection)


def test_a_canceled_result_in_the_middle_of_its_rows(
    connect: Connect, environment: Mapping[str, str]
) -> None:
    connection = connect(environment)
    result = connection.execute("SELECT * FROM range(0, 10000000000, 1, 10000)")
    batches = iter(result)
    assert next(batches).num_rows > 0
    result.cancel()
    with pytest.raises(QueryCanceledError):
        for _ in batches:
            pass
    until(lambda: result.status().state is QueryState.CANCELED, "the query ends")
    assert_cores_are_free(connection)


def test_a_query_canceled_before_the_engine_is_up_does_not_wait_for_it(connect: Connect, alone: Sqe) -> None:
    connection = connect(alone.environment)
    result = connection.execute(ENDLESS)
    status = result.status()
    assert (status.state, status.note is None) == (QueryState.QUEUED, False)
    result.cancel()
    with pytest.raises(QueryCanceledError):
        list(result)
    until(lambda: result.status().state is QueryState.CANCELED, "the query ends")
    assert engine(connection)["engine"] != "ready"
    assert_cores_are_free(connection)  # and this one waits for the engine


def test_progress_moves(connect: Connect, environment: Mapping[str, str]) -> None:
    connection = connect(environment)
    values(connection, "SELECT 1")
    result = connection.execute(
        "SELECT count(DISTINCT hash(id) % 1000) FROM range(0, 1000000000, 1, 300) WHERE hash(id) % 7 = 1"
    )
    seen = [result.status()]

    def ended() -> bool:
        seen.append(result.status())
        return seen[-1].state.terminal

    until(ended, "the query ends", 120)
    assert seen[-1].state is QueryState.FINISHED, seen[-1].error
    progress = [status.progress for status in seen]
    done = [each.tasks_done for each in progress]
    assert done == sorted(done)
    assert len(set(done)) >= 4, done
    assert progress[-1].stages > 0
    assert progress[-1].tasks >= 300
    assert any(0 < (each.fraction or 0) < 1 for each in progress)
    assert any(each.tasks_running > 0 for each in progress)
    assert {status.state for status in seen} >= {QueryState.RUNNING, QueryState.FINISHED}


def test_limits_end_what_runs_too_long_or_returns_too_much(connect: Connect, alone: Sqe) -> None:
    limits = {"SQE_LIMITS__RUN_TIME": "8s", "SQE_LIMITS__ROWS": "5000"}
    connection = connect({**alone.environment, **limits})
    assert values(connection, "SELECT 1") == [1]
    slow = connection.execute(ENDLESS)
    with pytest.raises(QueryTimeoutError, match=r"limits\.run_time"):
        list(slow)
    until(lambda: slow.status().state.terminal, "the query ends")
    assert slow.status().state is QueryState.FAILED
    assert_cores_are_free(connection)
    with pytest.raises(TooManyRowsError, match=r"limits\.rows"):
        values(connection, "SELECT * FROM range(1000000)")
    assert len(values(connection, "SELECT * FROM range(5000)")) == 5000


def test_statements_that_are_too_large_or_too_deep_never_reach_the_engine(
    connect: Connect, environment: Mapping[str, str]
) -> None:
    connection = connect(environment)
    assert values(connection, "SELECT 1") == [1]
    pid = engine(connection)["engine_pid"]
    with pytest.raises(StatementTooLargeError, match=r"1,000,000"):
        connection.execute(f"SELECT length('{'x' * 2_000_000}')")
    assert values(connection, f"SELECT length('{'x' * 900_000}')") == [900_000]
    for deep in (
        f"SELECT {'(' * 5000}1{')' * 5000}",
        f"SELECT {'abs(' * 5000}1{')' * 5000}",
        f"SELECT {'CASE WHEN true THEN ' * 5000}1{' END' * 5000}",
        f"SELECT * FROM {'(SELECT * FROM ' * 5000}range(1){')' * 5000}",
        f"SELECT {'NOT ' * 5000}true",
    ):
        with pytest.raises(StatementTooComplexError):
            connection.execute(deep)
    assert values(connection, "SELECT 2") == [2]
    assert engine(connection)["engine_pid"] == pid
