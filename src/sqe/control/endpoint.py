"""Listen for the engine's control requests; only the engine that runs now can use the listener.

On loopback it speaks plain HTTP with the engine's secret on each call. On any other address it speaks mutual TLS as
well, with certificates that are made at the start and reach the engine together with the secret.
"""

from __future__ import annotations

import ipaddress
import logging
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from sqe.control.bindings import Binding, Bindings
from sqe.control.handlers import ControlHandlers, CredentialsSource, Decider, EngineLink, TokenSource
from sqe.engine.control import ControlLink, ControlTls
from sqe.errors import ConfigError, SqeError
from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import Store, StoreAccess
from sqe.identity.sts.web_identity import WebIdentity
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog
from sqe.network.address import Address

# Loaded when the listener is started: the engine is to be started first.
if TYPE_CHECKING:
    from sqe.config.schema import Config
    from sqe.network.ephemeral import EphemeralTls
    from sqe.network.http import HttpListener

_log = logging.getLogger(__name__)

_WAITING_CALLS = 32  # for an identity provider or STS; others wait behind them
_DECIDING_CALLS = 32  # apart from those, which must not keep decisions waiting
_LOAD_SECONDS = 30.0


class SessionLogins(TokenSource, Protocol):
    """The part of `identity.logins.store.Logins` that the endpoint uses."""

    def hold(self, login: str) -> None: ...

    def release(self, login: str) -> None: ...


class Keys(CredentialsSource, Protocol):
    """The part of `identity.sts.web_identity.WebIdentity` that the endpoint uses."""

    def forget(self, login: str) -> None: ...


