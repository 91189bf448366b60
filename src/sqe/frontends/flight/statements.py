"""Statements: planned by GetFlightInfo, run by DoGet.

What only returns rows is planned when its FlightInfo is asked for, and runs when its ticket is used; each use runs it
again. Everything else runs when its FlightInfo is asked for, because drivers send even DDL that way and may never
fetch: errors are raised there, and the ticket stands for what came out, to be read once.
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
from sqe.service import conversation
from sqe.service.conversation import ClientContext, Reply
from sqe.service.description import Description
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

_LOOK_EVERY = 0.1  # seconds between looks whether the client is still there
_PLANNED = (StatementKind.QUERY, StatementKind.LISTING)
_NOTHING = pa.schema([])

Gone = Callable[[], bool]


@dataclass(slots=True)
class Statement:
    """What a ticket stands for."""

    sql: str
    parameters: tuple[pa.Scalar, ...]
    context: ClientContext
    place: GatewaySession
    columns: pa.Schema
    changed_rows: int = -1
    ran: QueryId | None = None  # of a statement that ran already and has rows to be read
    finished: bool = False  # it ran already and has no rows
    taken: bool = False  # its rows were asked for
    canceled: bool = False
    live: set[QueryId] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Statements:
    def __init__(self, service: QueryService) -> None:
        self._service = service

    def describe(self, session: FlightSession, sql: str) -> Description:
        """The columns and parameters of a statement, which is not run. Raises SqeError."""
        return conversation.describe(self._service, session.place(), sql, session.context)

    def plan(
        self,
        session: FlightSession,
        sql: str,
        gone: Gone,
        parameters: tuple[pa.Scalar, ...] = (),
        description: Description | None = None,
    ) -> Statement:
        """Make a statement ready to be fetched, which runs it if it is more than a query. Raises SqeError."""
        place, context = session.place(), session.context
        known = description or conversation.describe(self._service, place, sql, context, given=parameters)
        kind = known.statement.kind
        if kind in _PLANNED:
            return Statement(sql, parameters, context, place, described(known.columns or _NOTHING))
        statement = Statement(sql, parameters, context, place, _NOTHING)
        reply = self._submit(statement)
        try:
            if reply.kind.returns_rows:
                # Such a statement has done its work when its columns are known; its rows wait for DoGet.
                statement.columns = described(self._service.fetch(place, reply.query_id).schema(gone))
                statement.ran = reply.query_id
            else:
                self._wait(statement, reply.query_id, gone)
                statement.finished = True
                statement.changed_rows = self._changed_rows(place, reply)
                session.apply(reply.effects)
        except SqeError:
            self._ended(statement, reply.query_id)
            raise
        return statement

    def fetch(self, statement: Statement, gone: Gone) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        """Run what was planned, or read what came out. Raises SqeError."""
        if statement.canceled:
            raise QueryCanceledError("The query was canceled.")
        if statement.finished:
            return statement.columns, iter(())
        with statement.lock:
            if statement.ran is not None and statement.taken:
                raise UsageError("The result of this statement has been read already.")
            statement.taken = True
        query_id = statement.ran or self._submit(statement).query_id
        result = self._service.fetch(statement.place, query_id)
        try:
            columns = agreed(statement.columns, described(result.schema(gone)))
        except SqeError:
            self._ended(statement, query_id)
            raise
        return columns, self._batches(statement, query_id, result.batches(gone), columns)

    def update(
        self, session: FlightSession, sql: str, gone: Gone, parameters: tuple[pa.Scalar, ...] = ()
    ) -> int:
        """Run a statement for its effect and return how many rows it changed; -1: nobody knows. Raises SqeError."""
        statement = Statement(sql, parameters, session.context, session.place(), _NOTHING)
        reply = self._submit(statement)
        try:
            if reply.kind in _PLANNED:
                self._service.cancel(statement.place, reply.query_id)
                raise UsageError("This statement returns rows.", hint="Execute it as a query.")
            if reply.kind.returns_rows:
                for _ in self._service.fetch(statement.place, reply.query_id).batches(gone):
                    pass
            self._wait(statement, reply.query_id, gone)
        finally:
            self._ended(statement, reply.query_id)
        session.apply(reply.effects)
        return self._changed_rows(statement.place, reply)

    def cancel(self, statement: Statement) -> bool:
        """Stop whatever runs for it, and let nothing run for it again; False when there is nothing to stop."""
        if statement.finished:
            return False
        with statement.lock:
            statement.canceled = True
            live = list(statement.live)
        for query_id in live:
            self._service.cancel(statement.place, query_id)
        return True

    def _submit(self, statement: Statement) -> Reply:
        reply = conversation.converse(
            self._service,
            statement.place,
            statement.sql,
            statement.context,
            parameters=statement.parameters,
            # Spark Connect keeps what we do not take in the engine's heap, without a limit: a slow client would take it
            # from everybody. A file of the gateway's has a limit.
            spill=True,
        )
        with statement.lock:
            statement.live.add(reply.query_id)
            canceled = statement.canceled
        if canceled:  # it was asked for between the look and the start
            self._service.cancel(statement.place, reply.query_id)
        return reply

    def _batches(
        self,
        statement: Statement,
        query_id: QueryId,
        batches: Generator[pa.RecordBatch, None, None],
        columns: pa.Schema,
    ) -> Iterator[pa.RecordBatch]:
        """The batches with the columns that were promised."""
        try:
            for batch in batches:
                yield conformed(batch, columns)
        finally:
            batches.close()  # stops the query if it has not ended
            self._ended(statement, query_id)

    def _wait(self, statement: Statement, query_id: QueryId, gone: Gone) -> None:
        """Until it has ended, or its client is gone. Raises the query's error."""
        while not self._service.wait(statement.place, query_id, _LOOK_EVERY):
            if gone():
                self._service.cancel(statement.place, query_id)
                raise QueryCanceledError("The client went away.")
        error = self._service.poll(statement.place, query_id).error
        if error is not None:
            raise error

    def _changed_rows(self, place: GatewaySession, reply: Reply) -> int:
        if reply.kind is not StatementKind.CHANGE:
            return -1 if reply.kind.returns_rows else 0
        changed = self._service.poll(place, reply.query_id).changed_rows
        return -1 if changed is None else changed

    @staticmethod
    def _ended(statement: Statement, query_id: QueryId) -> None:
        with statement.lock:
            statement.live.discard(query_id)
