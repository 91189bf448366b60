"""Run a read on the local executor, and on Spark where the executor cannot."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from sqe.engine.connect import ConnectSession
from sqe.engine.rendered_plan import RenderedPlan
from sqe.errors import EngineError
from sqe.executor.failures import LocalExecutionError
from sqe.executor.pool import LocalExecutor
from sqe.executor.stores import Store, StoreAccess
from sqe.model.query import Executor, Progress

_log = logging.getLogger(__name__)


class LocalExecution:
    """One read: planned by Spark as the session's user, and run by whoever can."""

    def __init__(
        self,
        session: ConnectSession,
        executor: LocalExecutor,
        tag: str,
        on_progress: Callable[[Progress], None],
        open_stores: Callable[[Sequence[Store], str | None], tuple[StoreAccess, ...]],
    ) -> None:
        """Take the session and the executor of one read.

        Args:
            session: plans the read.
            executor: runs it.
            tag: the query's.
            on_progress: called with each progress.
            open_stores: returns the principal's access to object stores, as `Control.open_stores` does.
        """
        self._session = session
        self._executor = executor
        self._tag = tag
        self._on_progress = on_progress
        self._open_stores = open_stores

    def stream(
        self, sql: str, parameters: Sequence[pa.Scalar], views: Mapping[str, pa.Table]
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run the statement; yield its schema, then its batches. Raises SqeError."""
        rendered, items = self._session.rendered(
            sql, self._on_progress, parameters, views, self._executor.max_scan
        )
        if rendered is None:
            yield from items
            return
        try:
            yield from self._run(self._opened(rendered))
        except LocalExecutionError as failure:
            _log.info("query %s runs on Spark: %s", self._tag, failure.reason)
            again = self._session.stream(sql, self._on_rerun, parameters, views)
            self._on_rerun(Progress())
            if not failure.delivered:
                yield from again
                return
            # Rows have left already. Spark says what is wrong, and does not send them again.
            for _ in again:
                pass
            raise EngineError(
                "The local executor failed in the middle of the result.",
                hint="Run the statement again.",
                detail=failure.reason,
            ) from failure

    def _opened(self, rendered: RenderedPlan) -> RenderedPlan:
        if not rendered.stores:
            return rendered
        opened = self._open_stores(rendered.stores, rendered.keys)
        return replace(rendered, plan=rendered.plan.opened(opened, time.time()))

    def _run(self, rendered: RenderedPlan) -> Iterator[pa.Schema | pa.RecordBatch]:
        _log.debug("query %s runs on the local executor and reads %d bytes", self._tag, rendered.plan.size)
        self._on_progress(Progress(bytes_read=rendered.plan.size, executor=Executor.LOCAL))
        schema = rendered.schema()
        announced = False
        for batch in self._executor.run(rendered.plan, self._tag):
            made = rendered.as_spark_sends(batch, schema)
            if not announced:
                announced = True
                yield made.schema
            if made.num_rows:
                yield made

    def _on_rerun(self, progress: Progress) -> None:
        self._on_progress(replace(progress, executor=Executor.RERUN))
