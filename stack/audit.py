"""Receive MinIO's audit of requests through a web hook, and keep it in memory and in a file."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from stack.ports import HOST

from sqe.errors import SetupError

_SETTLE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One request, as MinIO saw it."""

    api: str  # GetObject, PutObject, AssumeRoleWithWebIdentity ...
    status: int
    bucket: str
    object: str
    access_key: str
    parent: str  # the user of MinIO from whom the access key was derived; empty for a token's
    claims: Mapping[str, Any]  # of the token from which it was derived
    raw: Mapping[str, Any]

    @property
    def user(self) -> str | None:
        """The user that the token names."""
        return self.claims.get("preferred_username")

    def __str__(self) -> str:
        who = f"token of {self.user}" if self.user else f"key of {self.parent or self.access_key}"
        return f"{self.api} {self.status} {self.bucket}/{self.object} by {self.access_key} ({who})"


def entry(document: Mapping[str, Any]) -> Entry:
    api = document.get("api") or {}
    return Entry(
        api=api.get("name", ""),
        status=api.get("statusCode", 0),
        bucket=api.get("bucket", ""),
        object=api.get("object", ""),
        access_key=document.get("accessKey", ""),
        parent=document.get("parentUser", ""),
        claims=document.get("requestClaims") or {},
        raw=document,
    )


class Audit:
    """The receiver. `flush` makes MinIO report a request for that object, so that all earlier ones have arrived."""

    def __init__(self, file: Path, flush: Callable[[str], None]) -> None:
        self.file = file
        self._flush = flush
        self._entries: list[Entry] = []
        self._changed = threading.Condition()
        self._flushes = 0
        file.touch(0o600)
        self._server = ThreadingHTTPServer((HOST, 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="minio-audit", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._server.server_port}/audit"

    def mark(self) -> int:
        """Return a mark after all requests so far."""
        self._settle()
        with self._changed:
            return len(self._entries)

    def since(self, mark: int = 0) -> list[Entry]:
        """Return the entries since a mark."""
        self._settle()
        with self._changed:
            return [one for one in self._entries[mark:] if not one.object.startswith(_FLUSH)]

    def add(self, document: Mapping[str, Any]) -> None:
        with self._changed:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(document) + "\n")
            self._entries.append(entry(document))
            self._changed.notify_all()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)

    def _settle(self) -> None:
        with self._changed:
            self._flushes += 1
            name = f"{_FLUSH}{self._flushes}"
        self._flush(name)
        deadline = time.monotonic() + _SETTLE_SECONDS
        with self._changed:
            while not any(one.object == name for one in reversed(self._entries)):
                if not self._changed.wait(max(0.0, deadline - time.monotonic())):
                    raise SetupError("MinIO does not report what it does.")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        audit = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                for line in body.splitlines():  # it may send several at once
                    if line.strip():
                        audit.add(json.loads(line))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
                pass

        return Handler


_FLUSH = "audit-flush-"
