"""The sessions of Flight SQL clients: their options, tickets and prepared statements.

A client is identified by the session token that it logged in with, and otherwise by its principal and its connection.
Its statements run in sessions of the query service, one for each combination of catalog, schema, time zone and dialect;
the service opens and closes these as needed.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from cachetools import LRUCache

from sqe.errors import LimitError, QueryNotFoundError, SessionError
from sqe.frontends.flight.call_authenticator import Caller, address
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.model.identity import Principal
from sqe.model.session import DEFAULT_NAMESPACE, Dialect, SessionSpec
from sqe.service import effects, properties
from sqe.service.client_statement import ClientContext
from sqe.service.contexts import ContextSessions
from sqe.service.effects import Effect
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.units import Duration

if TYPE_CHECKING:
    from sqe.frontends.flight.prepared import Prepared
    from sqe.frontends.flight.statements import Statement

FRONT_END = "flight"

_HANDLES = 1_000  # tickets and prepared statements that one session may hold, of each
_PREPARED_TEXTS = 1_000
_SWEEP_EVERY = 10.0
_CLOSED = 10_000  # ended sessions of which the next call has to hear

_V = TypeVar("_V")


class Handles(Generic[_V]):
    """The objects of one session by unguessable handles. The oldest is removed when there are too many."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._items: LRUCache[bytes, _V] = LRUCache(_HANDLES)

    def add(self, item: _V) -> bytes:
        handle = secrets.token_hex(16).encode()
        with self._lock:
            self._items[handle] = item
        return handle

    def get(self, handle: bytes) -> _V:
        """Return the object. Raises QueryNotFoundError, also for a handle of another session."""
        with self._lock:
            item = self._items.get(handle)
            if item is None:
                raise QueryNotFoundError(f"There is no such {self._what} in this session.")
            return item

    def drop(self, handle: bytes) -> None:
        """Remove the object. Raises QueryNotFoundError."""
        with self._lock:
            if self._items.pop(handle, None) is None:
                raise QueryNotFoundError(f"There is no such {self._what} in this session.")


class FlightSession:
    """One client's state. Its calls may come on many threads at once."""

    def __init__(
        self,
        service: QueryService,
        principal: Principal,
        base: SessionSpec,
        idle_limit: float,
        address: str | None = None,
    ) -> None:
        self.principal = principal
        self.base = base
        self.tickets: Handles[Statement] = Handles("ticket")
        self.prepared: Handles[Prepared] = Handles("prepared statement")
        self.last_use = time.monotonic()
        self.token: str | None = None  # the session token that was issued for a password
        self._service = service
        self._lock = threading.RLock()
        self._context = replace(_start(base), address=address)
        self._contexts = ContextSessions(service, base, front_end=FRONT_END, idle_limit=idle_limit)
        self._opened: dict[str, GatewaySession] = {}

    @property
    def context(self) -> ClientContext:
        with self._lock:
            return self._context

    @property
    def catalog(self) -> str | None:
        return self.context.catalog

    @property
    def schema(self) -> str:
        return self.context.schema or DEFAULT_NAMESPACE

    @property
    def untouched(self) -> bool:
        """Return whether a new session would be the same: the client has set nothing."""
        return replace(self.context, address=None) == _start(self.base)

    def service_session(self, dialect: Dialect | None = None) -> GatewaySession:
        """Return the query service's session for the client's current context. Raises SqeError."""
        context = self.context
        session = self._contexts.session(
            self.principal,
            catalog=context.catalog,
            schema=context.schema,
            time_zone=context.time_zone,
            dialect=dialect or properties.dialect(context.properties),
        )
        with self._lock:
            self._opened = {key: kept for key, kept in self._opened.items() if not kept.closed}
            self._opened[session.id] = session
        return session

    def change(self, context: ClientContext) -> None:
        with self._lock:
            self._context = context

    def apply(self, changes: Sequence[Effect]) -> None:
        """Apply the effects of a finished statement. Raises LimitError."""
        with self._lock:
            for effect in changes:
                self._context = _after(self._context, effect)

    def close(self) -> None:
        with self._lock:
            opened, self._opened = self._opened, {}
        for session in opened.values():
            if not session.closed:  # the service closes idle sessions by itself
                self._service.close_session(session)


