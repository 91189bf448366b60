"""The HTTP server with real sockets and real TLS."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from testing.certificates import Authority, Pair
from tests.support.clock import skipping_time

from sqe.network import http_protocol
from sqe.network.address import Address
from sqe.network.http import HttpListener
from sqe.network.http_protocol import CERTIFICATE, HttpProtocol, limited_protocol
from sqe.network.tls import LiveContext, TlsFiles

SECONDS = 120.0


async def who(request: Request) -> Response:
    return JSONResponse({"certificate": request.scope.get("extensions", {}).get(CERTIFICATE)})


async def large(request: Request) -> Response:
    return Response(b"x" * 200_000_000)


async def read(request: Request) -> Response:
    return Response(await request.body())


def app() -> Starlette:
    return Starlette(
        routes=[Route("/who", who), Route("/large", large), Route("/read", read, methods=["POST"])]
    )


@contextlib.contextmanager
def serving(tls: LiveContext | None = None, application: Any = None) -> Iterator[HttpListener]:
    listener = HttpListener("test", application or app(), Address("trino", "127.0.0.1", 0).listen(), tls)
    listener.start()
    try:
        yield listener
    finally:
        listener.close()


def client(authority: Authority | None = None, pair: Pair | None = None) -> httpx.Client:
    context = ssl.create_default_context(cafile=str(authority.certificate) if authority else None)
    if pair is not None:
        context.load_cert_chain(pair.certificate, pair.key)
    return httpx.Client(verify=context, timeout=SECONDS)


def ask(listener: HttpListener, authority: Authority | None = None, pair: Pair | None = None) -> object:
    scheme = "https" if authority else "http"
    with client(authority, pair) as session:
        response = session.get(f"{scheme}://localhost:{listener.port}/who")
        assert response.status_code == 200
        certificate = response.json()["certificate"]
        return certificate and {kind: value for part in certificate["subject"] for kind, value in part}


def test_a_client_can_connect_before_the_application_runs() -> None:
    opened = Address("trino", "127.0.0.1", 0).listen()
    with socket.create_connection(opened.getsockname(), timeout=SECONDS) as early:
        early.sendall(b"GET /who HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        listener = HttpListener("test", app(), opened, None)
        listener.start()
        early.settimeout(SECONDS)
        assert early.recv(100).startswith(b"HTTP/1.1 200")
    listener.close()


def test_plain_http_has_no_certificate_and_says_nothing_of_itself() -> None:
    with serving() as listener, client() as session:
        response = session.get(f"http://127.0.0.1:{listener.port}/who")
        assert response.json() == {"certificate": None}
        assert "server" not in response.headers
        assert ask(listener) is None


def test_closing_frees_the_port() -> None:
    with serving() as listener:
        port = listener.port
        ask(listener)
    Address("trino", "127.0.0.1", port).listen().close()
    assert not [thread for thread in threading.enumerate() if thread.name == "http-test"]


def test_a_client_certificate_reaches_the_application(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.server()
    files = TlsFiles(pair.certificate, pair.key, authority.certificate, "optional")
    with serving(LiveContext(files, ask_clients=True)) as listener:
        assert ask(listener, authority) is None
        assert ask(listener, authority, authority.client("alice")) == {"commonName": "alice"}
        assert ask(listener, authority, authority.client("bob", units=("ops",))) == {
            "commonName": "bob",
            "organizationalUnitName": "ops",
        }
        stranger = Authority(tmp_path / "stranger").client("alice")
        with pytest.raises(httpx.TransportError):
            ask(listener, authority, stranger)
    with serving(LiveContext(files, ask_clients=False)) as listener:
        assert ask(listener, authority, authority.client("alice")) is None


def test_a_header_cannot_stand_for_a_certificate() -> None:
    with serving() as listener, client() as session:
        response = session.get(
            f"http://localhost:{listener.port}/who", headers={CERTIFICATE: "alice", "x-client-cert": "alice"}
        )
        assert response.json() == {"certificate": None}


def test_a_required_client_certificate_is_required(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.server()
    files = TlsFiles(pair.certificate, pair.key, authority.certificate, "required")
    with serving(LiveContext(files, ask_clients=True)) as listener:
        assert ask(listener, authority, authority.client("alice")) == {"commonName": "alice"}
        with pytest.raises(httpx.TransportError):
            ask(listener, authority)


def test_old_versions_of_tls_are_refused(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.server()
    with serving(
        LiveContext(TlsFiles(pair.certificate, pair.key, None, "none"), ask_clients=False)
    ) as listener:
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname = False
        old.verify_mode = ssl.CERT_NONE
        old.minimum_version = ssl.TLSVersion.TLSv1_2
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        address = ("127.0.0.1", listener.port)
        with socket.create_connection(address, timeout=SECONDS) as raw, old.wrap_socket(raw) as encrypted:
            assert encrypted.version() == "TLSv1.2"
        with pytest.warns(DeprecationWarning, match="deprecated"):
            old.minimum_version = ssl.TLSVersion.TLSv1
        with pytest.warns(DeprecationWarning, match="deprecated"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        old.set_ciphers("ALL:@SECLEVEL=0")
        with (
            socket.create_connection(address, timeout=SECONDS) as raw,
            pytest.raises(ssl.SSLError),
        ):
            old.wrap_socket(raw)


def test_new_certificates_are_used_without_a_restart(tmp_path: Path) -> None:
    old, new = Authority(tmp_path / "old"), Authority(tmp_path / "new")
    pair = old.server()
    files = TlsFiles(pair.certificate, pair.key, old.certificate, "optional")
    live = LiveContext(files, ask_clients=True)
    with serving(live) as listener:
        assert ask(listener, old, old.client("alice")) == {"commonName": "alice"}
        fresh = new.server()
        for source, target in (
            (fresh.certificate, pair.certificate),
            (fresh.key, pair.key),
            (new.certificate, old.certificate),
        ):
            shutil.copy(source, target)
        live.reload()
        assert ask(listener, new, new.client("bob")) == {"commonName": "bob"}
        with pytest.raises(httpx.TransportError):  # who was trusted before is not any more
            ask(listener, new, old.client("alice"))


def stalling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "check_seconds", 0.05)
    monkeypatch.setattr(HttpProtocol, "request_seconds", 0.3)
    monkeypatch.setattr(HttpProtocol, "stalled_seconds", 0.3)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /who HT",
        b"GET /who HTTP/1.1\r\nHost: x\r\nX-Half",
        b"POST /who HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
    ],
)
def test_a_client_that_does_not_finish_its_request_is_cut_off(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    stalling(monkeypatch)
    with serving() as listener:
        with socket.create_connection(("127.0.0.1", listener.port), timeout=SECONDS) as lazy:
            lazy.sendall(sent)
            received = b""
            with contextlib.suppress(ConnectionResetError):
                while chunk := lazy.recv(10_000):
                    received += chunk
            assert b" 200 " not in received
        monkeypatch.undo()
        assert ask(listener) is None


def test_a_client_that_stops_reading_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    stalling(monkeypatch)
    ended = threading.Event()
    original = HttpProtocol.connection_lost

    def lost(self: HttpProtocol, exc: Exception | None) -> None:
        ended.set()
        original(self, exc)

    monkeypatch.setattr(HttpProtocol, "connection_lost", lost)
    with serving() as listener:
        with socket.create_connection(("127.0.0.1", listener.port), timeout=SECONDS) as lazy:
            lazy.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            assert ended.wait(SECONDS)
        monkeypatch.undo()
        assert ask(listener) is None


def test_a_client_that_only_thinks_keeps_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    skipping = skipping_time(monkeypatch, http_protocol)
    monkeypatch.setattr(HttpProtocol, "check_seconds", 0.05)
    with serving() as listener, client() as session:
        url = f"http://127.0.0.1:{listener.port}/who"
        session.get(url)
        [connection] = session._transport._pool.connections  # type: ignore[attr-defined]
        skipping.skip(1000)  # longer than a request may take: between requests nothing is owed
        threading.Event().wait(0.5)  # longer than the pause between two looks
        session.get(url)
        assert session._transport._pool.connections == [connection]  # type: ignore[attr-defined]


def test_headers_may_be_long_but_not_endless() -> None:
    with serving() as listener, client() as session:
        url = f"http://127.0.0.1:{listener.port}/who"
        assert session.get(url, headers={"x-trino-prepared-statement": "x" * 200_000}).status_code == 200
        with contextlib.suppress(httpx.TransportError):  # it may close before everything was sent
            assert session.get(url, headers={"x": "x" * 2_000_000}).status_code == 400
        assert ask(listener) is None


def test_limits_of_one_listener_do_not_concern_others() -> None:
    limited = limited_protocol(1.0, 2.0)
    assert (limited.request_seconds, limited.stalled_seconds) == (1.0, 2.0)
    assert (HttpProtocol.request_seconds, HttpProtocol.stalled_seconds) == (60.0, 120.0)
