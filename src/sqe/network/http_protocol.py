"""Extend uvicorn's connections: pass on the client's certificate, and close connections of stalled clients."""

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

_CHECK_SECONDS = 5.0

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Callable[..., Awaitable[Any]], Callable[..., Awaitable[Any]]], Awaitable[None]]


class HttpProtocol(H11Protocol):
    """One connection of a client."""

    request_seconds = 60.0  # from a request's first byte, or from the connection, to its last byte
    stalled_seconds = 120.0  # in which a client reads nothing of a response that is ready
    check_seconds = _CHECK_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        encrypted = transport.get_extra_info("ssl_object")
        certificate = encrypted.getpeercert() if encrypted is not None else None
        if certificate:
            self.app = _with_certificate(self.app, certificate)
        self._owed_since: float | None = time.monotonic()  # the server waits for the rest of a request
        self._unsent, self._unsent_since = 0, time.monotonic()
        self._timer = self.loop.call_later(self.check_seconds, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._owed_since = self._owed_since or time.monotonic()
        else:
            self._owed_since = None

    def _check(self) -> None:
        now = time.monotonic()
        unsent = self.transport.get_write_buffer_size()
        if unsent == 0 or unsent != self._unsent:
            self._unsent, self._unsent_since = unsent, now
        late = self._owed_since is not None and now - self._owed_since > self.request_seconds
        if late or (now - self._unsent_since > self.stalled_seconds and unsent):
            _log.info("closed the connection of a stalled client at %s", self.client)
            self.transport.abort()
            return
        self._timer = self.loop.call_later(self.check_seconds, self._check)


def limited_protocol(request_seconds: float, stalled_seconds: float) -> type[HttpProtocol]:
    """Return the protocol with these limits; uvicorn takes a class, not an object."""
    limits = {"request_seconds": request_seconds, "stalled_seconds": stalled_seconds}
    return type("LimitedHttpProtocol", (HttpProtocol,), limits)


def _with_certificate(app: App, certificate: Mapping[str, Any]) -> App:
    async def wrapped(
        scope: Scope, receive: Callable[..., Awaitable[Any]], send: Callable[..., Awaitable[Any]]
    ) -> None:
        scope.setdefault("extensions", {})[CERTIFICATE] = certificate
        await app(scope, receive, send)

    return wrapped
