"""Requests that no client of Trino sends, against a real HTTP server."""

from __future__ import annotations

import random
import socket
import time

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.trino_front_end import Listening, TrinoFrontEnd

NUMBERS = "SELECT fake('rows 3')"
_POST = b"POST /v1/statement HTTP/1.1\r\nHost: localhost\r\nX-Trino-User: ann\r\n"


def works(listening: Listening) -> bool:
    base = f"http://{listening.host}:{listening.port}"
    with httpx.Client(base_url=base, headers={"X-Trino-User": "ann"}, timeout=120) as client:
        page = client.post("/v1/statement", content=NUMBERS).json()
        rows = page.get("data", [])
        while "nextUri" in page:
            page = client.get(page["nextUri"]).json()
            rows += page.get("data", [])
    return bool(rows == [[0], [1], [2]])


def raw(listening: Listening, data: bytes) -> bytes:
    """Send bytes, say that there are no more, and read what comes."""
    with socket.create_connection((listening.host, listening.port), timeout=120) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        _POST + b"Content-Length: 1000\r\n\r\nSELECT",
        _POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        _POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nSEL",
        b"POST /v1/statement HTTP/1.1\r\nX-Trino-User: ann\r\nContent-Length: 8\r\n\r\nSELECT 1",
        _POST + b"Content-Length: -5\r\n\r\n",
        b"GET /v1/statement/queued/%00/%ff/1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/statement/queued/a/b/99999999999999999999999999999999 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /ui/query.html?%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"HEAD /v1/statement HTTP/1.1\r\nHost: localhost\r\nX-Trino-User: " + b"x" * 100_000 + b"\r\n\r\n",
        b"\xff" * 100_000,
    ],
)
def test_nonsense_is_answered_or_cut_off(listening: Listening, data: bytes) -> None:
    answer = raw(listening, data)
    assert b"Traceback" not in answer
    assert not answer.startswith(b"HTTP/1.1 2")
    assert not answer.startswith(b"HTTP/1.1 5")
    assert works(listening)


def test_cut_and_changed_requests(listening: Listening) -> None:
    good = (
        _POST + b"X-Trino-Session: dialect=trino\r\nX-Trino-Prepared-Statement: p=SELECT+1\r\n"
        b"Content-Length: 21\r\nConnection: close\r\n\r\nSELECT fake('rows 3')"
    )
    chance = random.Random(7)
    for _ in range(150):
        data = bytearray(good)
        for _ in range(chance.randint(0, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        answer = raw(listening, bytes(data[: chance.randint(1, len(data))]))
        assert b"Traceback" not in answer
        assert not answer.startswith(b"HTTP/1.1 5"), (data, answer)
    assert works(listening)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(
        ["Session", "Prepared-Statement", "Catalog", "Time-Zone", "Client-Tags", "Transaction-Id", "User"]
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60),
    st.binary(max_size=60),
)
def test_headers_and_bodies_of_any_kind(front_end: TrinoFrontEnd, name: str, value: str, body: bytes) -> None:
    response = front_end.send("POST", "/v1/statement", body, {f"X-Trino-{name}": value.strip()})
    assert response.status_code in (200, 400, 401)


def test_a_client_that_stops_reading(listening: Listening) -> None:
    base = f"http://{listening.host}:{listening.port}"
    with httpx.Client(base_url=base, headers={"X-Trino-User": "ann"}, timeout=120) as client:
        page = client.post("/v1/statement", content="SELECT fake('endless')").json()
        path = page["nextUri"].removeprefix(base)
    with socket.create_connection((listening.host, listening.port), timeout=120) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Trino-User: ann\r\n\r\n".encode())
        began = time.monotonic()
        assert works(listening)  # others are served while it does not read
        assert time.monotonic() - began < 60
    with httpx.Client(base_url=base, headers={"X-Trino-User": "ann"}, timeout=120) as client:
        assert client.get(path).status_code == 200  # what was lost on the way can be had again
        assert client.delete(path).status_code == 204
