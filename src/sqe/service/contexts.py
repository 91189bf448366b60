"""Keep sessions for a protocol that has none: each request carries its user and its context.

All requests of one user with the same context (catalog, schema, time zone, dialect) share one session of the engine.
The first of them opens it, and it is closed when none has come for `limits.session_idle`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from sqe.errors import SessionError
from sqe.model.identity import Principal
from sqe.model.session import Dialect, SessionSpec
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession


@dataclass(frozen=True, slots=True)
class _Key:
    principal: Principal
    spec: SessionSpec


class ContextSessions:
    def __init__(
        self, service: QueryService, base: SessionSpec, *, front_end: str, idle_limit: float
    ) -> None:
        self._service = service
        self._base = base
        self._front_end = front_end
        self._idle_limit = idle_limit
        self._lock = threading.Lock()
        self._sessions: dict[_Key, GatewaySession] = {}

    def session(
        self,
        principal: Principal,
        *,
        catalog: str | None = None,
        schema: str | None = None,
        time_zone: str | None = None,
        dialect: Dialect = Dialect.TRINO,
    ) -> GatewaySession:
        """Return the user's session for this context. Raises SqeError, such as when there are too many."""
        spec = replace(self._base, catalog=catalog, namespace=schema, time_zone=time_zone, dialect=dialect)
        key = _Key(principal, spec)
        with self._lock:
            known = self._sessions.get(key)
            if known is not None and self._is_open(known):
                return known
            self._forget_closed()
            session = self._service.open_session(
                principal, spec, front_end=self._front_end, idle_limit=self._idle_limit
            )
            self._sessions[key] = session
            return session

    def _is_open(self, session: GatewaySession) -> bool:
        try:
            self._service.session(session.id)
        except SessionError:
            return False
        return True

    def _forget_closed(self) -> None:
        # Not through `session()`, which would count as a use of it.
        for key, session in list(self._sessions.items()):
            if session.closed:
                del self._sessions[key]
