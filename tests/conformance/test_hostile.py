"""Hostile clients: each gets a clear error or is cut off, the next query works, nothing is left over."""

from __future__ import annotations

import base64
import json
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyarrow as pa
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from pyarrow import flight
from testing.command import until
from testing.server import RunningServer
from tests.conformance.case_context import ENDLESS, CaseContext
from tests.conformance.clients.base import ALICE, BOB, Client, Connection, FrontEnds, Setup, User
from tests.conformance.clients.flight_raw import FlightRaw, FlightRawConnection, packed
from tests.conformance.clients.trino_python import TrinoPython

from sqe.frontends.flight.proto import FlightSql_pb2

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

_GARBAGE = (
    b"\x00" * 4096,
    b"\xff" * 4096,
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 1000,
    b"\x16\x03\x01" + b"\x41" * 2000,
    b"POST /v1/statement HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST /v1/statement HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nZZZZ\r\n",
)


@pytest.fixture
def context(server: RunningServer, front_ends: FrontEnds, setting_up: Connection) -> Iterator[CaseContext]:
    """The next query works at both front ends, and no query, session or thread is left over."""
    context = CaseContext(FlightRaw(front_ends), server, front_ends, "none", setting_up)
    _still_good(front_ends)
    threads, sessions = _threads(server), context.metric("sqe_sessions")
    yield context
    _still_good(front_ends)
    context.close()
    context.wait_for_running(0, 30)
    assert context.metric("sqe_queries_waiting") == 0
    until(lambda: context.metric("sqe_sessions") <= sessions + 1, "the sessions are gone", 30)
    # Pools of threads may have grown a little; a thread for each request would be many.
    until(lambda: _threads(server) <= threads + 24, "the threads are gone", 30)


def _threads(server: RunningServer) -> int:
    with Path(f"/proc/{server.process.pid}/status").open(encoding="ascii") as status:
        return int(next(line.split()[1] for line in status if line.startswith("Threads:")))


def _still_good(front_ends: FrontEnds) -> None:
    kinds: tuple[type[Client], ...] = (FlightRaw, TrinoPython)
    for kind in kinds:
        with kind(front_ends).connect(Setup()) as connection:
            assert connection.query("SELECT 1 AS one").rows == [(1,)]


def _http(front_ends: FrontEnds, user: User = ALICE) -> httpx.Client:
    return httpx.Client(
        base_url=front_ends.trino,
        auth=(user.name, user.password),
        verify=ssl.create_default_context(cafile=str(front_ends.ca)),
        headers={"X-Trino-User": user.name},
        timeout=30,
    )


def _flight(front_ends: FrontEnds, user: User = ALICE) -> FlightRawConnection:
    connection = FlightRaw(front_ends).connect(Setup(user))
    assert isinstance(connection, FlightRawConnection)
    return connection


def _send(stream: socket.socket, garbage: bytes) -> None:
    stream.sendall(garbage)
    while stream.recv(65536):
        pass  # an answer, and then the end


@pytest.mark.parametrize("front_end", ["flight", "trino"])
@pytest.mark.parametrize("tls", [False, True])
def test_garbage_on_a_socket(context: CaseContext, front_end: str, tls: bool) -> None:
    port = context.front_ends.flight_port if front_end == "flight" else context.front_ends.trino_port
    tls_context = ssl.create_default_context(cafile=str(context.front_ends.ca))
    if front_end == "flight":
        tls_context.set_alpn_protocols(["h2"])
    for garbage in _GARBAGE:
        with socket.create_connection(("localhost", port), timeout=1) as plain:
            try:
                if tls:
                    with tls_context.wrap_socket(plain, server_hostname="localhost") as stream:
                        _send(stream, garbage)
                else:
                    _send(plain, garbage)
            except TimeoutError:
                pass  # it waits for more, as it may; the socket is closed now
            except OSError:
                pass  # cut off


def test_a_connection_that_says_nothing_blocks_nobody(context: CaseContext) -> None:
    silent = [
        socket.create_connection(("localhost", port), timeout=10)
        for port in (context.front_ends.flight_port, context.front_ends.trino_port) * 20
    ]
    try:
        _still_good(context.front_ends)
    finally:
        for one in silent:
            one.close()


