"""Run a proxy on loopback that forwards requests unchanged and records each exchange.

    with recording_proxy(stack.nessie.uri) as proxy:
        proxy.url                 # replaces the service's URL
        proxy.exchanges           # [Exchange]: path, request headers, status and body of the response
        proxy.delay = lambda method, path: 2.0   # seconds to wait before forwarding

The proxy forwards the client's `Host`, so that signatures stay valid, unless the service needs its own. When the
service does not answer, the proxy closes the connection.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

_SECONDS = 120.0
_KEPT = 1 << 20  # bytes of a response; longer ones are not recorded
_HOPS = {"connection", "keep-alive", "transfer-encoding", "te", "upgrade", "proxy-connection"}


@dataclass(frozen=True, slots=True)
class Exchange:
    method: str
    path: str  # with the query
    headers: Mapping[str, str]  # of the request, in lower case
    asked: bytes = field(repr=False)
    status: int
    answer: bytes = field(repr=False)  # empty when it is long

    @property
    def bearer(self) -> str | None:
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token if kind == "Bearer" else None


@dataclass
class RecordingProxy:
    url: str
    exchanges: list[Exchange] = field(default_factory=list)
    delay: Callable[[str, str], float] = lambda method, path: 0.0
    """Return the seconds to wait before forwarding a request, by its method and path."""
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def recording_proxy(url: str, *, own_host: bool = False) -> Iterator[RecordingProxy]:
    """Run the proxy for the block; `proxy.url` has the path of `url`.

    With `own_host` the service gets its own address in `Host`, as one needs that signs it.
    """
    target = urlsplit(url)
    assert target.hostname is not None
    assert target.port is not None
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    proxy = RecordingProxy(f"http://127.0.0.1:{server.server_address[1]}{target.path}")
    server.proxy = proxy  # type: ignore[attr-defined]  # the handler finds both there
    server.target = (target.hostname, target.port, own_host)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, name="recording-proxy", daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    disable_nagle_algorithm = True
    timeout = _SECONDS

    def _forward(self) -> None:
        proxy: RecordingProxy = self.server.proxy  # type: ignore[attr-defined]
        host, port, own_host = self.server.target  # type: ignore[attr-defined]
        body = self._body()
        proxy.closing.wait(proxy.delay(self.command, self.path))
        upstream = http.client.HTTPConnection(host, port, timeout=_SECONDS)
        try:
            upstream.putrequest(self.command, self.path, skip_host=not own_host, skip_accept_encoding=True)
            # What comes back is to be readable.
            dropped = {*_HOPS, "content-length", "expect", "accept-encoding", *(["host"] if own_host else [])}
            for name, value in self.headers.items():
                if name.lower() not in dropped:
                    upstream.putheader(name, value)
            if body or self.command in ("POST", "PUT"):
                upstream.putheader("Content-Length", str(len(body)))
            upstream.endheaders(body or None)
            answer = upstream.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.close_connection = True
            return
        finally:
            upstream.close()
        asked = {name.lower(): value for name, value in self.headers.items()}
        kept = content if len(content) <= _KEPT else b""
        proxy.exchanges.append(Exchange(self.command, self.path, asked, body[:_KEPT], answer.status, kept))
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in _HOPS and name.lower() != "content-length":
                self.send_header(name, value)
        # The answer to a HEAD tells a length and has no body.
        length = answer.getheader("content-length") if self.command == "HEAD" else str(len(content))
        if length is not None and answer.status not in (204, 304):
            self.send_header("Content-Length", length)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _forward  # noqa: N815 - their names there

    def handle_expect_100(self) -> bool:
        self.send_response_only(100)
        self.end_headers()
        self.wfile.flush()
        return True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass
