"""What a session sends to a Spark Connect server, which is played here."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pyarrow as pa
import pyspark.sql.connect.proto as pb2
import pytest
from pyspark.sql.connect.proto import base_pb2_grpc
from testing.command import until

from sqe.engine.connect import ConnectSession
from sqe.engine.endpoint import Endpoint

_ROWS = pa.record_batch({"n": [1, 2]})


class Server(base_pb2_grpc.SparkConnectServiceServicer):
    """Sends rows without an end."""

    def __init__(self) -> None:
        self.executed: list[pb2.ExecutePlanRequest] = []
        self.released: list[pb2.ReleaseExecuteRequest] = []

    def ExecutePlan(  # noqa: N802 - of the interface
        self, request: pb2.ExecutePlanRequest, context: grpc.ServicerContext
    ) -> Iterator[pb2.ExecutePlanResponse]:
        self.executed.append(request)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, _ROWS.schema) as writer:
            writer.write_batch(_ROWS)
        rows = pb2.ExecutePlanResponse.ArrowBatch(row_count=2, data=sink.getvalue().to_pybytes())
        while context.is_active():
            yield pb2.ExecutePlanResponse(
                session_id=request.session_id,
                server_side_session_id="server",
                operation_id=request.operation_id,
                response_id=str(uuid.uuid4()),
                arrow_batch=rows,
            )

    def ReleaseExecute(  # noqa: N802 - of the interface
        self, request: pb2.ReleaseExecuteRequest, context: grpc.ServicerContext
    ) -> pb2.ReleaseExecuteResponse:
        self.released.append(request)
        return pb2.ReleaseExecuteResponse(session_id=request.session_id)


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


def test_messages_are_released_at_the_end_and_not_one_by_one(server: Server, session: ConnectSession) -> None:
    results = session.stream("SELECT 1", lambda progress: None)
    assert [next(results) for _ in range(10)][:2] == [_ROWS.schema, _ROWS]
    results.close()  # type: ignore[attr-defined]
    until(lambda: server.released, "the statement is released")
    [request] = server.executed
    [release] = server.released
    assert release.operation_id == request.operation_id
    assert release.HasField("release_all")
