"""Answer the shell's statements from memory with Arrow tables, delays or errors."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from sqe.errors import GatewayError, QueryCanceledError, SqeError, TableNotFoundError
from sqe.model.query import Progress, QueryId, QueryState, QueryStatus, new_query_id

WAIT_SECONDS = 60.0
NOTHING = pa.table({})


@dataclass(frozen=True)
class Answer:
    """What a statement comes to. `hold` keeps it running until it is set or the statement is canceled."""

    table: pa.Table = field(default_factory=lambda: NOTHING)
    error: SqeError | None = None
    late_error: SqeError | None = None  # after all batches
    hold: threading.Event | None = None
    endless: bool = False  # the table again and again
    batch_rows: int = 1000
    progress: Progress = field(default_factory=Progress)
    note: str | None = None


class FakeResult:
    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._id = new_query_id()
        self._started = time.monotonic()
        self._ended = False
        self.canceled = threading.Event()
        self.closed = threading.Event()

    @property
    def query_id(self) -> str:
        return self._id

    @property
    def schema(self) -> pa.Schema:
        if self._answer.hold is not None:
            deadline = time.monotonic() + WAIT_SECONDS
            while not self._answer.hold.wait(0.01) and not self.canceled.is_set():
                assert time.monotonic() < deadline, "the test did not release the statement"
        self._check()
        if self._answer.error is not None:
            raise self._answer.error
        return self._answer.table.schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        rounds = itertools.count() if self._answer.endless else range(1)
        for _ in rounds:
            for batch in self._answer.table.to_batches(max_chunksize=self._answer.batch_rows):
                self._check()
                yield batch
        if self._answer.late_error is not None:
            raise self._answer.late_error
        self._ended = True

    def status(self) -> QueryStatus:
        state = QueryState.FINISHED if self._ended else QueryState.RUNNING
        elapsed = time.monotonic() - self._started
        return QueryStatus(QueryId(self._id), state, self._answer.progress, elapsed, self._answer.note)

    def cancel(self) -> None:
        self.canceled.set()

    def close(self) -> None:
        self.closed.set()

    def _check(self) -> None:
        if self.canceled.is_set():
            raise QueryCanceledError("The statement was canceled.")


class FakeConnection:
    """`answers` maps a statement's text to its answer; anything else is an unknown table."""

    def __init__(
        self, answers: Mapping[str, Answer | pa.Table] | Callable[[str], Answer] | None = None
    ) -> None:
        self._answers = answers or {}
        self.executed: list[str] = []
        self.results: list[FakeResult] = []
        self.closed = threading.Event()

    def execute(self, sql: str) -> FakeResult:
        if self.closed.is_set():
            raise GatewayError("The gateway has gone away.")
        self.executed.append(sql)
        result = FakeResult(self._answer(sql))
        self.results.append(result)
        return result

    def close(self) -> None:
        self.closed.set()

    def _answer(self, sql: str) -> Answer:
        if callable(self._answers):
            return self._answers(sql)
        answer = self._answers.get(sql)
        if answer is None:
            return Answer(error=TableNotFoundError(f"Nothing answers: {sql}"))
        return answer if isinstance(answer, Answer) else Answer(answer)
