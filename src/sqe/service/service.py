"""Manage the sessions and queries of every front end, whatever its protocol; nothing else reaches the engine.

A front end opens a session, submits statements in it, polls and fetches them by id, cancels them, closes the session.
Ids are bound to their session: another session's id is answered as an unknown one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sqe.config.sections.limits import LimitsConfig
from sqe.engine.interface import Engine
from sqe.errors import (
    AuthenticationError,
    QueryCanceledError,
    QueryNotFoundError,
    SessionError,
    SqeError,
    TooManyQueriesError,
    UnsupportedError,
)
from sqe.model.identity import Principal
from sqe.model.query import QueryId, QueryInfo, QueryState, QueryStatus, new_query_id
from sqe.model.session import SessionSpec
from sqe.service.admission import Admission
from sqe.service.buffer import SpillSpace
from sqe.service.description import Description, describe
from sqe.service.listing import Listing
from sqe.service.query import Query, QueryWatch, Request
from sqe.service.result import ResultStream
from sqe.service.session import GatewaySession
from sqe.sql.statement import Statement, read

if TYPE_CHECKING:
    from sqe.policy.governance.statements import Governance

_log = logging.getLogger(__name__)

_TICK = 0.5
_REMEMBERED_SECONDS = 300.0
_POLL_SECONDS = 0.05
_READER_SECONDS = 3.0  # a reader that has not come for so long does not come for the rest


class QueryService:
    def __init__(
        self,
        engine: Engine,
        limits: LimitsConfig,
        spill_directory: Path | None = None,
        on_end: Callable[[QueryInfo], None] = lambda info: None,
        admit: Callable[[str, str | None], None] = lambda user, address: None,
        watch: QueryWatch | None = None,
        governance: Governance | None = None,
    ) -> None:
        """Serve queries on `engine`.

        Args:
            engine: runs them.
            limits: the configured ones.
            spill_directory: a private directory for results of slow clients; None: the engine waits for them.
            on_end: is called, on the query's own thread, for each query that has ended.
            admit: raises LimitError when a user or an address submits too often.
            watch: knows which queries read protected tables; None: no table is protected.
            governance: carries out statements about access; None where no policy engine is configured.
        """
        self._engine = engine
        self._limits = limits
        self._spill_directory = spill_directory
        self._on_end = on_end
        self._admit = admit
        self._watch = watch
        self._governance = governance
        self._lock = threading.RLock()
        self._open: dict[str, GatewaySession] = {}  # sessions by id; guarded by the lock, as is what follows
        self._admission = Admission(limits)
        self._closing = threading.Event()
        self._last_use = time.monotonic()
        self._ticker = threading.Thread(target=self._tick, name="query-ticker", daemon=True)
        self._ticker.start()

    # -- sessions -------------------------------------------------------------------------------------------------

    def open_session(
        self,
        principal: Principal,
        spec: SessionSpec,
        *,
        front_end: str = "shell",
        idle_limit: float | None = None,
    ) -> GatewaySession:
        """Open a session of `principal`; with `idle_limit` it is closed after so many seconds without a request."""
        with self._lock:
            self._refuse_when_closing()
            if len(self._open) >= self._limits.sessions:
                raise TooManyQueriesError(
                    f"There are {len(self._open)} sessions open (limits.sessions).",
                    hint="Close one, or raise the limit.",
                )
            session = GatewaySession(
                principal, spec, self._engine.open(spec, principal), front_end, idle_limit
            )
            self._open[session.id] = session
            self._last_use = time.monotonic()
        return session

    def session(self, session_id: str) -> GatewaySession:
        with self._lock:
            try:
                session = self._open[session_id]
            except KeyError:
                raise SessionError("The session is unknown or was closed.", hint="Connect again.") from None
            if session.ended is not None:
                raise session.ended
            session.used()
            return session

    def close_session(self, session: GatewaySession) -> None:
        """Cancel the session's queries and give its engine session back."""
        with self._lock:
            self._open.pop(session.id, None)
            session.closed = True
            queries = self._admission.queries(lambda query: query.session is session)
            self._last_use = time.monotonic()
        for query in queries:
            self._stop(query)
        for query in queries:
            query.wait(10)
        with self._lock:
            for query in queries:
                self._admission.forget(query)
        for query in queries:
            query.buffer.discard()
        session.engine.close()

    def end_login(self, principal: Principal, cause: AuthenticationError) -> None:
        """End a login: its queries fail with `cause`, and its sessions take no others.

        The queries stay for as long as others that have failed, so that their clients get the cause.
        """
        with self._lock:
            ended = [
                session
                for session in self._open.values()
                if session.principal.login is not None and session.principal.login == principal.login
            ]
            for session in ended:
                session.ended = cause
            queries = self._admission.queries(lambda query: query.session in ended)
        for query in queries:
            self._stop(query, cause)

    # -- queries --------------------------------------------------------------------------------------------------

    def submit(
        self,
        session: GatewaySession,
        statement: Statement,
        *,
        parameters: Sequence[pa.Scalar] = (),
        answer: Callable[[], pa.Table] | None = None,
        spill: bool = False,
        source: str | None = None,
        address: str | None = None,
        run_time: float | None = None,
        local: bool = True,
        sent: str | None = None,
    ) -> QueryId:
        """Take a statement and return its id at once; it runs when there is a slot. Raises LimitError.

        Args:
            session: the client's.
            statement: what `read` made of the client's text.
            parameters: the values of its `?`.
            answer: makes the rows, on the query's own thread, for a statement that the gateway answers itself.
            spill: whether a result that is read slowly goes to disk, instead of making the engine wait.
            source: the client's name for itself.
            address: the client's network address; None where the front end does not know it.
            local: whether the local executor may run it.
            run_time: the client's own limit in seconds; `limits.run_time` holds besides.
            sent: the client's text, where it is not that of the statement: an EXECUTE. Lists of queries show it.
        """
        self._admit(session.user, address)
        space = self._space() if spill else None
        request = Request(statement, parameters, answer, source, run_time, sent, local)
        query = Query(
            session,
            request,
            self._limits,
            lambda: self.queries(session.user),
            space,
            self._watch,
            self._governance,
        )
        with self._lock:
            self._refuse_when_closing()
            self.session(session.id)
            self._last_use = time.monotonic()
            self._admission.add(query)
            self._start_waiting()
        return query.id

    def poll(self, session: GatewaySession, query_id: QueryId) -> QueryStatus:
        status = self._query(session, query_id).status()
        if status.state is not QueryState.QUEUED:
            return status
        with self._lock:
            waits = self._admission.is_waiting(query_id)
        return replace(status, note="waiting for other queries to end" if waits else self._engine.note)

    def fetch(self, session: GatewaySession, query_id: QueryId) -> ResultStream:
        """Return the result, to be read once."""
        return ResultStream(self._query(session, query_id), self._stop)

    def cancel(self, session: GatewaySession, query_id: QueryId) -> None:
        self._stop(self._query(session, query_id))

    def kill(self, user: str, query_id: str, message: str | None = None) -> None:
        """End a query of the user's, of any of their sessions. Raises QueryNotFoundError, UnsupportedError."""
        with self._lock:
            mine = self._admission.queries(lambda query: query.session.user == user and query.id == query_id)
        if not mine:
            raise QueryNotFoundError(f"Target query not found: {query_id}.")
        if mine[0].ended_at is not None:
            raise UnsupportedError(f"Target query is not running: {query_id}.")
        self._stop(mine[0], QueryCanceledError(f"The user ended the query. Message: {message or 'none'}."))

    def wait(self, session: GatewaySession, query_id: QueryId, seconds: float) -> bool:
        """Whether it has ended, after at most so many seconds."""
        return self._query(session, query_id).wait(seconds)

    def queries(self, user: str) -> list[QueryInfo]:
        """Return the user's queries that are still remembered, oldest first."""
        with self._lock:
            mine = self._admission.queries(lambda query: query.session.user == user)
        return [query.info() for query in mine]

    # -- reading and describing, without running ------------------------------------------------------------------

    def read(self, session: GatewaySession, sql: str) -> Statement:
        """Read a text in the session's dialect and within the limits. Raises SqeError."""
        limits = self._limits
        return read(sql, session.spec.dialect, max_bytes=int(limits.sql_bytes), max_depth=limits.sql_depth)

    def describe(
        self, session: GatewaySession, statement: Statement, given: Sequence[pa.DataType | pa.Scalar] = ()
    ) -> Description:
        """Return the columns and parameters of a statement, which is not run. Raises SqeError.

        `given` are the values for its parameters, or their types, once there are values.
        """
        self._get_ready(session)
        try:
            return describe(session, new_query_id(), statement, given, max_depth=self._limits.sql_depth)
        except SqeError as error:
            if self._watch is None:
                raise
            # The guard knows no query of this id, so that it is unknown whether a protected table was read.
            raise session.engine.redacted(error) from None

    def listing(self, session: GatewaySession) -> Listing:
        """Return a listing of the session's catalogs. Raises SqeError."""
        self._get_ready(session)
        return Listing(session.engine, session.spec, new_query_id())

    @property
    def note(self) -> str | None:
        """The reason why the engine cannot take a statement yet; None when it can."""
        return self._engine.note

    # -- the whole ------------------------------------------------------------------------------------------------

    @property
    def idle_seconds(self) -> float:
        """How long nothing was asked of this service; 0 while a session is open."""
        with self._lock:
            return 0.0 if self._open else time.monotonic() - self._last_use

    @property
    def quiet_seconds(self) -> float:
        """How long no query has run; sessions may be open."""
        with self._lock:
            busy = self._admission.running or self._admission.waiting
            return 0.0 if busy else time.monotonic() - self._last_use

    def counts(self) -> dict[str, int]:
        with self._lock:
            return {
                "sessions": len(self._open),
                "running": self._admission.running,
                "waiting": self._admission.waiting,
            }

    def drain(self, seconds: float) -> None:
        """Take nothing new, let what runs end and be read, and cancel what has not ended in time."""
        self._closing.set()
        deadline = time.monotonic() + seconds
        for query in self._live():
            query.wait(max(0.0, deadline - time.monotonic()))
        while time.monotonic() < deadline and self._being_read():
            time.sleep(_POLL_SECONDS)
        for query in self._live():
            query.stop(QueryCanceledError("The server is shutting down."))
        for query in self._live():
            query.wait(5)
        with self._lock:
            sessions = list(self._open.values())
        for session in sessions:
            self.close_session(session)
        self._ticker.join(5)

    # -- inside ---------------------------------------------------------------------------------------------------

    def _space(self) -> SpillSpace | None:
        if self._spill_directory is None:
            return None
        return SpillSpace(self._spill_directory, int(self._limits.result_spill))

    def _get_ready(self, session: GatewaySession) -> None:
        """Wait for the engine, as queries do."""
        self._refuse_when_closing()
        self.session(session.id)
        session.engine.ready(self._closing.is_set)
        self._refuse_when_closing()

    def _query(self, session: GatewaySession, query_id: QueryId) -> Query:
        with self._lock:
            query = self._admission.find(query_id)
            self._last_use = time.monotonic()
        session.used()
        if query is None or query.session is not session:
            raise QueryNotFoundError("There is no such query in this session.")
        return query

    def _refuse_when_closing(self) -> None:
        if self._closing.is_set():
            raise SessionError("The server is shutting down.", hint="Connect again in a moment.")

    def _start_waiting(self) -> None:
        """Start every waiting query that gets a slot. The lock is held."""
        for query in self._admission.take_startable():
            threading.Thread(target=self._run, args=(query,), name=f"query-{query.id}", daemon=True).start()

    def _run(self, query: Query) -> None:
        try:
            query.run()
            self._on_end(query.info())
        finally:
            with self._lock:
                self._admission.release(query)
                self._last_use = time.monotonic()
                self._start_waiting()

    def _stop(self, query: Query, cause: SqeError | None = None) -> None:
        query.stop(cause)
        with self._lock:
            never_ran = self._admission.withdraw(query)
        if never_ran:
            query.abandon()
            self._on_end(query.info())

    def _live(self) -> Iterator[Query]:
        with self._lock:
            live = self._admission.queries(lambda query: query.ended_at is None)
        yield from live

    def _being_read(self) -> bool:
        with self._lock:
            queries = self._admission.queries()
        return any(query.buffer.being_read(_READER_SECONDS) for query in queries)

    def _tick(self) -> None:
        """Enforce time limits, stop queries with unread results, forget old queries and close idle sessions."""
        while not self._closing.wait(_TICK):
            with self._lock:
                queries = self._admission.queries()
                busy = {query.session.id for query in queries if query.ended_at is None}
                idle = [
                    session for session in self._open.values() if session.id not in busy and session.is_idle()
                ]
                over = [
                    session
                    for session in self._open.values()
                    if session.id not in busy and session.ended is not None
                ]
            for session in idle:
                self.close_session(session)
            for session in over:
                session.engine.close()
            for query in queries:
                if query.past_deadline():
                    query.time_out()
                elif query.ended_at is None and query.buffer.idle_seconds > float(self._limits.unread_result):
                    self._stop(
                        query,
                        QueryCanceledError("The client did not read the result (limits.unread_result)."),
                    )
                elif query.ended_at is not None and query.buffer.idle_seconds > _REMEMBERED_SECONDS:
                    with self._lock:
                        self._admission.forget(query)
                    query.buffer.discard()
