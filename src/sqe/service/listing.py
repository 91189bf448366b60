"""List the schemas, tables, views and columns of a session's catalogs, as its own user sees them.

A name that is not there is a not-found error of its kind. A catalog that cannot be listed is an error that names the
catalog, never an empty list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import pyarrow as pa

from sqe.engine.interface import EngineSession
from sqe.errors import (
    CatalogNotFoundError,
    EngineError,
    QueryCanceledError,
    QueryTimeoutError,
    SchemaNotFoundError,
    SqeError,
    TableNotFoundError,
)
from sqe.model.session import SessionSpec
from sqe.service import show_statements
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


_T = TypeVar("_T")


class TableDetails(NamedTuple):
    """What Spark tells of a table besides its columns."""

    comment: str | None
    location: str | None
    partitions: tuple[str, ...]  # Spark's transforms, such as `days(ts)`


class Listing:
    """Lists by asking the engine, one small request at a time, all under the tag of one query."""

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
        if self._session.lists_names:
            found = self._asked(catalog, lambda: self._session.namespaces(catalog, self._tag))
        else:
            found = show_statements.namespaces(lambda sql: self._ask(catalog, sql), catalog)
        return sorted(namespace.join(parts) for parts in found)

    def tables(self, catalog: str, schema: str, *, comments: bool = False) -> list[TableEntry]:
        """Return tables and views, without Spark's temporary ones. Each comment costs a statement. Raises SqeError."""
        catalog = self._known(catalog)
        parts = _parts(schema)
        if self._session.lists_names:
            found = self._asked(catalog, lambda: self._session.tables(catalog, parts, self._tag))
        else:
            found = show_statements.tables(lambda sql: self._ask(catalog, sql), catalog, parts)
        entries = [
            TableEntry(catalog, schema, name, "VIEW" if is_view else "TABLE")
            for name, is_view in sorted(found.items())
        ]
        return self._with_comments(entries) if comments else entries

    def columns(self, catalog: str, schema: str, table: str) -> pa.Schema:
        """Return the columns of a table or view, comments in the metadata of their fields. Raises SqeError."""
        catalog = self._known(catalog)
        name = (catalog, *_parts(schema, table))
        return self._asked(catalog, lambda: self._session.table_schema(name, self._tag))

    def metadata_columns(self, catalog: str, schema: str, table: str, kind: str) -> pa.Schema:
        """Return the columns of a metadata table of Iceberg's, such as `files`. Raises SqeError."""
        catalog = self._known(catalog)
        name = (catalog, *_parts(schema, table), kind)
        return self._asked(catalog, lambda: self._session.table_schema(name, self._tag))

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

    def ask(self, catalog: str, sql: str) -> pa.Table:
        """Return the rows of a statement in Spark's SQL about what is in a catalog. Raises SqeError."""
        return self._ask(self._known(catalog), sql)

    def _ask(self, catalog: str, sql: str) -> pa.Table:
        def run() -> pa.Table:
            schema, *batches = self._session.stream(sql, self._tag, lambda progress: None)
            return pa.Table.from_batches(batches, schema)

        return self._asked(catalog, run)

    def _asked(self, catalog: str, ask: Callable[[], _T]) -> _T:
        self._check()
        try:
            return ask()
        except SqeError as error:
            raise _named(error, catalog) from error

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
