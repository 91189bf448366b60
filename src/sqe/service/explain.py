"""Answer the forms of EXPLAIN that Spark does not have: EXPLAIN ANALYZE, and plans as JSON.

EXPLAIN ANALYZE runs the statement as the user, like any other, and gives its rows to nobody. What Spark has counted is
shown only if nothing of the tables is hidden from the user: numbers of rows and predicates would tell of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from sqe.errors import AccessDeniedError, UnsupportedError
from sqe.model.query import Progress, QueryId
from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.service.engine_text import engine_text
from sqe.service.plan_text import data_size, duration, plan_text
from sqe.service.session import GatewaySession
from sqe.sql.explain import Explain, ExplainKind
from sqe.sql.statement import Statement, read

if TYPE_CHECKING:
    from sqe.sql.trino.virtual.reference import VirtualReference

COLUMNS = pa.schema([pa.field("Query Plan", pa.string())])
# Not CODEGEN, which is about Spark alone.
_SPARK_EXPLAIN = re.compile(r"\s*EXPLAIN\s+(?:(?:EXTENDED|FORMATTED|COST)\s+)?(?!CODEGEN\b)", re.IGNORECASE)
_HIDDEN = "The statement has run. The plan of a statement on a protected table is not shown."


class Explainer:
    """Answers one EXPLAIN, on the thread of its query."""

    def __init__(
        self,
        session: GatewaySession,
        query_id: QueryId,
        fill: Callable[[VirtualReference], pa.Table],
        max_depth: int,
    ) -> None:
        self._session = session
        self._id = query_id
        self._fill = fill
        self._depth = max_depth

    def planned(self, explain: Explain, statement: Statement) -> pa.Table:
        """Return the plan of a statement, which is not run, as JSON. Raises SqeError."""
        if statement.parameters:
            raise UnsupportedError("EXPLAIN with FORMAT JSON or TYPE IO takes no parameters.")
        with (
            engine_text(self._session, self._id, statement, self._fill, self._depth) as text,
            text.with_lasting_views(self._session, self._id) as sql,
        ):
            return _answer(self._session.engine.statement_plan(explain.kind.value, sql, self._id))

    def analyzed(
        self,
        explain: Explain,
        statement: Statement,
        parameters: Sequence[pa.Scalar],
        *,
        on_progress: Callable[[Progress], None],
        hides: Callable[[], bool],
        raise_if_stopped: Callable[[], None],
        waited: float,
    ) -> pa.Table:
        """Run a statement and return what was counted. Raises SqeError.

        Args:
            explain: the EXPLAIN.
            statement: the statement in it.
            parameters: the values of its `?`.
            on_progress: is told about its progress.
            hides: whether the statement has read a table of which something is hidden.
            raise_if_stopped: raises when the query was canceled.
            waited: seconds that the query has waited for its turn.
        """
        if statement.kind not in (StatementKind.QUERY, StatementKind.CHANGE):
            raise UnsupportedError("EXPLAIN ANALYZE is supported for queries and for changes of rows.")
        engine = self._session.engine
        rows = size = 0
        with engine_text(self._session, self._id, statement, self._fill, self._depth) as text:
            engine.want_plan(
                self._id
            )  # not before, since the rows of virtual tables are queried under the same id
            for item in engine.stream(text.sql, self._id, on_progress, parameters, text.views):
                raise_if_stopped()
                if isinstance(item, pa.RecordBatch):
                    rows += item.num_rows
                    size += item.nbytes
        changes = statement.kind is StatementKind.CHANGE
        if changes and hides():
            return _answer(_HIDDEN)
        try:
            executions = json.loads(engine.executed_plan(self._id))
        except AccessDeniedError:
            if changes:  # the change has been made, and an error would say that it has not
                return _answer(_HIDDEN)
            raise
        if hides():
            raise AccessDeniedError("Access denied: the plan of a query on a protected table is not shown.")
        if changes:
            number = engine.changed_rows(self._id)
            result = "" if number is None else f", Changed: {number} row{'' if number == 1 else 's'}"
        else:
            result = f", Result: {rows} row{'' if rows == 1 else 's'} ({data_size(size)})"
        head = f"Queued: {duration(waited * 1e9)}{result}"
        # Spark answers from constants without running anything.
        plan = plan_text(executions, verbose=explain.verbose) if executions else "LocalTableScan"
        return _answer(f"{head}\n{plan}\n")


def renamed(explain: Explain | None, schema: pa.Schema) -> pa.Schema:
    """Return Trino's name for the column of a plan that Spark's EXPLAIN has written."""
    if explain is None or explain.kind is not ExplainKind.TEXT or len(schema) != 1:
        return schema
    return pa.schema([schema.field(0).with_name(COLUMNS.names[0])])


def named_plan(explain: Explain, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the rows of a plan that Spark's EXPLAIN has written, under Trino's name of the column."""
    return batch.rename_columns(renamed(explain, batch.schema).names)


def explained_query(sql: str) -> str | None:
    """Return the query that an EXPLAIN in Spark's SQL is about; None for other statements."""
    head = _SPARK_EXPLAIN.match(sql)
    if head is None:
        return None
    inner = sql[head.end() :]
    return inner if read(inner, Dialect.SPARK).kind is StatementKind.QUERY else None


def with_executor(plan: pa.RecordBatch, executor: str) -> pa.RecordBatch:
    """Return a plan that Spark's EXPLAIN has written, with what would run it."""
    texts = [f"{text}\n== Executor ==\n{executor}\n" for text in plan.column(0).to_pylist()]
    return pa.RecordBatch.from_arrays([pa.array(texts, plan.schema.field(0).type)], schema=plan.schema)


def _answer(text: str) -> pa.Table:
    return pa.table([pa.array([text], pa.string())], schema=COLUMNS)
