"""Running one statement: cancellation, broken connections, writers that stop early."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from tests.fakes.connection import Answer, FakeConnection

from sqe.cli.client.background_connection import BackgroundConnection
from sqe.cli.client.connection import Connection
from sqe.cli.client.fetch import END, Fetch
from sqe.cli.execution.console import Console, Display
from sqe.cli.execution.runner import Runner
from sqe.cli.output.sink import PipeClosed, Sink
from sqe.errors import DataError, EngineStartError, GatewayError, QueryCanceledError

SECONDS = 120.0
ONE = pa.table({"a": pa.array([1], pa.int32())})


def opener(connection: Connection) -> Callable[[Callable[[str], None]], Connection]:
    return lambda on_wait: connection


@pytest.fixture
def out(tmp_path: Path) -> Iterator[tuple[Console, Path]]:
    path = tmp_path / "out"
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY)
    yield Console(out=Sink(descriptor), err=Sink(descriptor)), path
    os.close(descriptor)


def test_an_error_in_the_middle_keeps_what_came_before(out: tuple[Console, Path]) -> None:
    console, path = out
    connection = FakeConnection({"q": Answer(ONE, late_error=DataError("Overflow."))})
    error = Runner(BackgroundConnection(opener(connection)), Display(format="csv"), console).run("q")
    assert isinstance(error, DataError)
    assert path.read_text() == "a\n1\nerror: DATA_ERROR [22000]: Overflow.\n"
    assert connection.results[0].closed.wait(SECONDS)


def test_a_reader_that_goes_away_cancels_the_statement(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    connection = FakeConnection({"q": Answer(ONE, endless=True)})
    runner = Runner(
        BackgroundConnection(opener(connection)), Display(format="csv"), Console(out=Sink(writing))
    )
    with pytest.raises(PipeClosed):
        runner.run("q")
    assert connection.results[0].canceled.wait(SECONDS)
    assert connection.results[0].closed.wait(SECONDS)
    os.close(writing)


def test_a_lost_gateway_is_connected_to_again(out: tuple[Console, Path]) -> None:
    console, _ = out
    connections = [FakeConnection({"q": ONE}), FakeConnection({"q": ONE})]
    opened = iter(connections)
    runner = Runner(BackgroundConnection(lambda on_wait: next(opened)), Display(format="csv"), console)
    assert runner.run("q") is None
    connections[0].closed.set()
    assert isinstance(runner.run("q"), GatewayError)
    assert runner.run("q") is None
    assert connections[1].executed == ["q"]


def test_a_connection_that_fails_is_tried_again_by_the_next_statement(out: tuple[Console, Path]) -> None:
    console, _ = out
    failures = [EngineStartError("No Java.")]

    def open_once(on_wait: Callable[[str], None]) -> Connection:
        if failures:
            raise failures.pop()
        return FakeConnection({"q": ONE})

    runner = Runner(BackgroundConnection(open_once), Display(format="csv"), console)
    assert isinstance(runner.run("q"), EngineStartError)
    assert runner.run("q") is None


def test_bugs_are_not_swallowed(out: tuple[Console, Path]) -> None:
    console, _ = out

    def broken(sql: str) -> Answer:
        raise ZeroDivisionError

    runner = Runner(BackgroundConnection(opener(FakeConnection(broken))), Display(format="csv"), console)
    with pytest.raises(ZeroDivisionError):
        runner.run("q")


def test_collect_and_schema(out: tuple[Console, Path]) -> None:
    connection = FakeConnection({"q": ONE, "bad": Answer(error=DataError("x"))})
    runner = Runner(BackgroundConnection(opener(connection)), Display(), out[0])
    assert runner.collect("q").to_pylist() == [{"a": 1}]
    assert runner.schema("q").names == ["a"]
    with pytest.raises(DataError):
        runner.collect("bad")


def test_fetch_gives_schema_batches_and_end() -> None:
    fetch = Fetch(FakeConnection({"q": Answer(ONE)}), "q")
    assert fetch.next(SECONDS) == ONE.schema
    assert fetch.next(SECONDS) == ONE.to_batches()[0]
    assert fetch.next(SECONDS) is END


def test_fetch_cancels_what_hangs() -> None:
    connection = FakeConnection({"q": Answer(hold=threading.Event())})
    fetch = Fetch(connection, "q")
    assert fetch.next(0.05) is None
    assert fetch.cancel(SECONDS)
    assert connection.results[0].canceled.is_set()


def test_fetch_cancels_a_statement_that_is_being_sent() -> None:
    sending, go = threading.Event(), threading.Event()

    def slow(sql: str) -> Answer:
        sending.set()
        assert go.wait(SECONDS)
        return Answer(hold=threading.Event())

    connection = FakeConnection(slow)
    fetch = Fetch(connection, "q")
    assert sending.wait(SECONDS)
    assert not fetch.cancel(0.01)
    go.set()
    assert fetch.cancel(SECONDS)
    assert connection.results[0].canceled.is_set()


def test_fetch_passes_a_cancellation_by_others_on() -> None:
    connection = FakeConnection({"q": Answer(ONE, endless=True)})
    fetch = Fetch(connection, "q")
    assert fetch.next(SECONDS) == ONE.schema
    connection.results[0].cancel()
    with pytest.raises(QueryCanceledError):
        _drain(fetch)


def _drain(fetch: Fetch) -> None:
    while fetch.next(SECONDS) is not END:
        continue
