"""A record of the running queries that use a protected table; each such table is logged once per query."""

from __future__ import annotations

import logging
import threading

from sqe.model.decision import Decision, Question

_log = logging.getLogger(__name__)


class ProtectedQueries:
    """Tracks each query from `begin` to `end`, so that it holds no more than can run and wait at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queries: dict[str, set[str]] = {}  # by id: the protected tables

    def begin(self, query: str) -> None:
        """Start to track a query."""
        with self._lock:
            self._queries.setdefault(query, set())

    def end(self, query: str) -> None:
        """Stop tracking a query."""
        with self._lock:
            self._queries.pop(query, None)

    def uses_protected_table(self, query: str) -> bool:
        """Return whether a decision for the query hides rows, values or columns."""
        with self._lock:
            return bool(self._queries.get(query))

    def note(self, user: str, query: str | None, question: Question, decision: Decision) -> None:
        """Record a decision that hides rows, values or columns."""
        table = str(question.resource)
        with self._lock:
            tables = self._queries.get(query) if query is not None else None
            known = tables is None or table in tables
            if tables is not None:
                tables.add(table)
        if not known:
            # Sources name rules. The text of a rule may hold confidential values and is not logged.
            _log.info(
                "query %s: %s: %s of %s with %s",
                query,
                user,
                question.operation,
                table,
                ", ".join(decision.sources),
            )
