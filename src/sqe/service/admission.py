"""Admission: every query of the gateway in one collection, with the state of its slot.

A query waits for a slot, has one, or needs none any more. Those that need one are few, while thousands that have ended
are remembered for their clients: they have a collection of their own, so that a start does not read all the others.
Only `add`, `_move` and `_drop` change the collections. Callers hold the service's lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import TooManyQueriesError
from sqe.model.query import QueryId
from sqe.service.query import Query


class _Slot(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


@dataclass(slots=True)
class _Entry:
    query: Query
    slot: _Slot = _Slot.WAITING
    forgotten: bool = False  # no client sees it any more; its thread may still hold the slot


class Admission:
    def __init__(self, limits: LimitsConfig) -> None:
        self._limits = limits
        self._entries: dict[QueryId, _Entry] = {}  # oldest first
        self._waiting: dict[QueryId, _Entry] = {}  # of those, the ones that wait, oldest first
        self._running: Counter[str] = Counter()  # the slots in use, by user

    def add(self, query: Query) -> None:
        """Let a query wait for a slot. Raises TooManyQueriesError."""
        waiting = self.waiting
        if waiting >= self._limits.queued_queries and not self._may_start(query):
            raise TooManyQueriesError(
                f"{waiting} queries are waiting already (limits.queued_queries).",
                hint="Try again in a moment.",
            )
        self._entries[query.id] = self._waiting[query.id] = _Entry(query)

    def take_startable(self) -> list[Query]:
        """Give slots to waiting queries, oldest first, and return those that got one."""
        started: list[Query] = []
        if self._running.total() >= self._limits.concurrent_queries:
            return started
        for entry in list(self._waiting.values()):
            if self._may_start(entry.query):
                self._move(entry, _Slot.RUNNING)
                started.append(entry.query)
        return started

    def withdraw(self, query: Query) -> bool:
        """Take a query out of the queue; return whether it was waiting."""
        entry = self._entries.get(query.id)
        if entry is None or entry.slot is not _Slot.WAITING:
            return False
        self._end(entry)
        return True

    def release(self, query: Query) -> None:
        """Free the slot of a query whose thread is done."""
        entry = self._entries.get(query.id)
        if entry is not None:
            self._end(entry)

    def forget(self, query: Query) -> None:
        """Hide a query from every client. One that still has a slot is counted until its thread is done."""
        entry = self._entries.get(query.id)
        if entry is None:
            return
        entry.forgotten = True
        if entry.slot is not _Slot.RUNNING:
            self._drop(entry)

    def find(self, query_id: QueryId) -> Query | None:
        entry = self._entries.get(query_id)
        return None if entry is None or entry.forgotten else entry.query

    def queries(self, wanted: Callable[[Query], bool] = lambda query: True) -> list[Query]:
        """Return the queries that are not forgotten, oldest first."""
        return [
            entry.query for entry in self._entries.values() if not entry.forgotten and wanted(entry.query)
        ]

    def is_waiting(self, query_id: QueryId) -> bool:
        entry = self._entries.get(query_id)
        return entry is not None and entry.slot is _Slot.WAITING

    @property
    def running(self) -> int:
        return self._running.total()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def _may_start(self, query: Query) -> bool:
        return (
            self._running.total() < self._limits.concurrent_queries
            and self._running[query.session.user] < self._limits.concurrent_queries_per_user
        )

    def _end(self, entry: _Entry) -> None:
        self._move(entry, _Slot.ENDED)
        if entry.forgotten:
            self._drop(entry)

    def _move(self, entry: _Entry, slot: _Slot) -> None:
        query = entry.query
        self._waiting.pop(query.id, None)
        self._running[query.session.user] += (slot is _Slot.RUNNING) - (entry.slot is _Slot.RUNNING)
        if not self._running[query.session.user]:
            del self._running[query.session.user]  # users are without number
        entry.slot = slot

    def _drop(self, entry: _Entry) -> None:
        self._waiting.pop(entry.query.id, None)
        del self._entries[entry.query.id]
