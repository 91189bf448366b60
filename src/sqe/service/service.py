"""The only door: sessions and queries for every front end, whatever its protocol.

A front end opens a session, submits statements in it, polls and fetches them by id, cancels them, closes the session.
Ids are bound to their session: another session's id is answered as an unknown one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sqe.config import LimitsConfig
from sqe.engine.interface import Engine
from sqe.errors import QueryCanceledError, QueryNotFoundError, SessionError, SqeError, TooManyQueriesError
from sqe.model.query import QueryId, QueryState, QueryStatus
from sqe.model.session import SessionSpec
from sqe.service.query import Query
from sqe.service.result import ResultStream
from sqe.service.session import GatewaySession
from sqe.sql.caps import check_depth, check_size

_log = logging.getLogger(__name__)

_TICK = 0.5
_REMEMBERED_SECONDS = 300.0


@dataclass(slots=True)
class _Registry:
    """Everything that is open. Guarded by the service's lock."""

    sessions: dict[str, GatewaySession] = field(default_factory=dict)
    queries: dict[QueryId, Query] = field(default_factory=dict)
    running: set[QueryId] = field(default_factory=set)
    waiting: list[QueryId] = field(default_factory=list)


class QueryService:
    def __init__(self, engine: Engine, limits: LimitsConfig) -> None:
        self._engine = engine
        self._limits = limits
        self._lock = threading.RLock()
        self._open = _Registry()
        self._closing = threading.Event()
        self._last_use = time.monotonic()
        self._ticker = threading.Thread(target=self._tick, name="query-ticker", daemon=True)
        self._ticker.start()

    # -- sessions -------------------------------------------------------------------------------------------------

    def open_session(self, user: str, spec: SessionSpec) -> GatewaySession:
        with self._lock:
            self._refuse_when_closing()
            if len(self._open.sessions) >= self._limits.sessions:
                raise TooManyQueriesError(
                    f"There are {len(self._open.sessions)} sessions open (limits.sessions).",
                    hint="Close one, or raise the limit.",
                )
            session = GatewaySession(user, spec, self._engine.open(spec, user))
            self._open.sessions[session.id] = session
            self._last_use = time.monotonic()
        return session

    def session(self, session_id: str) -> GatewaySession:
        with self._lock:
            try:
                return self._open.sessions[session_id]
            except KeyError:
                raise SessionError("The session is unknown or was closed.", hint="Connect again.") from None

    def close_session(self, session: GatewaySession) -> None:
        """Cancel the session's queries and give its engine session back."""
        with self._lock:
            self._open.sessions.pop(session.id, None)
            queries = [query for query in self._open.queries.values() if query.session is session]
            self._last_use = time.monotonic()
        for query in queries:
            self._stop(query)
        for query in queries:
            query.wait(10)
        with self._lock:
            for query in queries:
                self._open.queries.pop(query.id, None)
        session.engine.close()

    # -- queries --------------------------------------------------------------------------------------------------

    def submit(self, session: GatewaySession, sql: str) -> QueryId:
        """Take a statement and return its id at once; it runs when there is a slot. Raises LimitError."""
        check_size(sql, int(self._limits.sql_bytes))
        check_depth(sql, self._limits.sql_depth)
        query = Query(session, sql, self._limits)
        with self._lock:
            self._refuse_when_closing()
            self.session(session.id)
            self._last_use = time.monotonic()
            if not self._may_start(query) and len(self._open.waiting) >= self._limits.queued_queries:
                raise TooManyQueriesError(
                    f"{len(self._open.waiting)} queries are waiting already (limits.queued_queries).",
                    hint="Try again in a moment.",
                )
            self._open.queries[query.id] = query
            self._open.waiting.append(query.id)
            self._start_waiting()
        return query.id

    def poll(self, session: GatewaySession, query_id: QueryId) -> QueryStatus:
        status = self._query(session, query_id).status()
        if status.state is not QueryState.QUEUED:
            return status
        with self._lock:
            waits = query_id in self._open.waiting
        return replace(status, note="waiting for other queries to end" if waits else self._engine.note)

    def fetch(self, session: GatewaySession, query_id: QueryId) -> ResultStream:
        """The result, to be read once."""
        return ResultStream(self._query(session, query_id), self._stop)

    def cancel(self, session: GatewaySession, query_id: QueryId) -> None:
        self._stop(self._query(session, query_id))

    # -- the whole ------------------------------------------------------------------------------------------------

    @property
    def idle_seconds(self) -> float:
        """How long nothing was asked of this service; 0 while a session is open."""
        with self._lock:
            return 0.0 if self._open.sessions else time.monotonic() - self._last_use

    @property
    def quiet_seconds(self) -> float:
        """How long no query has run; sessions may be open."""
        with self._lock:
            return 0.0 if self._open.running or self._open.waiting else time.monotonic() - self._last_use

    def counts(self) -> dict[str, int]:
        with self._lock:
            return {
                "sessions": len(self._open.sessions),
                "running": len(self._open.running),
                "waiting": len(self._open.waiting),
            }

    def drain(self, seconds: float) -> None:
        """Take nothing new, let what runs end, and cancel what has not ended in time."""
        self._closing.set()
        deadline = time.monotonic() + seconds
        for query in self._live():
            query.wait(max(0.0, deadline - time.monotonic()))
        for query in self._live():
            query.stop(QueryCanceledError("The server is shutting down."))
        for query in self._live():
            query.wait(5)
        with self._lock:
            sessions = list(self._open.sessions.values())
        for session in sessions:
            self.close_session(session)
        self._ticker.join(5)

    # -- inside ---------------------------------------------------------------------------------------------------

    def _query(self, session: GatewaySession, query_id: QueryId) -> Query:
        with self._lock:
            query = self._open.queries.get(query_id)
            self._last_use = time.monotonic()
        if query is None or query.session is not session:
            raise QueryNotFoundError("There is no such query in this session.")
        return query

    def _refuse_when_closing(self) -> None:
        if self._closing.is_set():
            raise SessionError("The server is shutting down.", hint="Connect again in a moment.")

    def _may_start(self, query: Query) -> bool:
        running = [self._open.queries[query_id] for query_id in self._open.running]
        of_user = sum(other.session.user == query.session.user for other in running)
        return (
            len(running) < self._limits.concurrent_queries
            and of_user < self._limits.concurrent_queries_per_user
        )

    def _start_waiting(self) -> None:
        """Start every waiting query that has a slot, oldest first. The lock is held."""
        for query_id in list(self._open.waiting):
            query = self._open.queries[query_id]
            if self._may_start(query):
                self._open.waiting.remove(query_id)
                self._open.running.add(query_id)
                threading.Thread(
                    target=self._run, args=(query,), name=f"query-{query_id}", daemon=True
                ).start()

    def _run(self, query: Query) -> None:
        query.run()
        with self._lock:
            self._open.running.discard(query.id)
            self._last_use = time.monotonic()
            self._start_waiting()

    def _stop(self, query: Query, cause: SqeError | None = None) -> None:
        query.stop(cause)
        with self._lock:
            never_ran = query.id in self._open.waiting
            if never_ran:
                self._open.waiting.remove(query.id)
        if never_ran:
            query.abandon()

    def _live(self) -> Iterator[Query]:
        with self._lock:
            live = [query for query in self._open.queries.values() if query.ended_at is None]
        yield from live

    def _tick(self) -> None:
        """Time limits, results that nobody reads, and queries to forget."""
        while not self._closing.wait(_TICK):
            with self._lock:
                queries = list(self._open.queries.values())
            for query in queries:
                if query.past_deadline():
                    query.time_out()
                elif query.ended_at is None and query.buffer.idle_seconds > float(self._limits.unread_result):
                    self._stop(query, QueryCanceledError("Nobody read the result (limits.unread_result)."))
                elif query.ended_at is not None and query.buffer.idle_seconds > _REMEMBERED_SECONDS:
                    with self._lock:
                        self._open.queries.pop(query.id, None)