_TRUNCATED = packed(FlightSql_pb2.CommandStatementQuery(query="SELECT 1" + " " * 100))


@pytest.mark.parametrize(
    "command",
    [
        b"",
        b"\xff" * 64,
        b"SELECT 1",
        _TRUNCATED[:20],
        _TRUNCATED[:-10],
        packed(FlightSql_pb2.CommandStatementQuery(query="SELECT 1")).replace(b"Query", b"Qu3ry"),
        AnyMessage(
            type_url="type.googleapis.com/arrow.flight.protocol.sql.CommandStatementQuery",
            value=b"\x0a\xff\x01",
        ).SerializeToString(),
    ],
    ids=["empty", "bytes", "text", "cut early", "cut late", "unknown type", "bad content"],
)
def test_a_command_that_cannot_be_read(context: CaseContext, command: bytes) -> None:
    with _flight(context.front_ends) as connection:
        assert isinstance(connection, FlightRawConnection)
        descriptor = flight.FlightDescriptor.for_command(command)
        for call in (connection._own.get_flight_info, connection._own.get_schema):
            with pytest.raises((flight.FlightError, pa.ArrowException)) as caught:
                call(descriptor, connection._options)
            assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    "ticket",
    [
        b"",
        b"\xff" * 64,
        b"q_" + b"0" * 24,
        _TRUNCATED[:-10],
        packed(FlightSql_pb2.TicketStatementQuery(statement_handle=b"nobody's")),
    ],
    ids=["empty", "bytes", "an id", "cut", "unknown handle"],
)
def test_a_ticket_that_nobody_gave(context: CaseContext, ticket: bytes) -> None:
    with _flight(context.front_ends) as connection:
        assert isinstance(connection, FlightRawConnection)
        with pytest.raises((flight.FlightError, pa.ArrowException)) as caught:
            connection._own.do_get(flight.Ticket(ticket), connection._options).read_all()
        assert "Traceback" not in str(caught.value)


def test_another_user_s_ticket(context: CaseContext) -> None:
    with _flight(context.front_ends) as alice, _flight(context.front_ends, BOB) as bob:
        assert isinstance(alice, FlightRawConnection)
        assert isinstance(bob, FlightRawConnection)
        info = alice.info(FlightSql_pb2.CommandStatementQuery(query="SELECT 'secret' AS text"))
        with pytest.raises((flight.FlightError, pa.ArrowException)) as caught:
            bob.reader(info).read_all()
        assert "secret" not in str(caught.value)
        assert alice.reader(info).read_all().to_pylist() == [{"text": "secret"}]


def test_another_user_s_prepared_statement(context: CaseContext) -> None:
    with _flight(context.front_ends) as alice, _flight(context.front_ends, BOB) as bob:
        assert isinstance(alice, FlightRawConnection)
        assert isinstance(bob, FlightRawConnection)
        with alice._prepare("SELECT 'secret' AS text") as statement:
            command = FlightSql_pb2.CommandPreparedStatementQuery(
                prepared_statement_handle=statement.prepared_statement_handle
            )
            with pytest.raises((flight.FlightError, pa.ArrowException)) as caught:
                bob.reader(bob.info(command)).read_all()
            assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "header",
    [
        "Basic !!!",
        "Basic",
        "Basic " + base64.b64encode(b"no colon").decode(),
        "Bearer",
        "Bearer \xff",
        "Negotiate x",
        "x" * 10_000,
    ],
)
def test_credentials_that_cannot_be_read(context: CaseContext, header: str) -> None:
    with httpx.Client(
        verify=ssl.create_default_context(cafile=str(context.front_ends.ca)), timeout=30
    ) as client:
        answer = client.post(
            f"{context.front_ends.trino}/v1/statement",
            content="SELECT 1",
            headers={b"Authorization": header.encode("latin-1"), b"X-Trino-User": b"alice"},
        )
    assert answer.status_code in (400, 401, 431), answer.text
    if header.isascii():
        own = flight.FlightClient(
            context.front_ends.flight, tls_root_certs=context.front_ends.ca.read_bytes()
        )
        options = flight.FlightCallOptions(headers=[(b"authorization", header.encode())], timeout=30)
        with own, pytest.raises((flight.FlightError, pa.ArrowException)):
            list(own.do_action(flight.Action("CreatePreparedStatement", b""), options))


