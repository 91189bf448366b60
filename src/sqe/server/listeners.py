"""The listeners of `sqe server` on the network: their addresses, TLS, front ends and descriptions.

Addresses are taken in the constructor, before anything slow is loaded: from then on clients can connect, and wait.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sqe.catalogs import catalogs_of
from sqe.config.schema import Config
from sqe.errors import SqeError
from sqe.identity.chain import Authenticator
from sqe.identity.service import IdentityService
from sqe.model.session import Dialect, SessionSpec
from sqe.network.plan import ListenerPlan, PlannedListener, plan_listeners
from sqe.network.tls import LiveContext, Reloadable, Reloader
from sqe.production import check_server

# Loaded when the listeners open: the engine is to be started first.
if TYPE_CHECKING:
    from starlette.applications import Starlette

    from sqe.frontends.flight.sql_endpoint import FlightSqlEndpoint
    from sqe.identity.logins.external import ExternalLogins
    from sqe.service.service import QueryService
    from sqe.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)


class Listener(Protocol):
    """An open listener of any front end."""

    @property
    def port(self) -> int: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class OpenListener:
    """A description of a listener: its address, and how to point a client at it."""

    name: str
    url: str
    hint: str


class Listeners:
    def __init__(self, config: Config) -> None:
        """Check the settings and take the addresses. Raises ConfigError."""
        check_server(config)
        self._config = config
        self._plan: ListenerPlan = plan_listeners(config.server)
        self._sockets: dict[str, socket.socket] = {}
        self._listeners: dict[str, Listener] = {}
        self.identity = IdentityService(config, network=True)
        if "anonymous" in config.auth.providers:
            self._warn_of_unreachable()
        # Made here, so that a change from here on is noticed.
        self._encrypted: list[Reloadable] = []
        self._reloader = Reloader(self._plan.tls, self._encrypted) if self._plan.tls is not None else None
        if self._plan.tls is not None:
            self._plan.tls.read()
        self._open: list[OpenListener] = []
        with ExitStack() as undo:
            for planned in self._plan.listeners:
                if planned.name == "flight":
                    planned.address.check_free()
                else:
                    self._sockets[planned.name] = undo.enter_context(planned.address.listen())
            undo.pop_all()

    @property
    def described(self) -> list[OpenListener]:
        """The open listeners, in the order of the configuration."""
        order = [planned.name for planned in self._plan.listeners]
        return sorted(self._open, key=lambda listener: order.index(listener.name))

    def open(
        self,
        service: QueryService,
        metrics: Metrics,
        not_ready: Callable[[], str | None],
        directory: Path,
    ) -> None:
        """Answer at every address.

        Args:
            service: what the front ends translate to.
            metrics: counts logins, and is rendered for Prometheus.
            not_ready: says why the server takes no queries, or None.
            directory: a private one, for files that clients upload.

        Raises:
            SqeError: an address was taken meanwhile.
        """
        authenticator = self.identity.authenticator(metrics.login)
        for planned in sorted(self._plan.listeners, key=lambda item: _OPENED.index(item.name)):
            if planned.name == "flight":
                listener = self._flight(planned, service, authenticator, directory)
                if planned.encrypted:
                    self._encrypted.append(listener)
                self._add(planned, listener)
            else:
                live = self._live_context(planned)
                if live is not None:
                    self._encrypted.append(live)
                self._http(planned, live, service, authenticator, metrics, not_ready)

    def refresh(self, *, reload: bool = False) -> None:
        """Load certificates that have changed; with `reload`, all of them."""
        if self._reloader is not None:
            self._reloader.reload_changed(force=reload)

    def close(self) -> None:
        """Stop listening. Health comes last: probes may ask for as long as anything is left."""
        for name in sorted(self._listeners, key=("flight", "trino", "metrics", "health").index):
            try:
                self._listeners.pop(name).close()
            except SqeError as error:
                _log.error("%s", error.message)
        for opened in self._sockets.values():
            opened.close()
        self._sockets.clear()
        self._open.clear()

    def _warn_of_unreachable(self) -> None:
        exposed = [
            planned.address.host_key
            for planned in self._plan.listeners
            if planned.name in ("flight", "trino") and not planned.address.is_loopback()
        ]
        if exposed and self._config.auth.providers == ("anonymous",):
            _log.warning(
                "%s can be reached from other machines, but auth.providers lets only clients on this one in",
                " and ".join(exposed),
            )

    def _live_context(self, planned: PlannedListener) -> LiveContext | None:
        if not planned.encrypted or self._plan.tls is None:
            return None
        return LiveContext(self._plan.tls, ask_clients=planned.ask_clients)

    def _http(
        self,
        planned: PlannedListener,
        tls: LiveContext | None,
        service: QueryService,
        authenticator: Authenticator,
        metrics: Metrics,
        not_ready: Callable[[], str | None],
    ) -> None:
        from sqe.frontends.probes.app import health_app, metrics_app
        from sqe.network.http import HttpLimits, HttpListener
        from sqe.telemetry.metrics import CONTENT_TYPE

        match planned.name:
            case "health":
                app = health_app(not_ready)
            case "metrics":
                app = metrics_app(metrics.render, CONTENT_TYPE)
            case _:
                app = self._trino(service, authenticator, self.identity.external(metrics.login))
        settings = self._config.server
        limits = HttpLimits(
            settings.connections, float(settings.request_timeout), float(settings.stall_timeout)
        )
        listener = HttpListener(planned.name, app, self._sockets.pop(planned.name), tls, limits)
        listener.start()
        self._add(planned, listener)

    def _trino(
        self, service: QueryService, authenticator: Authenticator, external: ExternalLogins | None
    ) -> Starlette:
        from sqe.frontends.trino.app import trino_app
        from sqe.frontends.trino.settings import TrinoSettings, networks
        from sqe.service.contexts import ContextSessions

        limits = self._config.limits
        spec = replace(base_spec(self._config), own_zones=True)
        contexts = ContextSessions(service, spec, front_end="trino", idle_limit=float(limits.session_idle))
        settings = TrinoSettings(
            sql_bytes=int(limits.sql_bytes),
            unread_seconds=float(limits.unread_result),
            trusted_proxies=networks(self._config.server.trusted_proxies),
            segments=self._config.server.trino_segments,
            external_url=self._config.oidc.external_url,
        )
        return trino_app(service, contexts, authenticator, settings=settings, external=external)

    def _flight(
        self,
        planned: PlannedListener,
        service: QueryService,
        authenticator: Authenticator,
        directory: Path,
    ) -> FlightSqlEndpoint:
        from sqe.frontends.flight.sql_endpoint import FlightSqlEndpoint

        return FlightSqlEndpoint(
            planned.address.url("grpc+tls" if planned.encrypted else "grpc", planned.address.port),
            service,
            authenticator,
            self.identity.tokens,
            base_spec(self._config),
            tls=self._plan.tls if planned.encrypted else None,
            limits=self._config.limits,
            directory=directory,
        )

    def _add(self, planned: PlannedListener, listener: Listener) -> None:
        self._listeners[planned.name] = listener
        url = planned.address.url(_SCHEMES[planned.name][planned.encrypted], listener.port)
        host = url.partition("://")[2]
        hint = {
            "flight": f"jdbc:arrow-flight-sql://{host}?useEncryption={str(planned.encrypted).lower()}",
            "trino": f"trino --server {url}",
        }.get(planned.name, "")
        self._open.append(OpenListener(planned.name, url + _PATHS.get(planned.name, ""), hint))


# Flight SQL cannot be connected to before it is opened, and Trino's front end takes longest to load.
_OPENED = ("flight", "health", "metrics", "trino")

_SCHEMES = {
    "flight": ("grpc", "grpc+tls"),
    "trino": ("http", "https"),
    "metrics": ("http", "https"),
    "health": ("http", "https"),
}
_PATHS = {"metrics": "/metrics", "health": "/readyz"}


def base_spec(config: Config) -> SessionSpec:
    """Return the session of a network client: the server's catalogs, Trino's SQL, and no files of this machine."""
    return SessionSpec(catalogs_of(config), dialect=Dialect.TRINO)
