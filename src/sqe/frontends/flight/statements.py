"""Plan, run and cancel the statements of Flight SQL clients.

GetFlightInfo plans a query, and each DoGet with its ticket runs it. GetFlightInfo runs all other statements at once,
because drivers send even DDL that way and may never fetch: it raises their errors, and the ticket is for their result,
which can be read once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from sqe.errors import QueryCanceledError, SqeError, UsageError
from sqe.frontends.flight.columns import agreed, conformed, described
from sqe.frontends.flight.session import FlightSession
from sqe.model.query import QueryId
from sqe.model.statement import StatementKind
from sqe.service import client_statement
from sqe.service.client_statement import ClientContext, Reply
from sqe.service.description import Description
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

_POLL_SECONDS = 0.1  # between checks whether the client is still connected
_PLANNED = (StatementKind.QUERY, StatementKind.LISTING)
_NOTHING = pa.schema([])

ClientGone = Callable[[], bool]  # whether the client has disconnected


@dataclass(slots=True)
class Statement:
    """The statement of a ticket."""

    sql: str
    parameters: tuple[pa.Scalar, ...]
    context: ClientContext
    service_session: GatewaySession
    columns: pa.Schema
    changed_rows: int = -1
    ran: QueryId | None = None  # the query that ran already and has rows to be read
    finished: bool = False  # whether it ran already and has no rows
    taken: bool = False  # whether its rows were fetched
    canceled: bool = False
    live: set[QueryId] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Statements:
    def __init__(self, service: QueryService) -> None:
        self._service = service

    def describe(self, session: FlightSession, sql: str) -> Description:
        """Return the columns and parameters of a statement without running it. Raises SqeError."""
        return client_statement.describe_statement(
            self._service, session.service_session(), sql, session.context
        )

    def plan(
        self,
        session: FlightSession,
        sql: str,
        gone: ClientGone,
        parameters: tuple[pa.Scalar, ...] = (),
        description: Description | None = None,
    ) -> Statement:
        """Prepare a statement for `fetch`, and run it unless it is a query. Raises SqeError."""
        service_session, context = session.service_session(), session.context
        known = description or client_statement.describe_statement(
            self._service, service_session, sql, context, given=parameters
        )
        kind = known.kind
        if kind in _PLANNED:
            return Statement(sql, parameters, context, service_session, described(known.columns or _NOTHING))
        statement = Statement(sql, parameters, context, service_session, _NOTHING)
        reply = self._submit(statement)
        try:
            if reply.kind.returns_rows:
                # Such a statement is complete when its columns are known; DoGet reads its rows.
                statement.columns = described(
                    self._service.fetch(service_session, reply.query_id).schema(gone)
                )
                statement.ran = reply.query_id
            else:
                self._wait(statement, reply.query_id, gone)
                statement.finished = True
                statement.changed_rows = self._changed_rows(service_session, reply)
                session.apply(reply.effects)
        except SqeError:
            self._ended(statement, reply.query_id)
            raise
        return statement

    def fetch(self, statement: Statement, gone: ClientGone) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        """Run a planned query, or read the result of a statement that ran. Raises SqeError."""
        if statement.canceled:
            raise QueryCanceledError("The query was canceled.")
        if statement.finished:
            return statement.columns, iter(())
        with statement.lock:
            if statement.ran is not None and statement.taken:
                raise UsageError("The result of this statement was already read.")
            statement.taken = True
        query_id = statement.ran or self._submit(statement).query_id
        result = self._service.fetch(statement.service_session, query_id)
        try:
            columns = agreed(statement.columns, described(result.schema(gone)))
        except SqeError:
            self._ended(statement, query_id)
            raise
        return columns, self._batches(statement, query_id, result.batches(gone), columns)

    def update(
        self, session: FlightSession, sql: str, gone: ClientGone, parameters: tuple[pa.Scalar, ...] = ()
    ) -> int:
        """Run a statement and return how many rows it changed; -1 if unknown. Raises SqeError."""
        statement = Statement(sql, parameters, session.context, session.service_session(), _NOTHING)
        reply = self._submit(statement)
        try:
            if reply.kind in _PLANNED:
                self._service.cancel(statement.service_session, reply.query_id)
                raise UsageError("This statement returns rows.", hint="Execute it as a query.")
            if reply.kind.returns_rows:
                for _ in self._service.fetch(statement.service_session, reply.query_id).batches(gone):
                    pass
            self._wait(statement, reply.query_id, gone)
        finally:
            self._ended(statement, reply.query_id)
        session.apply(reply.effects)
        return self._changed_rows(statement.service_session, reply)

    def cancel(self, statement: Statement) -> bool:
        """Cancel the queries of a statement for good; return False if the statement has finished."""
        if statement.finished:
            return False
        with statement.lock:
            statement.canceled = True
            live = list(statement.live)
        for query_id in live:
            self._service.cancel(statement.service_session, query_id)
        return True

    def _submit(self, statement: Statement) -> Reply:
        reply = client_statement.submit_statement(
            self._service,
            statement.service_session,
            statement.sql,
            statement.context,
            parameters=statement.parameters,
            # Spark Connect keeps unread results in the engine's heap without a limit, so slow clients would fill it.
            # The gateway's spill file has a limit.
            spill=True,
        )
        with statement.lock:
            statement.live.add(reply.query_id)
            canceled = statement.canceled
        if canceled:  # between the check and the start
            self._service.cancel(statement.service_session, reply.query_id)
        return reply

    def _batches(
        self,
        statement: Statement,
        query_id: QueryId,
        batches: Generator[pa.RecordBatch, None, None],
        columns: pa.Schema,
    ) -> Iterator[pa.RecordBatch]:
        """Yield the batches with the planned columns."""
        try:
            for batch in batches:
                yield conformed(batch, columns)
        finally:
            batches.close()  # stops the query if it has not ended
            self._ended(statement, query_id)

    def _wait(self, statement: Statement, query_id: QueryId, gone: ClientGone) -> None:
        """Wait for the end of the query, and cancel it if the client disconnects. Raises the query's error."""
        while not self._service.wait(statement.service_session, query_id, _POLL_SECONDS):
            if gone():
                self._service.cancel(statement.service_session, query_id)
                raise QueryCanceledError("The client disconnected.")
        error = self._service.poll(statement.service_session, query_id).error
        if error is not None:
            raise error

    def _changed_rows(self, session: GatewaySession, reply: Reply) -> int:
        if reply.kind is not StatementKind.CHANGE:
            return -1 if reply.kind.returns_rows else 0
        changed = self._service.poll(session, reply.query_id).changed_rows
        return -1 if changed is None else changed

    @staticmethod
    def _ended(statement: Statement, query_id: QueryId) -> None:
        with statement.lock:
            statement.live.discard(query_id)