def test_oversized_headers(context: CaseContext) -> None:
    with _http(context.front_ends) as client:
        try:
            answer = client.post(
                "/v1/statement", content="SELECT 1", headers={"X-Trino-Session": "x" * 2_000_000}
            )
        except httpx.HTTPError:
            return  # cut off
        assert answer.status_code in (400, 413, 431), answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Trino-Session": "=x"},
        {"X-Trino-Session": "dialect"},
        {"X-Trino-Session": "no_such=1"},
        {"X-Trino-Session": "dialect=klingon"},
        {"X-Trino-Prepared-Statement": "s=$zstd:!!!"},
        {"X-Trino-Prepared-Statement": "s=$zstd:AAAA"},
        {"X-Trino-Time-Zone": "Mars/Phobos"},
        {"X-Trino-Catalog": "no_such_catalog"},
        {"X-Trino-User": "bob"},
        {"X-Trino-User": ""},
        {"X-Trino-Client-Capabilities": "\x7f" * 100},
    ],
    ids=lambda headers: "=".join(*headers.items())[:40],
)
def test_headers_that_make_no_sense(context: CaseContext, headers: dict[str, str]) -> None:
    with _http(context.front_ends) as client:
        answer = client.post("/v1/statement", content="SELECT 1", headers=headers)
        assert answer.status_code < 500, answer.text
        assert "Traceback" not in answer.text
        if answer.status_code == 200:
            _drain(client, answer.json())


def _drain(client: httpx.Client, page: dict[str, Any]) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while "nextUri" in page:
        assert time.monotonic() < deadline
        answer = client.get(page["nextUri"])
        assert answer.status_code == 200, answer.text
        page = answer.json()
    return page


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00", b"\x00" * 1000, b"SELECT 'unfinished", b"(" * 100_000, b";" * 1000]
)
def test_statements_that_make_no_sense(context: CaseContext, body: bytes) -> None:
    with _http(context.front_ends) as client:
        answer = client.post("/v1/statement", content=body)
        assert answer.status_code < 500, answer.text
        if answer.status_code == 200:
            last = _drain(client, answer.json())
            assert last["error"]["errorType"] == "USER_ERROR", last["error"]


@pytest.mark.parametrize("front_end", ["flight", "trino"])
def test_a_statement_of_20_mb(context: CaseContext, front_end: str) -> None:
    sql = "SELECT '" + "x" * 20_000_000 + "' AS v"
    if front_end == "flight":
        with _flight(context.front_ends) as connection:
            assert isinstance(connection, FlightRawConnection)
            with pytest.raises((flight.FlightError, pa.ArrowException)) as caught:
                connection.info(FlightSql_pb2.CommandStatementQuery(query=sql))
            assert len(str(caught.value)) < 10_000
        return
    with _http(context.front_ends) as client:
        try:
            answer = client.post("/v1/statement", content=sql)
        except httpx.HTTPError:
            return  # cut off while it was still sending
        if answer.status_code == 200:
            last = _drain(client, answer.json())
            assert last["error"]["errorName"] == "QUERY_TEXT_TOO_LARGE", last["error"]
        else:
            assert answer.status_code == 413, answer.text


# More than fits into the answer to the first request.
_SECRETS = "SELECT 'secret' AS text FROM range(500000)"


def _page(client: httpx.Client, sql: str) -> dict[str, Any]:
    answer = client.post("/v1/statement", content=sql)
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def test_another_user_s_next_uri(context: CaseContext) -> None:
    with _http(context.front_ends) as alice, _http(context.front_ends, BOB) as bob:
        page = _page(alice, _SECRETS)
        for call in (bob.get, bob.delete):
            answer = call(page["nextUri"])
            assert answer.status_code in (403, 404), answer.text
            assert "secret" not in answer.text
        assert "error" not in _drain(alice, page)


