"""The Flight protocol, both halves, over a real socket and a fake engine."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.flight as fl
import pytest
from testing.command import until
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import (
    AccessDeniedError,
    GatewayError,
    QueryCanceledError,
    QueryNotFoundError,
    SessionError,
    SqeError,
    UsageError,
)
from sqe.frontends.flight import wire
from sqe.frontends.flight.client import FlightConnection, FlightResult
from sqe.frontends.flight.server import FlightGateway, GatewayControls
from sqe.frontends.flight.wire import Impersonation
from sqe.model.identity import Principal
from sqe.model.query import QueryState
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.service.service import QueryService

SPEC = SessionSpec((WarehouseCatalog("iceberg", None),), Path("/somewhere"))


@dataclass
class Server:
    location: str
    engine: FakeEngine
    service: QueryService

    def connect(self, token: str = "right") -> FlightConnection:
        return FlightConnection(self.location, token)


@pytest.fixture
def impersonation() -> bool:
    return False


def impersonate(who: Impersonation) -> Principal:
    return Principal(who.user, "stand-in", who.groups, who.roles)


@pytest.fixture
def server(impersonation: bool) -> Iterator[Server]:
    engine = FakeEngine()
    service = QueryService(engine, LimitsConfig())
    with tempfile.TemporaryDirectory(prefix="sqe-") as directory:
        location = f"grpc+unix://{directory}/socket"
        gateway = FlightGateway(
            location,
            "right",
            service,
            GatewayControls(lambda: {"engine": "fake"}, lambda drain: None),
            lambda: Principal("ann", "shell"),
            impersonate if impersonation else None,
        )
        yield Server(location, engine, service)
        service.drain(0)
        gateway.close()


class Listening(fl.FlightServerBase):  # type: ignore[misc]  # pyarrow has no types
    """Notes what a server has when it begins to listen: a shell may call at once."""

    def __init__(self, *arguments: object, **options: object) -> None:
        self.ready = set(vars(self))
        super().__init__(*arguments, **options)


class Watched(FlightGateway, Listening): ...


def test_everything_is_there_before_it_listens() -> None:
    service = QueryService(FakeEngine(), LimitsConfig())
    with tempfile.TemporaryDirectory(prefix="sqe-") as directory:
        controls = GatewayControls(dict, lambda drain: None)
        gateway = Watched(
            f"grpc+unix://{directory}/socket", "right", service, controls, lambda: Principal("ann", "shell")
        )
        service.drain(0)
        gateway.close()
    assert set(vars(gateway)) - {"ready"} == gateway.ready


@pytest.fixture
def connection(server: Server) -> Iterator[FlightConnection]:
    connection = server.connect()
    connection.open(SPEC)
    yield connection
    connection.close()


def test_rows_arrive(connection: FlightConnection) -> None:
    result = connection.execute("rows 3")
    assert result.schema.names == ["n"]
    assert [value for batch in result for value in batch.column(0).to_pylist()] == [0, 1, 2]
    status = result.status()
    assert (status.state, status.progress.rows) == (QueryState.FINISHED, 3)


def test_an_error_arrives_whole(server: Server, connection: FlightConnection) -> None:
    server.engine.failure = SessionError("no such thing", hint="look elsewhere", detail="only for the log")
    result = connection.execute("fail")
    with pytest.raises(SessionError) as caught:
        list(result)
    assert caught.value.message == "no such thing"
    assert caught.value.hint == "look elsewhere"
    assert caught.value.query_id == result.query_id
    assert caught.value.detail is None


@pytest.mark.parametrize("token", ["wrong", "", "right "])
def test_nobody_gets_in_without_the_token(server: Server, token: str) -> None:
    stranger = server.connect(token)
    with pytest.raises(GatewayError):
        stranger.open(SPEC)
    with pytest.raises(GatewayError):
        stranger.ask(wire.GATEWAY_STATUS, {})
    stranger.close()
    assert server.engine.sessions == []


def test_another_session_cannot_read_or_cancel_a_query(server: Server, connection: FlightConnection) -> None:
    mine = connection.execute("wait")
    other = server.connect()
    other.open(SPEC)
    theirs = FlightResult(other, mine.query_id)
    with pytest.raises(QueryNotFoundError):
        list(theirs)
    with pytest.raises(QueryNotFoundError):
        other.ask(wire.QUERY_CANCEL, {"query": mine.query_id})
    assert not mine.status().state.terminal
    other.close()


def test_without_a_session_there_is_no_query(server: Server) -> None:
    connection = server.connect()
    with pytest.raises(SessionError):
        connection.execute("rows 1")
    connection.close()


def test_a_canceled_query_says_so(connection: FlightConnection) -> None:
    result = connection.execute("endless")
    batches = iter(result)
    next(batches)
    result.cancel()
    with pytest.raises(QueryCanceledError):
        for _ in batches:
            pass
    result.cancel()


def test_closing_the_connection_ends_its_session_and_query(server: Server) -> None:
    connection = server.connect()
    connection.open(SPEC)
    connection.execute("wait")
    until(lambda: server.service.counts()["running"] == 1)
    connection.close()
    until(lambda: server.service.counts() == {"sessions": 0, "running": 0, "waiting": 0})
    until(lambda: server.engine.sessions[0].closed)


def test_many_connections_at_once(server: Server) -> None:
    totals: list[int] = []

    def use() -> None:
        connection = server.connect()
        connection.open(SPEC)
        totals.append(sum(batch.num_rows for batch in connection.execute("rows 50")))
        connection.close()

    threads = [threading.Thread(target=use) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert totals == [50] * 20


def test_an_unknown_action_and_a_bad_body_are_refused(connection: FlightConnection) -> None:
    with pytest.raises(UsageError, match="no action"):
        connection.ask("sqe.nothing", {})
    with pytest.raises(UsageError, match="'sql'"):
        connection.ask(wire.QUERY_SUBMIT, {})
    with pytest.raises(UsageError, match="number of seconds"):
        connection.ask(wire.GATEWAY_STOP, {"drain": "soon"})


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b"{}",
        b'{"spec": {"catalogs": [1], "dialect": "spark"}}',
        b'{"spec": {"catalogs": [{"name": "a b", "path": null}], "dialect": "spark"}}',
        b'{"spec": {}}',
        b'{"spec": {"catalogs": [], "dialect": "mysql"}}',
        b'{"catalogs": [], "dialect": "spark"}',
    ],
)
def test_a_session_that_cannot_be_read_is_refused(body: bytes) -> None:
    with pytest.raises(SqeError):
        wire.OpenRequest.decode(body)


def test_a_session_survives_the_wire() -> None:
    spec = SessionSpec(
        (WarehouseCatalog("iceberg", Path("/data/w")), WarehouseCatalog("scratch", None)), Path("/data/ann")
    )
    assert wire.OpenRequest.decode(wire.OpenRequest(spec).encode()).spec == spec
    trino = replace(spec, dialect=Dialect.TRINO)
    assert wire.OpenRequest.decode(wire.OpenRequest(trino).encode()).spec == trino


EVE = Impersonation("eve", frozenset({"a", "b"}), frozenset({"c"}))


def test_an_impersonation_survives_the_wire() -> None:
    assert wire.OpenRequest.decode(wire.OpenRequest(SPEC, EVE).encode()).impersonation == EVE
    assert wire.OpenRequest.decode(wire.OpenRequest(SPEC).encode()).impersonation is None


@pytest.mark.parametrize(
    "fields",
    [
        1,
        {},
        {"user": "", "roles": [], "groups": [], "trusted": False},
        {"user": "eve", "roles": "a", "groups": [], "trusted": False},
        {"user": "eve", "roles": [], "groups": [1], "trusted": False},
        {"user": "eve", "roles": [], "groups": [], "trusted": 1},
    ],
)
def test_an_invalid_impersonation_is_refused(fields: object) -> None:
    request = wire.decode(wire.OpenRequest(SPEC).encode())
    with pytest.raises(UsageError):
        wire.OpenRequest.decode(wire.encode({**request, "impersonation": fields}))


def test_impersonation_is_refused_by_default(server: Server) -> None:
    for who in (EVE, replace(EVE, user="ann"), replace(EVE, trusted=True)):
        connection = server.connect()
        with pytest.raises(AccessDeniedError):
            connection.open(SPEC, who)
        connection.close()
    assert server.engine.sessions == []


@pytest.mark.parametrize("impersonation", [True])
def test_where_it_is_allowed_the_impersonated_user_opens_the_session(server: Server) -> None:
    connection = server.connect()
    connection.open(SPEC, EVE)
    assert [session.principal for session in server.engine.sessions] == [
        Principal("eve", "stand-in", frozenset({"c"}), frozenset({"a", "b"}))
    ]
    connection.close()
    own = server.connect()
    own.open(SPEC)
    assert server.engine.sessions[-1].principal == Principal("ann", "shell")
    own.close()
