"""What uvicorn's connections lack: the client's certificate for the application, and an end for clients that stall."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_log = logging.getLogger(__name__)

CERTIFICATE = (
    "sqe.certificate"  # in the scope's extensions: the verified client certificate, as `ssl` gives it
)

_LOOK_EVERY = 5.0
_REQUEST_SECONDS = 60.0  # from a request's first byte, or from the connection, to its last byte
_STALLED_SECONDS = 120.0  # in which a client reads nothing of what is there for it

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Callable[..., Awaitable[Any]], Callable[..., Awaitable[Any]]], Awaitable[None]]


class GuardedProtocol(H11Protocol):
    """One connection."""

    request_seconds = _REQUEST_SECONDS
    stalled_seconds = _STALLED_SECONDS
    look_every = _LOOK_EVERY

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        encrypted = transport.get_extra_info("ssl_object")
        certificate = encrypted.getpeercert() if encrypted is not None else None
        if certificate:
            self.app = _with_certificate(self.app, certificate)
        self._owed_since: float | None = time.monotonic()  # since when we wait for the rest of a request
        self._unsent, self._unsent_since = 0, time.monotonic()
        self._timer = self.loop.call_later(self.look_every, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._owed_since = self._owed_since or time.monotonic()
        else:
            self._owed_since = None

    def _look(self) -> None:
        now = time.monotonic()
        unsent = self.transport.get_write_buffer_size()
        if unsent == 0 or unsent != self._unsent:
            self._unsent, self._unsent_since = unsent, now
        late = self._owed_since is not None and now - self._owed_since > self.request_seconds
        if late or (now - self._unsent_since > self.stalled_seconds and unsent):
            _log.info("a client at %s stalls: its connection is closed", self.client)
            self.transport.abort()
            return
        self._timer = self.loop.call_later(self.look_every, self._look)


def _with_certificate(app: App, certificate: Mapping[str, Any]) -> App:
    async def wrapped(
        scope: Scope, receive: Callable[..., Awaitable[Any]], send: Callable[..., Awaitable[Any]]
    ) -> None:
        scope.setdefault("extensions", {})[CERTIFICATE] = certificate
        await app(scope, receive, send)

    return wrapped
