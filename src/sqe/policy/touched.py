"""Which running queries have to do with a protected table, and one line in the log for each of these tables."""

from __future__ import annotations

import logging
import threading

from sqe.model.decision import Decision, Question

_log = logging.getLogger(__name__)


class TouchedQueries:
    """Knows the queries between their `begin` and their `end`, and so no more than may run and wait at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queries: dict[str, set[str]] = {}  # by id: the protected tables

    def begin(self, query: str) -> None:
        """A query is about to run; from now on it is remembered what it touches."""
        with self._lock:
            self._queries.setdefault(query, set())

    def end(self, query: str) -> None:
        """It has ended, and nobody will ask any more."""
        with self._lock:
            self._queries.pop(query, None)

    def touched(self, query: str) -> bool:
        """Whether it got a decision that hides something."""
        with self._lock:
            return bool(self._queries.get(query))

    def note(self, user: str, query: str | None, question: Question, decision: Decision) -> None:
        """A question of a query was answered with a decision that hides something."""
        table = str(question.resource)
        with self._lock:
            tables = self._queries.get(query) if query is not None else None
            known = tables is None or table in tables
            if tables is not None:
                tables.add(table)
        if not known:
            # Sources name rules; what a rule says may hold values that are nobody's business.
            _log.info(
                "query %s: %s: %s of %s with %s",
                query,
                user,
                question.operation,
                table,
                ", ".join(decision.sources),
            )