def test_without_any_credentials(context: CaseContext) -> None:
    with _http(context.front_ends) as alice:
        page = _page(alice, _SECRETS)
        bare = httpx.get(
            page["nextUri"], verify=ssl.create_default_context(cafile=str(context.front_ends.ca))
        )
        assert bare.status_code in (401, 404), bare.text
        assert "secret" not in bare.text
        _drain(alice, page)


def test_uris_that_nobody_gave(context: CaseContext) -> None:
    with _http(context.front_ends) as client:
        page = _page(client, _SECRETS)
        uri = page["nextUri"]
        head, slug, token = uri.rsplit("/", 2)
        root = head.rsplit("/", 1)[0]
        assert client.get(f"{head}/x{slug[1:]}x/{token}").status_code == 404
        assert client.get(f"{root}/q_{'0' * 24}/{slug}/{token}").status_code == 404
        assert client.get(f"{head}/{slug}/{int(token) + 1000}").status_code == 410
        for odd in ("-1", "x", "", "9" * 40, "%00", "../.."):
            assert client.get(f"{head}/{slug}/{odd}").status_code in (400, 404, 405, 410), odd
        assert "error" not in _drain(client, page)


def test_the_same_page_twice_and_an_old_one(context: CaseContext) -> None:
    with _http(context.front_ends) as client:
        page = _page(client, "SELECT id FROM range(300000)")
        seen = []
        while "nextUri" in page:
            seen.append(page["nextUri"])
            first, again = client.get(page["nextUri"]), client.get(page["nextUri"])
            assert first.status_code == again.status_code == 200
            assert first.json().get("data") == again.json().get("data")
            page = again.json()
        assert client.get(seen[0]).status_code in (404, 410)


@pytest.mark.parametrize("front_end", ["flight", "trino"])
def test_a_client_that_stops_reading(context: CaseContext, front_end: str) -> None:
    """It asks for much, takes a little and goes away without a word."""
    sql = "SELECT id, rpad('', 1000, 'x') AS text FROM range(0, 600000, 1, 32)"
    if front_end == "flight":
        connection = _flight(context.front_ends)
        reader = connection.reader(connection.info(FlightSql_pb2.CommandStatementQuery(query=sql)))
        reader.read_chunk()
        reader.cancel()
        connection.close()
    else:
        with _http(context.front_ends) as client:
            page = _page(client, sql)
            while "data" not in page:
                page = client.get(page["nextUri"]).json()
            assert client.delete(page["nextUri"]).status_code == 204
    context.wait_for_running(0, 30)


_READER = """
import sys
from pathlib import Path
from tests.conformance.clients.base import FrontEnds, Setup
from tests.conformance.clients.flight_raw import FlightRaw

FlightRaw(FrontEnds(sys.argv[1], "", Path(sys.argv[2]))).connect(Setup()).query(sys.argv[3])
"""


def test_a_flight_client_whose_process_dies(context: CaseContext) -> None:
    """Nothing is said at all: the connection is just gone."""
    context.wait_for_running(0)
    command = [sys.executable, "-c", _READER, context.front_ends.flight, str(context.front_ends.ca), ENDLESS]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, env=environment) as client:
        try:
            context.wait_for_running(1, 60)
        finally:
            client.kill()
    context.wait_for_running(0, 30)


def test_the_page_of_a_query_needs_credentials(context: CaseContext) -> None:
    with _http(context.front_ends) as client:
        page = _page(client, "SELECT 'secret' AS text")
        _drain(client, page)
        tls_context = ssl.create_default_context(cafile=str(context.front_ends.ca))
        bare = httpx.get(page["infoUri"], verify=tls_context, follow_redirects=True)
        assert bare.status_code in (401, 403, 404), bare.text
        assert "secret" not in bare.text


def test_what_trino_answers_is_json(context: CaseContext) -> None:
    with _http(context.front_ends) as client:
        answer = client.get("/v1/info")
        assert json.loads(answer.text)["coordinator"] is True
