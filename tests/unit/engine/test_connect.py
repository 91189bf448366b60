"""How a session speaks to a Spark Connect server, which is played here: what Spark does only when something fails."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pyarrow as pa
import pyspark.sql.connect.proto as pb2
import pytest
from pyspark.sql.connect.proto import base_pb2_grpc

from sqe.engine.connect import ConnectSession
from sqe.engine.endpoint import Endpoint
from sqe.errors import EngineLostError

_ROWS = pa.record_batch({"n": [1, 2]})


class Server(base_pb2_grpc.SparkConnectServiceServicer):
    """Sends rows without an end, or ends the connection."""

    def __init__(self) -> None:
        self.lost = False
        self.executed: list[pb2.ExecutePlanRequest] = []
        self.interrupted: list[str] = []

    def ExecutePlan(  # noqa: N802 - of the interface
        self, request: pb2.ExecutePlanRequest, context: grpc.ServicerContext
    ) -> Iterator[pb2.ExecutePlanResponse]:
        self.executed.append(request)
        if self.lost:
            context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, _ROWS.schema) as writer:
            writer.write_batch(_ROWS)
        rows = pb2.ExecutePlanResponse.ArrowBatch(row_count=2, data=sink.getvalue().to_pybytes())
        while context.is_active():
            yield pb2.ExecutePlanResponse(
                session_id=request.session_id,
                server_side_session_id="server",
                operation_id=request.operation_id,
                arrow_batch=rows,
            )

    def Interrupt(  # noqa: N802 - of the interface
        self, request: pb2.InterruptRequest, context: grpc.ServicerContext
    ) -> pb2.InterruptResponse:
        self.interrupted.append(request.operation_id)
        return pb2.InterruptResponse(session_id=request.session_id, server_side_session_id="server")


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def session(server: Server) -> Iterator[ConnectSession]:
    listening = grpc.server(ThreadPoolExecutor(2))
    base_pb2_grpc.add_SparkConnectServiceServicer_to_server(server, listening)  # type: ignore[no-untyped-call]
    port = listening.add_insecure_port("127.0.0.1:0")
    listening.start()
    session = ConnectSession(Endpoint(f"sc://127.0.0.1:{port}", None), "ann")
    yield session
    session.close()
    listening.stop(None).wait(30)


def test_a_statement_whose_rows_nobody_reads_any_more_is_interrupted(
    server: Server, session: ConnectSession
) -> None:
    results = session.stream("SELECT 1", lambda progress: None)
    assert next(results) == _ROWS.schema
    results.close()  # type: ignore[attr-defined]
    [request] = server.executed
    assert server.interrupted == [request.operation_id]


def test_no_statement_is_repeated_when_the_engine_is_lost(server: Server, session: ConnectSession) -> None:
    server.lost = True
    with pytest.raises(EngineLostError):
        list(session.stream("INSERT INTO t VALUES (1)", lambda progress: None))
    assert len(server.executed) == 1


def test_no_messages_are_acknowledged(server: Server, session: ConnectSession) -> None:
    results = session.stream("SELECT 1", lambda progress: None)
    next(results)
    results.close()  # type: ignore[attr-defined]
    [request] = server.executed
    assert not any(option.HasField("reattach_options") for option in request.request_options)
