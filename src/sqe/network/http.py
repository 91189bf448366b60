"""Run an HTTP server in a thread of its own, on a socket that listens already."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from dataclasses import dataclass
from typing import Any, Protocol

import uvicorn

from sqe.errors import SqeError
from sqe.network.address import BACKLOG
from sqe.network.http_protocol import HttpProtocol, limited_protocol

_START_SECONDS = 10.0
_LONGEST_HEADERS = 256 * 1024  # Trino's clients send their prepared statements in headers
_KEEP_ALIVE_SECONDS = 75
_CONNECTIONS = 2_000
_STOP_SECONDS = 5


class Encryption(Protocol):
    """Certificates that may change (`tls.LiveContext`), or are made for this process (`ephemeral.EphemeralTls`)."""

    context: ssl.SSLContext


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Limits of one listener."""

    connections: int
    request_seconds: float  # from a request's first byte, or from the connection, to its last byte
    stalled_seconds: float  # in which a client reads nothing of a response that is ready


class HttpListener:
    def __init__(
        self,
        name: str,
        app: Any,
        opened: socket.socket,
        tls: Encryption | None,
        limits: HttpLimits | None = None,
    ) -> None:
        """Serve `app`, an ASGI application, on the socket, with TLS if there is any.

        Without `limits` the default ones hold, as for the control endpoint, whose only client is the engine.
        """
        self._socket = opened
        context = tls.context if tls is not None else None
        config = uvicorn.Config(
            app,
            http=HttpProtocol
            if limits is None
            else limited_protocol(limits.request_seconds, limits.stalled_seconds),
            ws="none",
            lifespan="off",
            loop="asyncio",
            interface="asgi3",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the applications decide which proxies to trust
            backlog=BACKLOG,
            limit_concurrency=_CONNECTIONS if limits is None else limits.connections,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_STOP_SECONDS,
            h11_max_incomplete_event_size=_LONGEST_HEADERS,
            ssl_context_factory=(lambda config, default: context) if context is not None else None,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name=f"http-{name}", daemon=True)
        self._name = name

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Take no more connections, let requests end, then close."""
        self._server.should_exit = True
        if self._thread.ident is not None:
            self._thread.join(_STOP_SECONDS + _START_SECONDS)
            if self._thread.is_alive():
                raise SqeError(f"The listener {self._name} did not end in time.")
        self._socket.close()

    def _run(self) -> None:
        # uvicorn handles signals only in the main thread, and this is none.
        asyncio.run(self._server.serve([self._socket]))
