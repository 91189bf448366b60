"""A proxy on loopback that hands on what it is asked, unchanged, and remembers what was said.

    with wiretap(stack.nessie.uri) as tap:
        tap.url                 # in the place of the service's own
        tap.heard               # [Exchange]: path, request headers, status and text of the answer
        tap.hold = lambda path: 2.0   # seconds to wait before asking

The address that the client asked goes on in `Host`, so that signatures stay right, unless the service is to see its
own. A service that does not answer is heard as that: the connection ends.
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
_KEPT = 1 << 20  # of an answer; files are not kept
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
class Wiretap:
    url: str
    heard: list[Exchange] = field(default_factory=list)
    hold: Callable[[str, str], float] = lambda method, path: 0.0
    """Told the method and the path: how many seconds to wait before the request goes on."""
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def wiretap(url: str, *, own_host: bool = False) -> Iterator[Wiretap]:
    """Listen for as long as the block lasts; the path of `url` is that of `tap.url`.

    With `own_host` the service is asked by its own address, as one has to be that puts it into what it signs.
    """
    target = urlsplit(url)
    assert target.hostname is not None
    assert target.port is not None
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    tap = Wiretap(f"http://127.0.0.1:{server.server_address[1]}{target.path}")
    server.tap = tap  # type: ignore[attr-defined]  # the handler finds both there
    server.target = (target.hostname, target.port, own_host)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, name="wiretap", daemon=True)
    thread.start()
    try:
        yield tap
    finally:
        tap.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    disable_nagle_algorithm = True
    timeout = _SECONDS

    def _hand_on(self) -> None:
        tap: Wiretap = self.server.tap  # type: ignore[attr-defined]
        host, port, own_host = self.server.target  # type: ignore[attr-defined]
        body = self._body()
        tap.closing.wait(tap.hold(self.command, self.path))
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
        tap.heard.append(Exchange(self.command, self.path, asked, body[:_KEPT], answer.status, kept))
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

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _hand_on  # noqa: N815 - their names there

    def handle_expect_100(self) -> bool:
        self.send_response_only(100)
        self.end_headers()
        self.wfile.flush()
        return True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass
