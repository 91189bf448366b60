"""A fake S3 store: serves objects to one access key, over HTTP or HTTPS, and records requests."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from testing.certificates import Pair


@dataclass(frozen=True)
class StoreRequest:
    method: str
    object: str  # bucket/name
    key_id: str | None
    session_token: str | None


@dataclass
class ObjectStore:
    """Objects by `bucket/name`. It checks who has signed, not the signature."""

    key_id: str = "AKIA-ALICE"
    objects: dict[str, bytes] = field(default_factory=dict)
    requests: list[StoreRequest] = field(default_factory=list)
    endpoint: str = ""
    requests_left: int | None = None
    """How many requests the key is good for."""

    def answer(self, request: StoreRequest) -> tuple[int, bytes]:
        self.requests.append(request)
        if request.key_id != self.key_id or self.requests_left == 0:
            return 403, b""
        if self.requests_left is not None:
            self.requests_left -= 1
        found = self.objects.get(request.object)
        return (404, b"") if found is None else (200, found)


@contextmanager
def object_store(tls: Pair | None = None, host: str = "127.0.0.1") -> Iterator[ObjectStore]:
    store = ObjectStore()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None: ...

        def do_HEAD(self) -> None:
            self._answer()

        def do_GET(self) -> None:
            self._answer()

        def _answer(self) -> None:
            signed = self.headers.get("Authorization", "").partition("Credential=")[2]
            bucket, in_host, _ = self.headers.get("Host", "").partition(".localhost:")
            name = unquote(urlsplit(self.path).path).lstrip("/")
            status, content = store.answer(
                StoreRequest(
                    self.command,
                    f"{bucket}/{name}" if in_host else name,
                    signed.partition("/")[0] or None,
                    self.headers.get("x-amz-security-token"),
                )
            )
            size, part = len(content), None
            asked = self.headers.get("Range")
            if asked is not None and status == 200 and self.command == "GET":
                first, _, last = asked.removeprefix("bytes=").partition("-")
                begin, end = int(first), min(int(last or size), size - 1)
                status, content, part = 206, content[begin : end + 1], f"bytes {begin}-{end}/{size}"
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("ETag", '"1"')
            self.send_header("Last-Modified", "Wed, 18 Nov 2026 12:00:00 GMT")
            if part is not None:
                self.send_header("Content-Range", part)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls.certificate, tls.key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    store.endpoint = f"{host}:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
