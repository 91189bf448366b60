"""Fetch the names for completion in the background: catalogs, schemas, tables, columns and functions.

One thread queries the server, one small statement at a time, and pauses while the user's own statement runs. Readers do
not wait for it: they use the current snapshot.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from sqe.cli.client.connection import Connection
from sqe.errors import QueryError, SqeError
from sqe.model.session import DEFAULT_CATALOG, DEFAULT_NAMESPACE, SessionSpec
from sqe.sql.files.table import VIEW_PREFIX
from sqe.sql.quote import quote_name

START_SECONDS = 1.0  # leaves the engine to the first statement
MOST_SCHEMAS = 200

Name = tuple[str, ...]

_CHANGES = re.compile(
    r"\s*(?:CREATE|DROP|ALTER|USE|RENAME|REPLACE|CALL|SET\s+CATALOG|UNDROP)\b", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All names known at one moment."""

    current: Name = (DEFAULT_CATALOG, DEFAULT_NAMESPACE)
    catalogs: tuple[str, ...] = ()
    schemas: frozenset[Name] = frozenset()  # (catalog, schema)
    tables: frozenset[Name] = frozenset()  # (catalog, schema, table)
    functions: tuple[str, ...] = ()


class CompletionMetadata:
    """Fetches in the background; `connection` returns None while there is none."""

    def __init__(
        self, spec: SessionSpec, connection: Callable[[], Connection | None], *, delay: float = START_SECONDS
    ) -> None:
        self._connection = connection
        self._delay = delay
        self._idle = threading.Event()
        self._idle.set()
        # Tables whose columns are to be fetched, or None for all other names.
        self._wanted: queue.SimpleQueue[Name | None] = queue.SimpleQueue()
        self._columns: dict[Name, tuple[str, ...]] = {}
        self._arrived = threading.Condition()
        self._incomplete = False  # the last fetch failed
        self.snapshot = Snapshot(catalogs=tuple(catalog.name for catalog in spec.catalogs))
        threading.Thread(target=self._work, name="metadata", daemon=True).start()

    def busy(self) -> None:
        """Pause while the user's statement runs."""
        self._idle.clear()

    def idle(self) -> None:
        """Resume after the user's statement."""
        self._idle.set()

    def after(self, sql: str) -> None:
        """Fetch again if the statement may have changed names, or if the last fetch failed."""
        if self._incomplete or _CHANGES.match(sql):
            self._incomplete = False
            self._columns.clear()
            self.refresh()

    def refresh(self) -> None:
        self._wanted.put(None)

    def columns(self, table: Name, timeout: float) -> tuple[str, ...]:
        """Return a table's columns; fetch unknown ones and wait for them, which blocks only the completer's thread."""
        if table not in self._columns:
            self._wanted.put(table)
            with self._arrived:
                self._arrived.wait_for(lambda: table in self._columns, timeout)
        return self._columns.get(table, ())

    def full_name(self, name: Name) -> Name:
        """Put the current catalog and schema before a name that lacks them."""
        return self.snapshot.current[: max(3 - len(name), 0)] + name

    def _work(self) -> None:
        while True:
            wanted = self._wanted.get()
            while self._connection() is None:
                time.sleep(0.2)
            time.sleep(self._delay)
            self._delay = 0.0
            try:
                if wanted is None:
                    self._fetch_all()
                elif wanted not in self._columns:
                    self._fetch_columns(wanted)
            except SqeError:
                # Each further statement would make the gateway try again to start a failing engine.
                self._incomplete = True

    def _fetch_columns(self, table: Name) -> None:
        names = [row[0] for row in self._ask(f"DESCRIBE TABLE {quote_name(*table)}")]
        # After the columns comes an empty row or a "# Partitioning" heading.
        end = next(
            (index for index, name in enumerate(names) if not name or name.startswith("#")), len(names)
        )
        with self._arrived:
            self._columns[table] = tuple(names[:end])
            self._arrived.notify_all()

    def _fetch_all(self) -> None:
        for row in self._ask("SELECT current_catalog(), current_schema()"):
            self.snapshot = replace(self.snapshot, current=(row[0], row[1]))
        catalogs = _merged(self.snapshot.catalogs, (row[0] for row in self._ask("SHOW CATALOGS")))
        self.snapshot = replace(self.snapshot, catalogs=catalogs)
        schemas = {
            (catalog, row[0])
            for catalog in catalogs
            for row in self._ask(f"SHOW NAMESPACES IN {quote_name(catalog)}")
        }
        self.snapshot = replace(self.snapshot, schemas=frozenset(schemas))
        tables: set[Name] = set()
        for catalog, schema in sorted(schemas)[:MOST_SCHEMAS]:
            inside = quote_name(catalog, *schema.split("."))
            for kind in ("TABLES", "VIEWS"):
                names = {row[1] for row in self._ask(f"SHOW {kind} IN {inside}")}
                tables |= {(catalog, schema, name) for name in names if not name.startswith(VIEW_PREFIX)}
        self.snapshot = replace(self.snapshot, tables=frozenset(tables))
        if not self.snapshot.functions:
            names = {row[0] for row in self._ask("SHOW FUNCTIONS")}
            functions = tuple(sorted(name for name in names if _WORD.fullmatch(name)))
            self.snapshot = replace(self.snapshot, functions=functions)

    def _ask(self, sql: str) -> list[tuple[str, ...]]:
        """Run a statement and return its rows; none if it fails.

        Raises:
            SqeError: the gateway or the engine failed, not the statement.
        """
        self._idle.wait()
        connection = self._connection()
        if connection is None:
            return []
        rows: list[tuple[str, ...]] = []
        try:
            result = connection.execute(sql)
            try:
                for batch in result:
                    rows += zip(*(column.to_pylist() for column in batch.columns), strict=True)
            finally:
                result.close()
        except QueryError:
            return []
        return rows


def _merged(known: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*known, *more]))
