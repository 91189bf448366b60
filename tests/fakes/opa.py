"""Serve a fake Open Policy Agent on 127.0.0.1, over real HTTP.

with FakeOpa() as opa:
    opa.config(batched=True)                  # the configuration that belongs to it
    opa.rules["allow"] = lambda asked: True   # what a rule answers to an input; UNDEFINED: nothing
    opa.trouble = "slow"                      # or another Trouble; None: as it should be
    opa.asked                                 # what was asked: (rule, input)
    opa.actions("allow")                      # the actions of a rule
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Literal, Self

from sqe.config.schema import Config
from sqe.config.sections.opa import OpaConfig
from sqe.config.sections.policy import PolicyConfig
from sqe.units import Duration, Secret

UNDEFINED = object()
TOKEN = "the-agents-token"

Trouble = Literal[
    "down",
    "slow",
    "trickle",
    "half",
    "nonsense",
    "list",
    "deep",
    "huge",
    "redirect",
    "error",
    "missing",
    "busy",
]
Rule = Callable[[Mapping[str, Any]], Any]

_BODIES: Mapping[Trouble, bytes] = {
    "nonsense": b"<html>all is well</html>",
    "list": b"[true]",
    "deep": b"[" * 100_000,
    "huge": b'{"result": true, "x": "' + b"x" * (2 << 20) + b'"}',
}
_STATUS: Mapping[Trouble, int] = {"redirect": 302, "error": 500, "missing": 404, "busy": 503}


class FakeOpa:
    def __init__(self) -> None:
        self.rules: dict[str, Rule] = {"allow": lambda asked: True}
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.headers: list[Mapping[str, str]] = []
        self.connections: set[tuple[str, int]] = set()
        self.trouble: Trouble | None = None
        self.release = threading.Event()  # set it to end the delays of "slow" and "trickle"
        handler = type("Handler", (_Handler,), {"opa": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1/data/trino"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(120)

    def config(
        self,
        *,
        filters: bool = False,
        masks: bool = False,
        batched: bool = False,
        timeout: str = "1min",
        **others: Any,
    ) -> Config:
        urls = {
            "url": f"{self.url}/allow",
            "row_filters_url": f"{self.url}/rowFilters" if filters else None,
            "column_mask_url": f"{self.url}/columnMask" if masks and not batched else None,
            "batch_column_masks_url": f"{self.url}/batchColumnMasks" if masks and batched else None,
            "batched_url": f"{self.url}/batch" if batched else None,
            "token": Secret(TOKEN),
        }
        policy = PolicyConfig(engines=("opa",), timeout=Duration(timeout))
        return Config(opa=OpaConfig(**(urls | others)), policy=policy)

    def actions(self, rule: str = "allow") -> list[Mapping[str, Any]]:
        return [asked["action"] for name, asked in self.asked if name == rule]

    def operations(self, rule: str = "allow") -> list[str]:
        return [action["operation"] for action in self.actions(rule)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionResetError):  # who does not wait for an answer hangs up
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    opa: ClassVar[FakeOpa]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        rule = self.path.rpartition("/")[2]
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert set(document) == {"input"}
        self.opa.asked.append((rule, document["input"]))
        self.opa.headers.append(dict(self.headers))
        self.opa.connections.add(self.client_address)
        trouble = self.opa.trouble
        with suppress(BrokenPipeError, ConnectionResetError):
            if trouble is None:
                found = self.opa.rules[rule](document["input"]) if rule in self.opa.rules else UNDEFINED
                self._answer(200, json.dumps({} if found is UNDEFINED else {"result": found}).encode())
            elif trouble == "down":
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            elif trouble == "slow":
                self.opa.release.wait(120)
                self._answer(200, b'{"result": true}')
            elif trouble == "trickle":
                self._trickle()
            elif trouble == "half":
                self._answer(200, b'{"result": tr', length=16)
                self.close_connection = True
            else:
                self._answer(_STATUS.get(trouble, 200), _BODIES.get(trouble, b'{"result": true}'))

    def _answer(self, status: int, body: bytes, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if status == _STATUS["redirect"]:
            self.send_header("Location", f"{self.opa.url}/allow")
        self.end_headers()
        self.wfile.write(body)

    def _trickle(self) -> None:
        """A byte in time, each time."""
        body = b'{"result": true}' + b" " * 500
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for byte in body:
            self.wfile.write(bytes([byte]))
            if self.opa.release.wait(0.05):
                break

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
        pass
