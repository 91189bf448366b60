"""Ids, states and progress of queries."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from typing import NewType

from sqe.errors import SqeError

QueryId = NewType("QueryId", str)


def new_query_id() -> QueryId:
    """Return a new id that cannot be guessed: clients fetch and cancel by it."""
    return QueryId(f"q_{secrets.token_hex(12)}")


class QueryState(Enum):
    QUEUED = "QUEUED"  # accepted; waits for a slot or for the engine to boot
    PLANNING = "PLANNING"  # sent to the engine, no work seen yet
    RUNNING = "RUNNING"  # tasks or batches were seen
    FINISHED = "FINISHED"
    FAILED = "FAILED"
    CANCELED = "CANCELED"

    @property
    def terminal(self) -> bool:
        return not _LEGAL[self]


_LEGAL: dict[QueryState, frozenset[QueryState]] = {
    QueryState.QUEUED: frozenset({QueryState.PLANNING, QueryState.FAILED, QueryState.CANCELED}),
    QueryState.PLANNING: frozenset(
        {QueryState.RUNNING, QueryState.FINISHED, QueryState.FAILED, QueryState.CANCELED}
    ),
    QueryState.RUNNING: frozenset({QueryState.FINISHED, QueryState.FAILED, QueryState.CANCELED}),
    QueryState.FINISHED: frozenset(),
    QueryState.FAILED: frozenset(),
    QueryState.CANCELED: frozenset(),
}


def check_transition(old: QueryState, new: QueryState) -> None:
    """Raise if a query may not go from `old` to `new`."""
    if new not in _LEGAL[old]:
        raise SqeError(f"A query cannot go from {old.value} to {new.value}.")


class Executor(StrEnum):
    """Who computes the rows of a query."""

    SPARK = "spark"
    LOCAL = "local"  # DuckDB, by a plan that Spark has made
    RERUN = "rerun"  # Spark, after the local executor could not


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a query, as the engine last reported it."""

    stages: int = 0
    tasks: int = 0
    tasks_done: int = 0
    tasks_running: int = 0
    bytes_read: int = 0
    rows: int = 0  # rows that left the engine
    executor: Executor = Executor.SPARK

    @property
    def fraction(self) -> float | None:
        """The finished part between 0 and 1, or None while it is unknown."""
        return self.tasks_done / self.tasks if self.tasks else None


@dataclass(frozen=True, slots=True)
class QueryStatus:
    """The status of a query, as `poll` returns it."""

    query_id: QueryId
    state: QueryState
    progress: Progress
    elapsed: float  # seconds since it was submitted
    note: str | None = None  # why it waits, such as "the engine is starting"
    error: SqeError | None = None
    changed_rows: int | None = None  # by an INSERT, UPDATE ... that has finished; None when it is unknown


@dataclass(frozen=True, slots=True)
class QueryInfo:
    """A query as lists show it to its own user."""

    id: QueryId
    user: str
    sql: str
    state: QueryState
    created: datetime
    ended: datetime | None
    elapsed: float  # seconds
    progress: Progress
    front_end: str  # "shell", "flight" or "trino"
    source: str | None = None  # what the client calls itself
    error: SqeError | None = None

    @property
    def rows(self) -> int:
        return self.progress.rows
