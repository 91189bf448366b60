"""Run one query on its own thread, and keep its state and its result."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import QueryCanceledError, QueryTimeoutError, SqeError, TooManyRowsError, internal_error
from sqe.model.query import (
    Progress,
    QueryId,
    QueryInfo,
    QueryState,
    QueryStatus,
    check_transition,
    new_query_id,
)
from sqe.model.statement import StatementKind
from sqe.service.buffer import ResultBuffer, SpillSpace
from sqe.service.engine_text import engine_text, scope_of
from sqe.service.explain import Explainer, explained_query, named_plan, renamed, with_executor
from sqe.service.function_statements import FunctionStatements
from sqe.service.governance import answer as answer_about_access
from sqe.service.listing import Listing
from sqe.service.metadata_columns import metadata_columns
from sqe.service.metadata_tables import is_metadata_table, metadata_rows
from sqe.service.schema_drop import drop_with_contents, drops_contents
from sqe.service.session import GatewaySession
from sqe.service.show_create import shown_definition
from sqe.service.table_like import with_columns_of_like
from sqe.service.table_statistics import with_statistics
from sqe.service.view_comments import commented_view
from sqe.service.view_security import refuse_definer
from sqe.sql.caps import too_deep
from sqe.sql.explain import Explain, ExplainKind, read_explain
from sqe.sql.statement import Statement
from sqe.sql.trino.statements.drop import drops_nothing
from sqe.sql.trino.virtual.reference import VirtualReference
from sqe.units import Duration

if TYPE_CHECKING:
    from sqe.policy.governance.statements import Governance

_log = logging.getLogger(__name__)

_INTERRUPT_EVERY = 0.3


class QueryWatch(Protocol):
    """Tracks queries and reports those that use a protected table, as `policy.decision_point.DecisionPoint` does."""

    def begin(self, query: str) -> None: ...

    def uses_protected_table(self, query: str) -> bool: ...

    def end(self, query: str) -> None: ...


class NoWatch:
    """The watch of a gateway without policies: no table is protected."""

    def begin(self, query: str) -> None: ...

    def uses_protected_table(self, query: str) -> bool:
        return False

    def end(self, query: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Request:
    """A statement that a client submits, with everything that belongs to it."""

    statement: Statement
    parameters: Sequence[pa.Scalar] = ()
    answer: Callable[[], pa.Table] | None = None  # makes the rows, instead of the engine
    source: str | None = None  # the client's name for itself
    run_time: float | None = None  # the client's own limit, in seconds
    sent: str | None = None  # the client's text, where it is not the statement's: that of an EXECUTE
    local: bool = True  # whether the local executor may run it


class Query:
    """One statement that runs, waits or has ended."""

    def __init__(
        self,
        session: GatewaySession,
        request: Request,
        limits: LimitsConfig,
        queries: Callable[[], Sequence[QueryInfo]],
        space: SpillSpace | None,
        watch: QueryWatch | None = None,
        governance: Governance | None = None,
    ) -> None:
        self.id: QueryId = new_query_id()
        self.session = session
        self.request = request
        self.buffer = ResultBuffer(int(limits.result_buffer), space)
        self._limits = limits
        self._watch: QueryWatch = watch or NoWatch()
        self._governance = governance
        self._queries = queries  # of the same user
        self._created = datetime.now(UTC)
        self._changed_rows: int | None = None
        allowed = (limits.run_seconds, request.run_time)
        self._run_time = min((limit for limit in allowed if limit is not None), default=None)
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

    # -- for other threads ----------------------------------------------------------------------------------------

    @property
    def ended_at(self) -> float | None:
        return self._ended_at

    def status(self) -> QueryStatus:
        with self._lock:
            state, error = self._state, self._error
            elapsed = (self._ended_at or time.monotonic()) - self._submitted
            progress = replace(self._progress, rows=self._rows)
        return QueryStatus(self.id, state, progress, elapsed, error=error, changed_rows=self._changed_rows)

    def info(self) -> QueryInfo:
        status = self.status()
        ended = self._created + timedelta(seconds=status.elapsed) if status.state.terminal else None
        return QueryInfo(
            self.id,
            self.session.user,
            self.request.sent or self.request.statement.text,
            status.state,
            self._created,
            ended,
            status.elapsed,
            status.progress,
            self.session.front_end,
            self.request.source,
            status.error,
        )

    def past_deadline(self) -> bool:
        """Whether it has run too long. Waiting, for a slot or for the engine to boot, is not running."""
        if self._run_time is None or self._started is None or self._ended_at is not None:
            return False
        return time.monotonic() - self._started > self._run_time

    def stop(self, cause: SqeError | None = None) -> None:
        """Stop the query, for a reason or because its user wants it. Returns at once; harmless when it has ended."""
        with self._lock:
            if self._cause is not None or self._state.terminal:
                return
            self._cause = cause or QueryCanceledError("The query was canceled.")
        threading.Thread(target=self._interrupt, name=f"cancel-{self.id}", daemon=True).start()

    def time_out(self) -> None:
        own = self._run_time == self.request.run_time
        name = "query_max_run_time or query_max_execution_time" if own else "limits.run_time"
        self.stop(QueryTimeoutError(f"The query ran longer than {Duration(self._run_time or 0)} ({name})."))

    @property
    def stopping(self) -> bool:
        return self._cause is not None

    def wait(self, seconds: float) -> bool:
        return self._done.wait(seconds)

    # -- its thread -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        error: SqeError | None = None
        detail: str | None = None  # for the log
        self._watch.begin(self.id)
        try:
            self._execute()
        except SqeError as failure:
            redacted = self.session.engine.redacted(failure)
            error = redacted if self._watch.uses_protected_table(self.id) else failure
            # Where there are policies, those who read the log may not be allowed to read the table.
            detail = failure.detail if isinstance(self._watch, NoWatch) else redacted.detail
        except RecursionError:
            error = too_deep()
        except Exception as failure:  # noqa: BLE001 - a query's thread must always end its query
            _log.exception("query %s failed with an internal error", self.id)
            error = internal_error(repr(failure))
        self._watch.end(self.id)
        self._finish(error, detail)

    def abandon(self) -> None:
        """End a query that never ran."""
        self._finish(None)

    def _execute(self) -> None:
        answer = self.request.answer or self._about_access()
        if answer is None:
            self._ask_engine()
        else:
            self._begin()
            self._put(answer())
        self._raise_if_stopped()

    def _about_access(self) -> Callable[[], pa.Table] | None:
        """Return what answers a GRANT and its like, which the engine does not run."""
        statement, session = self.request.statement, self.session
        if statement.policy is None:
            return None
        session.engine.ready(lambda: self.stopping)  # it is asked about tables
        return lambda: answer_about_access(
            self._governance, statement, session, self.id, lambda: self.stopping
        )

    def _ask_engine(self) -> None:
        engine = self.session.engine
        engine.ready(lambda: self.stopping)
        self._begin()
        depth = self._limits.sql_depth
        statement = self.request.statement
        refuse_definer(statement, self.session.spec, policies=not isinstance(self._watch, NoWatch))
        if drops_nothing(statement):
            return
        if drops_contents(statement):
            drop_with_contents(self.session, statement, self.id, given_up=lambda: self.stopping)
            return
        explain = read_explain(statement)
        if explain is not None and explain.kind is not ExplainKind.TEXT:
            self._explain(explain)
            return
        shown = FunctionStatements(self.session, self.id, lambda: self.stopping).answer(statement)
        if shown is None:
            shown = shown_definition(self.session, statement, self.id, given_up=lambda: self.stopping)
        if shown is None:
            shown = metadata_columns(self.session, statement, self.id, max_depth=depth)
        if shown is not None:
            self._put(shown)
            return
        replaced = commented_view(self.session, statement, self.id, given_up=lambda: self.stopping)
        if replaced is not None:
            for _ in engine.stream(replaced, self.id, self._on_progress, ()):
                pass
            return
        statement = self._expanded(statement)
        with engine_text(self.session, self.id, statement, self._virtual_rows, depth) as text:
            self._raise_if_stopped()
            explained = explained_query(text.sql) if statement.tokens[0].keyword == "EXPLAIN" else None
            for item in engine.stream(
                text.sql,
                self.id,
                self._on_progress,
                self.request.parameters,
                text.views,
                local=self.request.local and statement.kind is StatementKind.QUERY,
            ):
                if isinstance(item, pa.Schema):
                    self.buffer.put_schema(renamed(explain, item))
                    continue
                if explained is not None:
                    item = self._with_executor(item, explained, text.views)  # noqa: PLW2901 - the plan, completed
                if not self._deliver(item if explain is None else named_plan(explain, item)):
                    return
        if statement.kind is StatementKind.CHANGE:
            self._changed_rows = engine.changed_rows(self.id)

    def _with_executor(
        self, plan: pa.RecordBatch, explained: str, views: Mapping[str, pa.Table]
    ) -> pa.RecordBatch:
        try:
            executor = self.session.engine.executor_of(explained, self.id, self.request.parameters, views)
        except SqeError:
            self._raise_if_stopped()
            return plan  # of a query that cannot run, which it says
        return with_executor(plan, executor)

    def _expanded(self, statement: Statement) -> Statement:
        """Put what the catalog knows into statements that refer to it."""
        for expand in (with_columns_of_like, with_statistics):
            statement = expand(self.session, statement, self.id, given_up=lambda: self.stopping)
        return statement

    def _explain(self, explain: Explain) -> None:
        explainer = Explainer(self.session, self.id, self._virtual_rows, self._limits.sql_depth)
        inner = self._expanded(explain.inner)
        if explain.kind is ExplainKind.ANALYZE:
            rows = explainer.analyzed(
                explain,
                inner,
                self.request.parameters,
                on_progress=self._on_progress,
                hides=lambda: self._watch.uses_protected_table(self.id),
                raise_if_stopped=self._raise_if_stopped,
                waited=(self._started or self._submitted) - self._submitted,
            )
        else:
            rows = explainer.planned(explain, inner)
        self._put(rows)

    def _put(self, rows: pa.Table) -> None:
        self.buffer.put_schema(rows.schema)
        for batch in rows.to_batches():
            self._deliver(batch)

    def _virtual_rows(self, reference: VirtualReference) -> pa.Table:
        from sqe.sql.trino.virtual.tables import rows

        session = self.session
        listing = Listing(session.engine, session.spec, self.id, given_up=lambda: self.stopping)
        if is_metadata_table(reference):
            return metadata_rows(reference, listing)
        return rows(reference.bound(self.request.parameters), listing, scope_of(session), self._queries())

    def _begin(self) -> None:
        self._raise_if_stopped()
        self._go(QueryState.PLANNING)
        self._started = time.monotonic()

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

    def _finish(self, error: SqeError | None, detail: str | None = None) -> None:
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
        self.request = replace(self.request, statement=self.request.statement.without_tokens())
        if error is not None:
            error.query_id = self.id
            if detail:
                _log.info("query %s: %s: %s", self.id, error.code, detail)
        self.buffer.end(error)
        self._done.set()

    def _go(self, state: QueryState) -> None:
        with self._lock:
            check_transition(self._state, state)
            self._state = state
