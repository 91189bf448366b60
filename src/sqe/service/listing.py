"""List the schemas, tables, views and columns of a session's catalogs, as its own user sees them.

A name that is not there is a not-found error of its kind. A catalog that cannot be listed is an error that names the
catalog, never an empty list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from sqe.engine.interface import EngineSession
from sqe.errors import (
    CatalogNotFoundError,
    EngineError,
    QueryCanceledError,
    QueryTimeoutError,
    SchemaNotFoundError,
    SqeError,
    TableNotFoundError,
    UnsupportedError,
)
from sqe.model.session import SessionSpec
from sqe.sql import namespace
from sqe.sql.quote import quote_name
from sqe.sql.trino.virtual.source import TableEntry

# Their messages are complete, and the catalog is not the cause.
_NOT_THE_CATALOG = (
    SchemaNotFoundError,
    TableNotFoundError,
    QueryCanceledError,
    QueryTimeoutError,
    EngineError,
)
_DETAILS = ("# Detailed Table Information", "# Detailed View Information")
# SHOW CREATE TABLE ends a view's properties so; a quote inside of one has a backslash before it.
_VIEW_TEXT = re.compile(r"(?<!\\)'\)\nAS\n")
_PARTITIONING = ("# Partition Information", "# Partitioning")
_PARTITION_COLUMNS = "# col_name"


class TableDetails(NamedTuple):
    """What Spark tells of a table besides its columns."""

    comment: str | None
    location: str | None
    partitions: tuple[str, ...]  # Spark's transforms, such as `days(ts)`


class Listing:
    """Lists by asking Spark, one small statement at a time, all under the tag of one query."""

    def __init__(
        self,
        session: EngineSession,
        spec: SessionSpec,
        tag: str,
        *,
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        self._session = session
        self._catalogs = {catalog.name.lower(): catalog.name for catalog in spec.catalogs}
        self._tag = tag
        self._given_up = given_up

    def catalogs(self) -> list[str]:
        """Return the session's catalogs; Spark's SHOW CATALOGS would list only those that were used already."""
        return sorted(self._catalogs.values())

    def schemas(self, catalog: str) -> list[str]:
        """Return every namespace, nested ones too, written as `sqe.sql.namespace` does. Raises SqeError."""
        catalog = self._known(catalog)
        return sorted(namespace.join(parts) for parts in self._below(catalog, ()))

    def tables(self, catalog: str, schema: str, *, comments: bool = False) -> list[TableEntry]:
        """Return tables and views, without Spark's temporary ones. Each comment costs a statement. Raises SqeError."""
        catalog = self._known(catalog)
        inside = quote_name(catalog, *_parts(schema))
        try:
            views = self._names(catalog, f"SHOW VIEWS IN {inside}", "viewName")
        except UnsupportedError:
            views = set()  # a catalog that knows no views has none
        tables = self._names(catalog, f"SHOW TABLES IN {inside}", "tableName") - views
        entries = [
            *(TableEntry(catalog, schema, name, "TABLE") for name in tables),
            *(TableEntry(catalog, schema, name, "VIEW") for name in views),
        ]
        entries.sort(key=lambda entry: entry.name)
        return self._with_comments(entries) if comments else entries

    def columns(self, catalog: str, schema: str, table: str) -> pa.Schema:
        """Return the columns of a table or view, comments in the metadata of their fields. Raises SqeError."""
        self._check()
        catalog = self._known(catalog)
        try:
            return self._session.table_schema((catalog, *_parts(schema, table)), self._tag)
        except SqeError as error:
            raise _named(error, catalog) from error

    def metadata_columns(self, catalog: str, schema: str, table: str, kind: str) -> pa.Schema:
        """Return the columns of a metadata table of Iceberg's, such as `files`. Raises SqeError."""
        self._check()
        catalog = self._known(catalog)
        try:
            return self._session.table_schema((catalog, *_parts(schema, table), kind), self._tag)
        except SqeError as error:
            raise _named(error, catalog) from error

    def comment(self, catalog: str, schema: str, table: str) -> str | None:
        """Return the comment of a table or view. Raises SqeError."""
        return self.details(catalog, schema, table).comment

    def details(self, catalog: str, schema: str, table: str) -> TableDetails:
        """Return what Spark tells of a table or view besides its columns. Raises SqeError."""
        catalog = self._known(catalog)
        name = quote_name(catalog, *_parts(schema, table))
        answer = self._ask(catalog, f"DESCRIBE TABLE EXTENDED {name}")
        keys, values = answer.column("col_name").to_pylist(), answer.column("data_type").to_pylist()
        # A column may have any name, and the details come last.
        heading = max((index for index, key in enumerate(keys) if key in _DETAILS), default=len(keys))
        details: dict[str, str] = {}
        for key, value in zip(keys[heading:], values[heading:], strict=True):
            details.setdefault(key, value)
        parts = _partitions(list(zip(keys[:heading], values[:heading], strict=True)))
        return TableDetails(details.get("Comment") or None, details.get("Location") or None, tuple(parts))

    def view_definition(self, catalog: str, schema: str, view: str) -> str:
        """Return the query of a view, as Spark's SQL. Raises SqeError."""
        catalog = self._known(catalog)
        name = quote_name(catalog, *_parts(schema, view))
        statement: str = self._ask(catalog, f"SHOW CREATE TABLE {name}").column(0)[0].as_py()
        end = _VIEW_TEXT.search(statement)
        return (statement[end.end() :] if end else statement.partition("\nAS\n")[2]).strip()

    def _with_comments(self, entries: list[TableEntry]) -> list[TableEntry]:
        found: list[TableEntry] = []
        for entry in entries:
            try:
                comment = self.comment(entry.catalog, entry.schema, entry.name)
            except TableNotFoundError:
                continue  # dropped since it was listed
            found.append(TableEntry(entry.catalog, entry.schema, entry.name, entry.kind, comment))
        return found

    def _below(self, catalog: str, parent: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return all namespaces below one, at any depth."""
        try:
            answer = self._ask(catalog, f"SHOW NAMESPACES IN {quote_name(catalog, *parent)}")
        except (SchemaNotFoundError, UnsupportedError):
            if parent:
                return []  # dropped since it was listed; or a catalog that knows no nested ones
            raise
        found: list[tuple[str, ...]] = []
        for name in answer.column("namespace").to_pylist():
            parts = namespace.split(name)  # Spark quotes what needs it
            if len(parts) > len(parent) and parts[: len(parent)] == parent:
                found += [parts, *self._below(catalog, parts)]
        return found

    def _names(self, catalog: str, sql: str, column: str) -> set[str]:
        answer = self._ask(catalog, sql)
        lasting = answer.filter(pc.invert(answer.column("isTemporary")))
        return set(lasting.column(column).to_pylist())

    def ask(self, catalog: str, sql: str) -> pa.Table:
        """Return the rows of a statement in Spark's SQL about what is in a catalog. Raises SqeError."""
        return self._ask(self._known(catalog), sql)

    def _ask(self, catalog: str, sql: str) -> pa.Table:
        self._check()
        try:
            schema, *batches = self._session.stream(sql, self._tag, lambda progress: None)
        except SqeError as error:
            raise _named(error, catalog) from error
        return pa.Table.from_batches(batches, schema)

    def _known(self, catalog: str) -> str:
        """Return the catalog's name as the session has it; case does not matter."""
        known = self._catalogs.get(catalog.lower())
        if known is None:
            raise CatalogNotFoundError(
                f"The catalog '{catalog}' does not exist.",
                hint=f"There are: {', '.join(self.catalogs())}." if self._catalogs else None,
            )
        return known

    def _check(self) -> None:
        if self._given_up():
            raise QueryCanceledError("The query was canceled while it listed catalogs.")


def _partitions(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return the partitions among what DESCRIBE shows before the details; their heading comes last of its kind."""
    start = max((number for number, (key, _) in enumerate(rows) if key in _PARTITIONING), default=len(rows))
    found: list[str] = []
    for key, value in rows[start + 1 :]:
        if not key:
            break
        if key != _PARTITION_COLUMNS:
            # The names of columns, if all of them are columns; else transforms, with numbers.
            found.append(key if rows[start][0] == _PARTITIONING[0] else value)
    return found


def _parts(schema: str, *table: str) -> tuple[str, ...]:
    """Return the parts of a name behind the catalog; Spark cannot parse an empty one."""
    parts = namespace.split(schema)
    if not all(parts):
        raise SchemaNotFoundError(f"There is no schema '{schema}'.")
    if not all(table):
        raise TableNotFoundError("A table cannot have an empty name.")
    return (*parts, *table)


def _named(error: SqeError, catalog: str) -> SqeError:
    """Return the error with its catalog and without a position, which would be one in the gateway's statement."""
    message = error.message
    if not isinstance(error, _NOT_THE_CATALOG):
        message = f"The catalog '{catalog}' cannot be listed: {message}"
    return type(error)(message, hint=error.hint, detail=error.detail, sqlstate=error.sqlstate)
