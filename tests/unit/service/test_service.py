"""The query service with a fake engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from testing.command import until
from tests.fakes.engine import FakeEngine
from tests.support.clock import skipping_time

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import (
    AuthenticationError,
    EngineLostError,
    QueryCanceledError,
    QueryNotFoundError,
    QueryTimeoutError,
    SessionError,
    SqeError,
    StatementTooLargeError,
    TooManyQueriesError,
    TooManyRowsError,
)
from sqe.model.identity import Principal
from sqe.model.query import QueryId, QueryState
from sqe.model.session import SessionSpec
from sqe.service import query
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.units import Duration, Size

SPEC = SessionSpec(())


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def make(engine: FakeEngine) -> Iterator[Callable[..., QueryService]]:
    services: list[QueryService] = []

    def build(**limits: object) -> QueryService:
        services.append(QueryService(engine, LimitsConfig().model_copy(update=limits)))
        return services[-1]

    yield build
    for service in services:
        service.drain(0)


def here() -> bool:
    return False


def rows(service: QueryService, session: GatewaySession, query_id: QueryId) -> list[int]:
    stream = service.fetch(session, query_id)
    stream.schema(here)
    return [value for batch in stream.batches(here) for value in batch.column(0).to_pylist()]


def ended(service: QueryService, session: GatewaySession, query_id: QueryId) -> QueryState:
    until(lambda: service.poll(session, query_id).state.terminal)
    return service.poll(session, query_id).state


def test_a_result_is_streamed_and_the_query_finishes(make: Callable[..., QueryService]) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "rows 5"))
    assert rows(service, session, query_id) == [0, 1, 2, 3, 4]
    status = service.poll(session, query_id)
    assert status.state is QueryState.FINISHED
    assert status.progress.rows == 5
    assert status.progress.fraction == 0.5


def test_a_failure_reaches_the_reader_with_its_query_id(
    make: Callable[..., QueryService], engine: FakeEngine
) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    engine.failure = EngineLostError("gone")
    query_id = service.submit(session, service.read(session, "fail"))
    with pytest.raises(EngineLostError) as caught:
        rows(service, session, query_id)
    assert caught.value.query_id == query_id
    assert ended(service, session, query_id) is QueryState.FAILED


def test_a_slow_reader_stops_the_engine_from_producing(
    make: Callable[..., QueryService], engine: FakeEngine
) -> None:
    service = make(result_buffer=Size(40))  # five batches of one number
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "rows 1000"))
    until(lambda: engine.produced >= 6)
    time.sleep(0.1)  # it would go on in this time if nothing held it
    assert engine.produced == 6
    assert len(rows(service, session, query_id)) == 1000


def test_cancel_interrupts_and_the_reader_hears_of_it(
    make: Callable[..., QueryService], engine: FakeEngine
) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "endless"))
    stream = service.fetch(session, query_id)
    batches = stream.batches(here)
    next(batches)
    service.cancel(session, query_id)
    with pytest.raises(QueryCanceledError):
        for _ in batches:
            pass
    assert ended(service, session, query_id) is QueryState.CANCELED
    assert query_id in engine.sessions[0].interrupted


def test_cancel_while_the_engine_boots(make: Callable[..., QueryService], engine: FakeEngine) -> None:
    engine.up.clear()
    engine.note = "the engine is starting"
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "rows 1"))
    assert service.poll(session, query_id).note == "the engine is starting"
    service.cancel(session, query_id)
    assert ended(service, session, query_id) is QueryState.CANCELED
    assert engine.sessions[0].started == []


def test_a_reader_that_goes_away_stops_the_query(make: Callable[..., QueryService]) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "endless"))
    batches = service.fetch(session, query_id).batches(here)
    next(batches)
    batches.close()
    assert ended(service, session, query_id) is QueryState.CANCELED


def test_a_client_that_is_gone_before_the_first_row_stops_the_query(
    make: Callable[..., QueryService],
) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "wait"))
    gone = threading.Event()
    batches = service.fetch(session, query_id).batches(gone.is_set)
    gone.set()
    with pytest.raises(QueryCanceledError):
        next(batches)
    assert ended(service, session, query_id) is QueryState.CANCELED


def test_another_session_cannot_touch_a_query(make: Callable[..., QueryService]) -> None:
    service = make()
    mine, theirs = (
        service.open_session(Principal("ann", "test"), SPEC),
        service.open_session(Principal("bob", "test"), SPEC),
    )
    query_id = service.submit(mine, service.read(mine, "wait"))
    for call in (service.poll, service.fetch, service.cancel):
        with pytest.raises(QueryNotFoundError):
            call(theirs, query_id)
    assert not service.poll(mine, query_id).state.terminal


def test_queries_wait_for_a_slot_oldest_first(make: Callable[..., QueryService], engine: FakeEngine) -> None:
    service = make(concurrent_queries=1)
    session = service.open_session(Principal("ann", "test"), SPEC)
    first, second = (
        service.submit(session, service.read(session, "wait")),
        service.submit(session, service.read(session, "rows 1")),
    )
    assert service.poll(session, second).state is QueryState.QUEUED
    assert service.poll(session, second).note == "waiting for other queries to end"
    engine.released.set()
    assert ended(service, session, first) is QueryState.FINISHED
    assert ended(service, session, second) is QueryState.FINISHED
    assert engine.sessions[0].started == ["wait", "rows 1"]


def test_one_user_cannot_take_every_slot(make: Callable[..., QueryService]) -> None:
    service = make(concurrent_queries=2, concurrent_queries_per_user=1)
    ann, bob = (
        service.open_session(Principal("ann", "test"), SPEC),
        service.open_session(Principal("bob", "test"), SPEC),
    )
    service.submit(ann, service.read(ann, "wait"))
    waiting = service.submit(ann, service.read(ann, "rows 1"))
    assert rows(service, bob, service.submit(bob, service.read(bob, "rows 1"))) == [0]
    assert service.poll(ann, waiting).state is QueryState.QUEUED


def test_a_full_queue_refuses(make: Callable[..., QueryService]) -> None:
    service = make(concurrent_queries=1, queued_queries=1)
    session = service.open_session(Principal("ann", "test"), SPEC)
    service.submit(session, service.read(session, "wait"))
    service.submit(session, service.read(session, "wait"))
    with pytest.raises(TooManyQueriesError):
        service.submit(session, service.read(session, "wait"))


def test_a_waiting_query_can_be_canceled(make: Callable[..., QueryService], engine: FakeEngine) -> None:
    service = make(concurrent_queries=1)
    session = service.open_session(Principal("ann", "test"), SPEC)
    service.submit(session, service.read(session, "wait"))
    waiting = service.submit(session, service.read(session, "rows 1"))
    service.cancel(session, waiting)
    assert ended(service, session, waiting) is QueryState.CANCELED
    assert service.counts()["waiting"] == 0


def test_too_many_sessions_are_refused(make: Callable[..., QueryService]) -> None:
    service = make(sessions=1)
    session = service.open_session(Principal("ann", "test"), SPEC)
    with pytest.raises(TooManyQueriesError):
        service.open_session(Principal("ann", "test"), SPEC)
    service.close_session(session)
    service.open_session(Principal("ann", "test"), SPEC)


def test_closing_a_session_cancels_its_queries_and_frees_the_engine(
    make: Callable[..., QueryService], engine: FakeEngine
) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    service.submit(session, service.read(session, "endless"))
    service.close_session(session)
    assert engine.sessions[0].closed
    assert service.counts() == {"sessions": 0, "running": 0, "waiting": 0}
    with pytest.raises(SessionError):
        service.submit(session, service.read(session, "rows 1"))


def test_the_time_limit_ends_a_query(make: Callable[..., QueryService]) -> None:
    service = make(run_time=Duration(0.1))
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "wait"))
    with pytest.raises(QueryTimeoutError):
        rows(service, session, query_id)
    assert ended(service, session, query_id) is QueryState.FAILED


def test_waiting_for_the_engine_does_not_count_as_running(
    make: Callable[..., QueryService], engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipping = skipping_time(monkeypatch, query)
    service = make(run_time=Duration(600))
    session = service.open_session(Principal("ann", "test"), SPEC)
    engine.up.clear()
    query_id = service.submit(session, service.read(session, "rows 1"))
    skipping.skip(1000)
    time.sleep(0.8)  # longer than the service's ticks
    engine.up.set()
    assert rows(service, session, query_id) == [0]


def test_the_row_limit_ends_a_query(make: Callable[..., QueryService], engine: FakeEngine) -> None:
    service = make(rows=3)
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "rows 10"))
    with pytest.raises(TooManyRowsError):
        rows(service, session, query_id)
    assert query_id in engine.sessions[0].interrupted


def test_a_result_that_nobody_reads_is_given_up(make: Callable[..., QueryService]) -> None:
    service = make(unread_result=Duration(0.2), result_buffer=Size(16))
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "rows 1000"))
    assert ended(service, session, query_id) is QueryState.CANCELED


def test_a_statement_beyond_the_size_limit_is_refused(make: Callable[..., QueryService]) -> None:
    service = make(sql_bytes=Size(100))
    session = service.open_session(Principal("ann", "test"), SPEC)
    with pytest.raises(StatementTooLargeError):
        service.submit(session, service.read(session, "SELECT '" + "x" * 100 + "'"))


def test_the_end_of_a_login_fails_its_queries_and_nobody_elses(
    make: Callable[..., QueryService], engine: FakeEngine
) -> None:
    service = make()
    ended_login = Principal("ann", "oidc_password", login="l1")
    ann, again, bob = (
        service.open_session(principal, SPEC)
        for principal in (
            ended_login,
            Principal("ann", "oidc_password", login="l2"),
            Principal("bob", "users_file"),
        )
    )
    queries = [
        (session, service.submit(session, service.read(session, "wait"))) for session in (ann, again, bob)
    ]
    until(lambda: all(service.poll(*query).state is QueryState.RUNNING for query in queries))
    service.end_login(ended_login, AuthenticationError("The login of ann has ended."))
    assert ended(service, *queries[0]) is QueryState.FAILED
    error = service.poll(*queries[0]).error
    assert isinstance(error, AuthenticationError)
    assert error.message == "The login of ann has ended."
    with pytest.raises(AuthenticationError):
        service.submit(ann, service.read(ann, "rows 1"))
    until(lambda: engine.sessions[0].closed)
    assert isinstance(service.poll(*queries[0]).error, AuthenticationError)  # its client may ask later
    assert [service.poll(*query).state for query in queries[1:]] == [QueryState.RUNNING] * 2
    assert not engine.sessions[1].closed
    engine.released.set()


def test_draining_lets_queries_end_and_takes_no_new_ones(
    make: Callable[..., QueryService], engine: FakeEngine
) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "wait"))
    until(lambda: service.poll(session, query_id).state is QueryState.RUNNING)
    draining = threading.Thread(target=service.drain, args=(120,))
    draining.start()
    until(lambda: _refuses(service))
    assert service.poll(session, query_id).state is QueryState.RUNNING
    engine.released.set()
    draining.join(120)
    assert not draining.is_alive()


def test_draining_waits_for_a_reader_who_is_still_at_it(
    make: Callable[..., QueryService], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqe.service.service._READER_SECONDS", 120.0)
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    query_id = service.submit(session, service.read(session, "rows 5"))
    assert ended(service, session, query_id) is QueryState.FINISHED
    stream = service.fetch(session, query_id)
    assert stream.take(10)[1] is not None
    draining = threading.Thread(target=service.drain, args=(120,))
    draining.start()
    until(lambda: _refuses(service))
    assert [stream.take(10)[1] is not None for _ in range(4)] == [True] * 4
    draining.join(120)
    assert not draining.is_alive()


def _refuses(service: QueryService) -> bool:
    try:
        service.close_session(service.open_session(Principal("ann", "test"), SPEC))
    except SqeError:
        return True
    return False


def test_idle_and_quiet_are_different(make: Callable[..., QueryService], engine: FakeEngine) -> None:
    service = make()
    session = service.open_session(Principal("ann", "test"), SPEC)
    assert service.idle_seconds == 0
    until(lambda: service.quiet_seconds > 0)
    service.submit(session, service.read(session, "wait"))
    assert service.quiet_seconds == 0
    service.close_session(session)
    until(lambda: service.idle_seconds > 0)