class ControlEndpoint:
    """Implements `engine.control.Control`."""

    def __init__(
        self,
        config: Config,
        logins: SessionLogins,
        credentials: Keys,
        *,
        observe: Callable[[str, str], None] = lambda question, result: None,
        decider: Decider | None = None,
    ) -> None:
        """Take the address: from here on an engine can connect, and waits. Raises ConfigError.

        Args:
            config: all settings.
            logins: has the tokens.
            credentials: has the keys for storage.
            observe: called with the kind of each request (catalog, token, store_keys, ...) and its result.
            decider: decides what principals may do; None where the catalog alone decides.
        """
        self._logins = logins
        self._credentials = credentials
        self._bindings = Bindings()
        self._handlers = ControlHandlers(self._bindings, logins, credentials, observe, decider=decider)
        self._lock = threading.Lock()
        secret = config.engine.control_secret
        # The one of `engine.url` is there already, and keeps its secret when its sessions are lost.
        self._fixed = secret.reveal() if secret is not None and config.engine.url is not None else None
        self._engine = EngineLink(1, self._fixed) if self._fixed is not None else None
        self._address = Address("control", config.control.host, config.control.port, section="control")
        self._near = self._address.is_loopback()
        if not self._near:
            _check_reachable(self._address, config.engine.url)
        self._socket = self._address.listen()
        self._port = int(self._socket.getsockname()[1])
        self._tls = self._encryption()
        self._workers = ThreadPoolExecutor(_WAITING_CALLS, thread_name_prefix="control")
        self._deciders = ThreadPoolExecutor(_DECIDING_CALLS, thread_name_prefix="decide")
        self._listener: HttpListener | None = None
        self._loading: threading.Thread | None = None
        self._closed = False

    @property
    def url(self) -> str:
        return self._address.url("http" if self._tls is None else "https", self._port)

    def start(self) -> None:
        """Load what is slow to load, in a thread, and answer."""
        self._loading = threading.Thread(target=self._serve, name="load-control", daemon=True)
        self._loading.start()

    def link(self) -> ControlLink:
        """Make the secret and the address for the next engine. The secrets of engines before it end."""
        with self._lock:
            if self._fixed is None:
                number = self._engine.number + 1 if self._engine is not None else 1
                self._engine = EngineLink(number, secrets.token_urlsafe(32))
                lost = self._bindings.drop_all()
            else:
                lost = []
            engine = self._engine
        assert engine is not None
        self._release(lost)
        tls = None
        if self._tls is not None:
            pems = self._tls.client
            tls = ControlTls(key=pems.key, certificate=pems.certificate, authority=pems.authority)
        return ControlLink(self.url, engine.secret, tls)

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None:
        """Let a session of the engine act for `principal` on these catalogs, and hold its login meanwhile.

        Raises:
            AuthenticationError: the login has ended.
        """
        if principal.login is not None:
            self._logins.hold(principal.login)
        with self._lock:
            engine = self._engine
            before = self._bindings.put(session, principal, catalogs, engine.number if engine else 0)
        if before is not None:
            self._release([before])

    def unbind(self, session: str) -> None:
        """End the binding of a session that is over. Unknown ones are ignored."""
        found = self._bindings.drop(session)
        if found is not None:
            self._release([found])

    def open_stores(
        self, session: str, stores: Sequence[Store], reference: str | None
    ) -> tuple[StoreAccess, ...]:
        """Return the principal's credentials for the stores of one plan. Raises LocalExecutionError."""
        engine = self._engine
        if engine is None:
            raise LocalExecutionError("The control endpoint is closed.")
        return self._handlers.open_stores(engine, session, stores, reference)

    def close(self) -> None:
        """Stop to answer, and release all logins."""
        with self._lock:
            self._closed = True
            self._engine = None
        if self._loading is not None:
            self._loading.join(_LOAD_SECONDS)
        if self._listener is not None:
            try:
                self._listener.close()
            except SqeError as error:  # there is more to let go of
                _log.error("%s", error.message)
        self._socket.close()
        for pool in (self._workers, self._deciders):
            pool.shutdown(wait=False, cancel_futures=True)
        self._release(self._bindings.drop_all())

    def _encryption(self) -> EphemeralTls | None:
        if self._near:
            return None
        from sqe.network.ephemeral import EphemeralTls

        return EphemeralTls(self._address.host)

    def _serve(self) -> None:
        from sqe.control.app import control_app
        from sqe.network.http import HttpListener

        with self._lock:
            if self._closed:
                return
            app = control_app(self._handlers, self._current, self._workers, self._deciders)
            self._listener = HttpListener("control", app, self._socket, self._tls)
            self._listener.start()
        _log.info("the engine can ask at %s", self.url)

    def _current(self) -> EngineLink | None:
        return self._engine

    def _release(self, bindings: Iterable[Binding]) -> None:
        bindings = list(bindings)
        for binding in bindings:
            self._handlers.forget(binding.session)
        for login in [binding.principal.login for binding in bindings if binding.principal.login is not None]:
            self._logins.release(login)
            if not self._bindings.has_login(login):
                self._credentials.forget(login)


def make_control(
    config: Config,
    logins: SessionLogins,
    observe: Callable[[str, str], None],
    decider: Decider | None = None,
) -> ControlEndpoint:
    """Make the endpoint, for catalogs and guards that need to know the principal. Raises ConfigError."""
    keys = WebIdentity(logins, float(config.oidc.timeout), ca_bundle=config.tls.ca_bundle)
    return ControlEndpoint(config, logins, keys, observe=observe, decider=decider)


def _check_reachable(address: Address, engine_url: str | None) -> None:
    try:
        anywhere = ipaddress.ip_address(address.host).is_unspecified
    except ValueError:
        anywhere = False
    if anywhere:
        raise ConfigError(
            f"control.host: {address.host} is every address of this machine, and the engine has to be told one.",
            hint="Write the address or name under which the engine's executors reach this machine.",
        )
    if engine_url is not None:
        raise ConfigError(
            f"control.host: {address.host} can be reached from other machines, and the engine at engine.url "
            "cannot be handed the certificates for it.",
            hint="Keep it on 127.0.0.1 and let a tunnel or a proxy with TLS of its own lead there.",
        )
