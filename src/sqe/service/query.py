"""One query: its state, its thread, its result."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace

import pyarrow as pa

from sqe.config import LimitsConfig
from sqe.errors import QueryCanceledError, QueryTimeoutError, SqeError, TooManyRowsError
from sqe.model.query import (
    Progress,
    QueryId,
    QueryState,
    QueryStatus,
    check_transition,
    new_query_id,
)
from sqe.service.buffer import ResultBuffer
from sqe.service.session import GatewaySession
from sqe.service.statement import prepare

_log = logging.getLogger(__name__)

_INTERRUPT_EVERY = 0.3


class Query:
    """Runs one statement on a thread of its own and keeps what there is to know about it."""

    def __init__(self, session: GatewaySession, sql: str, limits: LimitsConfig) -> None:
        self.id: QueryId = new_query_id()
        self.session = session
        self.sql = sql
        self.buffer = ResultBuffer(int(limits.result_buffer))
        self._limits = limits
        self._lock = threading.Lock()
        self._state = QueryState.QUEUED
        self._progress = Progress()
        self._rows = 0
        self._error: SqeError | None = None
        self._cause: SqeError | None = None  # why it is being stopped
        self._submitted = time.monotonic()
        self._started: float | None = None
        self._ended_at: float | None = None
        self._done = threading.Event()

    # -- what others see ------------------------------------------------------------------------------------------

    @property
    def ended_at(self) -> float | None:
        return self._ended_at

    def status(self) -> QueryStatus:
        with self._lock:
            state, error = self._state, self._error
            elapsed = (self._ended_at or time.monotonic()) - self._submitted
            progress = replace(self._progress, rows=self._rows)
        return QueryStatus(self.id, state, progress, elapsed, error=error)

    def past_deadline(self) -> bool:
        """Whether it has run too long. Waiting, for a slot or for the engine to boot, is not running."""
        limit, started = self._limits.run_time, self._started
        if limit is None or started is None or self._ended_at is not None:
            return False
        return time.monotonic() - started > float(limit)

    def stop(self, cause: SqeError | None = None) -> None:
        """Stop the query, for a reason or because its user wants it. Returns at once; harmless when it has ended."""
        with self._lock:
            if self._cause is not None or self._state.terminal:
                return
            self._cause = cause or QueryCanceledError("The query was canceled.")
        threading.Thread(target=self._interrupt, name=f"cancel-{self.id}", daemon=True).start()

    def time_out(self) -> None:
        assert self._limits.run_time is not None
        self.stop(QueryTimeoutError(f"The query ran longer than {self._limits.run_time} (limits.run_time)."))

    @property
    def stopping(self) -> bool:
        return self._cause is not None

    def wait(self, seconds: float) -> bool:
        return self._done.wait(seconds)

    # -- its thread -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        error: SqeError | None = None
        try:
            self._execute()
        except SqeError as failure:
            error = failure
        except Exception as failure:  # noqa: BLE001 - a query's thread must always end its query
            _log.exception("query %s failed inside", self.id)
            error = SqeError(
                "The query failed inside SQE; the gateway's log has the details.", detail=repr(failure)
            )
        self._finish(error)

    def abandon(self) -> None:
        """End a query that never ran."""
        self._finish(None)

    def _execute(self) -> None:
        engine = self.session.engine
        engine.ready(lambda: self.stopping)
        self._raise_if_stopped()
        self._go(QueryState.PLANNING)
        self._started = time.monotonic()
        statement = prepare(engine, self.session.spec, self.id, self.sql)
        self._raise_if_stopped()
        try:
            for item in engine.stream(statement.text, self.id, self._on_progress):
                if isinstance(item, pa.Schema):
                    self.buffer.put_schema(item)
                elif not self._deliver(item):
                    break
        except SqeError as error:
            statement.place(error)
            raise
        self._raise_if_stopped()

    def _deliver(self, batch: pa.RecordBatch) -> bool:
        self._running()
        self._rows += batch.num_rows
        if self._limits.rows is not None and self._rows > self._limits.rows:
            error = TooManyRowsError(
                f"The result has more than {self._limits.rows} rows (limits.rows).", hint="Add a LIMIT."
            )
            self.session.engine.interrupt(self.id)
            raise error
        return self.buffer.put(batch)

    def _on_progress(self, progress: Progress) -> None:
        self._running()
        self._progress = progress

    def _running(self) -> None:
        if self._state is QueryState.PLANNING:
            self._go(QueryState.RUNNING)

    def _raise_if_stopped(self) -> None:
        if self._cause is not None:
            raise self._cause

    def _interrupt(self) -> None:
        """Interrupt until the thread has ended: the statement may not have reached Spark when it is first asked."""
        self.buffer.end(self._cause)
        while not self._done.is_set():
            try:
                self.session.engine.interrupt(self.id)
            except SqeError as error:
                _log.debug("interrupting %s: %s", self.id, error.message)
            self._done.wait(_INTERRUPT_EVERY)

    def _finish(self, error: SqeError | None) -> None:
        with self._lock:
            error = self._cause or error
            match error:
                case None:
                    state = QueryState.FINISHED
                case QueryCanceledError():
                    state = QueryState.CANCELED
                case _:
                    state = QueryState.FAILED
            check_transition(self._state, state)
            self._state, self._error, self._ended_at = state, error, time.monotonic()
        if error is not None:
            error.query_id = self.id
            if error.detail:
                _log.info("query %s: %s: %s", self.id, error.code, error.detail)
        self.buffer.end(error)
        self._done.set()

    def _go(self, state: QueryState) -> None:
        with self._lock:
            check_transition(self._state, state)
            self._state = state
