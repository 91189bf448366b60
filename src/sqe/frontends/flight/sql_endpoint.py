"""The Flight SQL endpoint: its listener, which a reload of certificates replaces, and the state that stays."""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import pyarrow as pa

from sqe.common.loopback import is_loopback_host
from sqe.config.sections.limits import LimitsConfig
from sqe.errors import GatewayError
from sqe.frontends.flight.call_authenticator import CallAuthenticator
from sqe.frontends.flight.handlers import Handlers
from sqe.frontends.flight.session import FlightSessions
from sqe.frontends.flight.sql_server import Certificates, FlightSqlServer
from sqe.frontends.flight.stall_watchdog import StallWatchdog
from sqe.identity.chain import Authenticator
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.model.session import SessionSpec
from sqe.service.service import QueryService

_log = logging.getLogger(__name__)

_BIND_SECONDS = 5.0
_CLOSE_SECONDS = 2.0
_TRY_EVERY = 0.01


class Material(Protocol):
    @property
    def certificate(self) -> bytes: ...

    @property
    def key(self) -> bytes: ...

    @property
    def client_ca(self) -> bytes | None: ...


class TlsSource(Protocol):
    """A source of certificates, which may change."""

    @property
    def client_auth(self) -> str:
        """One of none, optional and required."""

    def read(self) -> Material:
        """Read the certificates. Raises ConfigError."""


class FlightSqlEndpoint:
    """Listens from its construction until `close`."""

    def __init__(
        self,
        location: str,
        service: QueryService,
        authenticator: Authenticator,
        tokens: SessionTokens,
        base: SessionSpec,
        *,
        tls: TlsSource | None = None,
        limits: LimitsConfig | None = None,
        directory: Path | None = None,
    ) -> None:
        """Start to listen.

        Args:
            location: such as `grpc+tls://0.0.0.0:50051`; port 0 takes a free one.
            service: runs the queries.
            authenticator: checks the credentials of callers.
            tokens: issues session tokens for passwords.
            base: the spec that every session starts with.
            tls: certificates; None: plain text. gRPC can require client certificates but not request them: where they
                are optional, clients are not asked for one.
            limits: of the server.
            directory: private, for data that clients ingest; None: a temporary one.

        Raises:
            GatewayError: the address is in use.
            ConfigError: the certificates cannot be read.
        """
        limits = limits or LimitsConfig()
        self._scratch = tempfile.TemporaryDirectory(prefix="sqe-ingest-", dir=directory)
        self._tls = tls
        self._requires_certificates = tls is not None and tls.client_auth == "required"
        self._location = urlsplit(location)
        self._authenticator = CallAuthenticator(
            authenticator,
            tokens,
            loopback_only=is_loopback_host(self._location.hostname or ""),
            certificates=self._requires_certificates,
        )
        self._sessions = FlightSessions(service, base, tokens, float(limits.session_idle))
        self._handlers = Handlers(service, limits, Path(self._scratch.name))
        self._watchdog = StallWatchdog(float(limits.unread_result))
        self._lock = threading.Lock()
        self._ending: list[threading.Thread] = []
        try:
            self._server = self._listen(self._location.port or 0, self._certificates(), 0.0)
        except BaseException:
            self._watchdog.close()
            self._scratch.cleanup()
            raise
        self.port: int = self._server.port

    def reload(self) -> None:
        """Listen with the current certificates; running calls keep their connections.

        Raises ConfigError, and then the old certificates stay. For a millisecond the port is closed: the old listener
        must release the address before the new one can bind it.
        """
        with self._lock:
            certificates = self._certificates()
            self._end(self._server)
            self._server = self._listen(self.port, certificates, _BIND_SECONDS)

    def close(self) -> None:
        """Stop listening, and cut the connections of calls that do not end in time."""
        with self._lock:
            self._end(self._server)
            self._join(_CLOSE_SECONDS)
            self._watchdog.cut_all()
            self._join(_CLOSE_SECONDS)
            self._watchdog.close()
            self._scratch.cleanup()

    def _certificates(self) -> Certificates | None:
        if self._tls is None:
            return None
        material = self._tls.read()
        client_ca = material.client_ca if self._requires_certificates else None
        return Certificates(material.certificate, material.key, client_ca)

    def _listen(self, port: int, certificates: Certificates | None, seconds: float) -> FlightSqlServer:
        host = self._location.hostname or ""
        location = f"{self._location.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
        deadline = time.monotonic() + seconds
        while True:
            try:
                return FlightSqlServer(
                    location,
                    self._authenticator,
                    self._sessions,
                    self._handlers,
                    self._watchdog,
                    certificates,
                )
            except pa.ArrowException as error:
                if time.monotonic() >= deadline:
                    raise GatewayError(
                        f"Flight SQL cannot listen on {host}:{port}.",
                        hint="Check whether another server uses the address.",
                        detail=str(error),
                    ) from error
            time.sleep(_TRY_EVERY)

    def _end(self, server: FlightSqlServer) -> None:
        """Shut a listener down; it stops listening at once, and ends with its last call."""
        thread = threading.Thread(target=server.shutdown, name="flight-ends", daemon=True)
        thread.start()
        self._ending = [*(old for old in self._ending if old.is_alive()), thread]

    def _join(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        for thread in self._ending:
            thread.join(max(0.0, deadline - time.monotonic()))
