"""Serve a control endpoint whose responses a test sets, and record its requests."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from sqe.engine.control import ControlLink, ControlTls
from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import Store, StoreAccess
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog

Answer = tuple[int, dict[str, Any]]


@dataclass
class FakeControl:
    """Implements `engine.control.Control`; `tokens`, `keys`, `properties` and `decide` say what is answered."""

    url: str
    tokens: Callable[[Principal, str], Answer]
    keys: Callable[[Principal, str], Answer] = lambda principal, catalog: (503, {"error": "There is no STS."})
    properties: Callable[[RestCatalog], Mapping[str, str]] = lambda catalog: {"uri": catalog.uri}
    decide: Callable[[Principal, list[dict[str, Any]]], Answer] = lambda principal, questions: (503, {})
    tls: ControlTls | None = None
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    bound: dict[str, tuple[Principal, dict[str, RestCatalog]]] = field(default_factory=dict)
    unbound: list[str] = field(default_factory=list)
    asked: list[tuple[str, str, str, int]] = field(default_factory=list)  # path, user, catalog, status
    questions: list[dict[str, Any]] = field(default_factory=list)  # whole bodies of /v1/decide

    def link(self) -> ControlLink:
        return ControlLink(self.url, self.secret, self.tls)

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None:
        self.bound[session] = (principal, {catalog.name: catalog for catalog in catalogs})

    def unbind(self, session: str) -> None:
        self.unbound.append(session)
        self.bound.pop(session, None)

    def open_stores(
        self, session: str, stores: Sequence[Store], reference: str | None
    ) -> tuple[StoreAccess, ...]:
        raise LocalExecutionError("A fake has no storage credentials.")

    def count(self, path: str, user: str) -> int:
        return sum(asked[:2] == (path, user) for asked in self.asked)

    def answer(self, path: str, bearer: str | None, question: Mapping[str, Any]) -> Answer:
        session, _, proof = question["handle"].partition(".")
        expected = hmac.new(self.secret.encode(), session.encode(), hashlib.sha256).hexdigest()
        if bearer != f"Bearer {self.secret}" or proof != expected:
            return self._noted(path, "?", question, (403, {"error": "This engine is not known here."}))
        found = self.bound.get(session)
        if path == "/v1/decide":
            self.questions.append(dict(question))
            if found is None:
                return 404, {"error": "The session is not known."}
            return self.decide(found[0], question["questions"])
        if found is None or question["catalog"] not in found[1]:
            return self._noted(path, "?", question, (404, {"error": "There is no such session or catalog."}))
        principal, catalogs = found
        answer: Answer
        match path:
            case "/v1/catalog":
                answer = (200, {"properties": dict(self.properties(catalogs[question["catalog"]]))})
            case "/v1/token":
                answer = self.tokens(principal, question["catalog"])
            case "/v1/credentials":
                answer = self.keys(principal, question["catalog"])
            case _:
                answer = (404, {"error": "There is nothing here."})
        return self._noted(path, principal.user, question, answer)

    def _noted(self, path: str, user: str, question: Mapping[str, Any], answer: Answer) -> Answer:
        self.asked.append((path, user, question.get("catalog", ""), answer[0]))
        return answer


@contextmanager
def control_endpoint(
    tokens: Callable[[Principal, str], Answer],
    *,
    host: str = "127.0.0.1",
    context: ssl.SSLContext | None = None,
    tls: ControlTls | None = None,
) -> Iterator[FakeControl]:
    """Listen for as long as the block lasts; with `context` over TLS."""
    server = ThreadingHTTPServer((host, 0), _Handler)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "http" if context is None else "https"
    control = FakeControl(f"{scheme}://{host}:{server.server_address[1]}", tokens, tls=tls)
    server.control = control  # type: ignore[attr-defined]  # the handler finds it there
    thread = threading.Thread(target=server.serve_forever, name="control-endpoint", daemon=True)
    thread.start()
    try:
        yield control
    finally:
        server.shutdown()
        server.server_close()
        thread.join(120)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    timeout = 60

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        control: FakeControl = self.server.control  # type: ignore[attr-defined]
        status, answer = control.answer(self.path, self.headers["Authorization"], question)
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, _format: str, *args: object) -> None: ...
