"""The codes and trailers that gRPC really carries, seen with a client that is not Arrow's."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Iterator

import grpc
import pytest
from tests.unit.frontends.flight.conftest import FlightFrontEnd

from sqe.errors import (
    AccessDeniedError,
    CommitConflictError,
    DataError,
    EngineLostError,
    LimitError,
    QueryCanceledError,
    QueryTimeoutError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    TableNotFoundError,
    TooManyQueriesError,
    UnsupportedError,
    UsageError,
    tree,
)
from sqe.frontends.flight import messages, wire
from sqe.frontends.flight.flight_errors import CODES as CODES_OF_CLASSES
from sqe.frontends.flight.proto import Flight_pb2
from sqe.frontends.flight.proto import FlightSql_pb2 as sql

SERVICE = "/arrow.flight.protocol.FlightService/"
CODES = [
    (TableNotFoundError("x"), grpc.StatusCode.NOT_FOUND),
    (SqlSyntaxError("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (UsageError("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (DataError("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (UnsupportedError("x"), grpc.StatusCode.UNIMPLEMENTED),
    (AccessDeniedError("x"), grpc.StatusCode.PERMISSION_DENIED),
    (QueryCanceledError("x"), grpc.StatusCode.CANCELLED),
    (QueryTimeoutError("x"), grpc.StatusCode.DEADLINE_EXCEEDED),
    (EngineLostError("x"), grpc.StatusCode.UNAVAILABLE),
    (TooManyQueriesError("x"), grpc.StatusCode.UNAVAILABLE),
    (CommitConflictError("x"), grpc.StatusCode.UNAVAILABLE),  # pyarrow cannot send ABORTED
    (StatementTooComplexError("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (LimitError("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (SqeError("x"), grpc.StatusCode.INTERNAL),
]


def test_every_error_class_has_a_code_of_its_own_choice() -> None:
    assert set(CODES_OF_CLASSES) == set(tree())


@pytest.fixture
def channel(front_end: FlightFrontEnd) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{front_end.endpoint.port}") as channel:
        yield channel


def call(
    channel: grpc.Channel,
    command: bytes,
    metadata: tuple[tuple[str, str], ...] = (),
    method: str = "GetFlightInfo",
) -> grpc.Call:
    descriptor = Flight_pb2.FlightDescriptor(type=Flight_pb2.FlightDescriptor.CMD, cmd=command)
    ask = channel.unary_unary(
        SERVICE + method,
        request_serializer=Flight_pb2.FlightDescriptor.SerializeToString,
        response_deserializer=Flight_pb2.FlightInfo.FromString,
    )
    return ask.with_call(descriptor, metadata=metadata, timeout=120)[1]


@pytest.mark.parametrize(("failure", "code"), CODES, ids=lambda value: type(value).__name__)
def test_each_error_has_its_code(
    front_end: FlightFrontEnd, channel: grpc.Channel, failure: SqeError, code: grpc.StatusCode
) -> None:
    front_end.engine.failure = failure
    command = messages.pack(sql.CommandStatementQuery(query="INSERT INTO t SELECT fake('fail')"))
    with pytest.raises(grpc.RpcError) as caught:
        call(channel, command)
    assert caught.value.code() is code
    assert caught.value.details().startswith(f"{failure.code}: x")
    trailers = dict(caught.value.trailing_metadata())
    ours = wire.decode_error(trailers["grpc-status-details-bin"])
    assert type(ours) is type(failure)
    assert all(b"Traceback" not in str(value).encode() for value in trailers.values())


@pytest.mark.parametrize("method", ["GetFlightInfo", "GetSchema"])
def test_no_traceback_leaves_the_server(channel: grpc.Channel, method: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(channel, b"garbage", method=method)
    assert "Traceback" not in str(caught.value.trailing_metadata())


@pytest.mark.parametrize(
    "header", ["Basic", "Basic !!!", "Bearer", "Bearer nothing", "Digest x", "Basic eDp5", "Bearer sqe_wrong"]
)
def test_wrong_credentials_are_unauthenticated_and_opaque(channel: grpc.Channel, header: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(channel, b"", (("authorization", header),))
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert "only for the log" not in str(caught.value.trailing_metadata())


def test_two_authorization_headers_are_refused(channel: grpc.Channel) -> None:
    both = (("authorization", "Basic YW5uOm5uYQ=="), ("authorization", "Basic Ym9iOmJvYg=="))
    with pytest.raises(grpc.RpcError) as caught:
        call(channel, b"", both)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_password_is_answered_with_a_token_for_the_same_session(
    front_end: FlightFrontEnd, channel: grpc.Channel
) -> None:
    command = messages.pack(sql.CommandGetTableTypes())
    basic = "Basic " + base64.b64encode(b"ann:nna").decode().rstrip("=")
    tokens = [
        dict(call(channel, command, (("authorization", basic),)).initial_metadata())["authorization"]
        for _ in range(2)
    ]
    assert tokens[0] == tokens[1]
    principal = front_end.tokens.principal(tokens[0].removeprefix("Bearer "))
    assert principal is not None
    assert principal.user == "ann"
    answer = call(channel, command, (("authorization", tokens[0]),))
    assert "authorization" not in dict(answer.initial_metadata())


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "é" * 100_000, "\U0001f600\n" * 50_000], ids=["x", "é", "smile"]
)
def test_a_long_error_is_shortened_to_what_clients_take(
    front_end: FlightFrontEnd, channel: grpc.Channel, text: str
) -> None:
    front_end.engine.failure = TableNotFoundError(text, hint=text)
    command = messages.pack(sql.CommandStatementQuery(query="INSERT INTO t SELECT fake('fail')"))
    with pytest.raises(grpc.RpcError) as caught:
        call(channel, command)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    assert "..." in caught.value.details()
    trailers = dict(caught.value.trailing_metadata())
    ours = wire.decode_error(trailers["grpc-status-details-bin"])
    assert isinstance(ours, TableNotFoundError)


def test_people_who_send_nothing_cannot_take_all_threads(
    front_end: FlightFrontEnd, channel: grpc.Channel
) -> None:
    put = channel.stream_stream(
        SERVICE + "DoPut",
        request_serializer=Flight_pb2.FlightData.SerializeToString,
        response_deserializer=Flight_pb2.PutResult.FromString,
    )
    ended = threading.Event()

    def nothing() -> Iterator[Flight_pb2.FlightData]:
        ended.wait(60)
        yield from ()

    waiting = [put(nothing(), timeout=120) for _ in range(100)]
    refused: list[grpc.RpcError] = []
    deadline = time.monotonic() + 120
    while len(refused) < 36:
        assert time.monotonic() < deadline
        refused = [one for one in waiting if one.done()]
        time.sleep(0.02)
    assert {one.code() for one in refused} == {grpc.StatusCode.UNAVAILABLE}
    # Whoever says who he is gets in.
    credentials = (("authorization", "Basic YW5uOm5uYQ=="),)
    call(channel, messages.pack(sql.CommandGetTableTypes()), credentials)
    ended.set()
    for one in waiting:
        one.cancel()