class FlightSessions:
    """The sessions of all clients, by caller."""

    def __init__(
        self, service: QueryService, base: SessionSpec, tokens: SessionTokens, idle_limit: float
    ) -> None:
        self._service = service
        self._base = base
        self._tokens = tokens
        self._idle_limit = idle_limit
        self._lock = threading.Lock()
        self._sessions: dict[_Key, FlightSession] = {}
        self._closed: LRUCache[_Key, None] = LRUCache(_CLOSED)
        self._swept = time.monotonic()

    def session(self, caller: Caller) -> FlightSession:
        """Return the caller's session, a new one if it has none.

        Raises:
            SessionError: the caller's session was closed while it was idle, and the caller had set something in it. A
                new one would answer in another schema, dialect or time zone than the caller believes.
        """
        key = _key(caller)
        with self._lock:
            gone = self._sweep()
            closed = key in self._closed
            session = None if closed else self._sessions.get(key)
            if session is None and not closed:
                session = FlightSession(
                    self._service, caller.principal, self._base, self._idle_limit, address(caller.peer)
                )
                self._sessions[key] = session
            if session is not None:
                session.last_use = time.monotonic()
        for old in gone:
            old.close()
        if session is None:
            raise SessionError(
                f"The session was closed after {Duration(self._idle_limit)} without a request.",
                hint="Connect again.",
            )
        return session

    def token(self, caller: Caller) -> str:
        """Return a session token for a caller that sent a password; it identifies the caller's current session."""
        session = self.session(caller)
        with self._lock:
            if session.token is None or self._tokens.principal(session.token) != caller.principal:
                session.token = self._tokens.mint(caller.principal)
                self._sessions[_token_key(caller.principal, session.token)] = session
            return session.token

    def close(self, caller: Caller) -> None:
        with self._lock:
            if _key(caller) in self._closed:
                del self._closed[_key(caller)]  # the client knows now
                return
        session = self.session(caller)
        with self._lock:
            self._sessions = {key: kept for key, kept in self._sessions.items() if kept is not session}
        session.close()

    def _sweep(self) -> list[FlightSession]:
        """Remove and return idle sessions. The caller holds the lock."""
        now = time.monotonic()
        if now - self._swept < _SWEEP_EVERY:
            return []
        self._swept = now
        idle = {key for key, kept in self._sessions.items() if now - kept.last_use > self._idle_limit}
        for key in idle:
            if not self._sessions[key].untouched:
                self._closed[key] = None
        gone = [self._sessions.pop(key) for key in idle]
        return list({id(session): session for session in gone}.values())  # a session may have two keys


_Key = tuple[Principal, str]


def _key(caller: Caller) -> _Key:
    if caller.token is not None:
        return _token_key(caller.principal, caller.token)
    return caller.principal, f"peer {caller.peer}"


def _token_key(principal: Principal, token: str) -> _Key:
    return principal, f"token {hashlib.sha256(token.encode()).hexdigest()}"


def _start(base: SessionSpec) -> ClientContext:
    return ClientContext(catalog=base.current_catalog, schema=base.namespace)


def _after(context: ClientContext, effect: Effect) -> ClientContext:
    match effect:
        case effects.SetCatalog(name=name):
            return replace(context, catalog=name)
        case effects.SetSchema(name=name):
            return replace(context, schema=name)
        case effects.SetProperty(name=name, value=value):
            return replace(context, properties={**context.properties, name: value})
        case effects.ClearProperty(name=name):
            return replace(context, properties=_without(context.properties, name))
        case effects.SetTimeZone(zone=zone):
            return replace(context, time_zone=zone)
        case effects.AddPrepared(name=name, sql=sql):
            if len(context.prepared) >= _PREPARED_TEXTS:
                raise LimitError("The session has too many prepared statements.", hint="DEALLOCATE some.")
            return replace(context, prepared={**context.prepared, name: sql})
        case effects.DropPrepared(name=name):
            return replace(context, prepared=_without(context.prepared, name))
        case effects.StartTransaction(id=transaction):
            return replace(context, transaction=transaction)
        case effects.EndTransaction():
            return replace(context, transaction=None)
        case effects.SetRole() | effects.SetPath():
            return context  # nothing depends on them yet


def _without(values: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in values.items() if key != name}
