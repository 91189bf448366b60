"""Answer SHOW CREATE TABLE, VIEW and SCHEMA in Trino's SQL, with what Spark shows the user of them.

Spark's own SHOW CREATE is asked first, so that these statements show nothing to a user who may not run that one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

import pyarrow as pa

from sqe.errors import SchemaNotFoundError, SqeError, UnsupportedError
from sqe.model.query import QueryId
from sqe.model.session import Dialect, WarehouseCatalog
from sqe.service.engine_text import scope_of
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.sql.lexer import position_at
from sqe.sql.namespace import join, split
from sqe.sql.quote import plain_trino_name, quote_name, trino_text
from sqe.sql.statement import Statement
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.create_view import QUERY, SCHEMA, query_in_spark
from sqe.sql.trino.statements.table_properties import trino_properties
from sqe.sql.trino.types import trino_type
from sqe.sql.trino.virtual.information_schema import comments_of

_TITLES = {"TABLE": "Create Table", "VIEW": "Create View", "SCHEMA": "Create Schema"}
_NUMBER = 3  # of words before the name
_VIEW = re.compile(r"CREATE\s+(OR\s+REPLACE\s+)?VIEW\b", re.IGNORECASE)


def create_columns(statement: Statement) -> pa.Schema | None:
    """Return the columns of SHOW CREATE in Trino's dialect; None for any other statement."""
    words = [token.keyword for token in statement.tokens[:_NUMBER]]
    if statement.dialect is not Dialect.TRINO or words[:2] != ["SHOW", "CREATE"] or len(words) < _NUMBER:
        return None
    title = _TITLES.get(words[2])
    return None if title is None else pa.schema([pa.field(title, pa.string())])


def is_view_definition(text: str) -> bool:
    """Whether this is what Spark's SHOW CREATE TABLE shows of a view."""
    return _VIEW.match(text) is not None


def shown_definition(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, given_up: Callable[[], bool]
) -> pa.Table | None:
    """Return the answer to SHOW CREATE in Trino's dialect; None for any other statement. Raises SqeError."""
    columns = create_columns(statement)
    if columns is None:
        return None
    editor = StatementEditor(statement.text, list(statement.tokens), scope_of(session))
    editor.reader.index = _NUMBER
    parts = editor.reader.qualified()
    editor.reader.end()
    definitions = _Definitions(session, query_id, given_up)
    kind = statement.tokens[2].keyword
    if kind == "SCHEMA":
        catalog, schema = _schema(editor, parts)
        text = definitions.schema(catalog, schema)
    else:
        found, schema_found, name = editor.full_name(parts)
        if found is None or schema_found is None:
            raise UnsupportedError(
                "No schema is set.", hint="Write catalog.schema.name.", position=position_at("", 0)
            )
        text = definitions.relation(kind, found, schema_found, name)
    return pa.table([pa.array([text], pa.string())], schema=columns)


def _schema(editor: StatementEditor, parts: list[str]) -> tuple[str, str]:
    catalog = parts[0] if len(parts) > 1 else editor.scope.catalog
    if catalog is None:
        raise UnsupportedError("No catalog is set.", hint="Name the catalog.", position=position_at("", 0))
    return catalog, parts[-1] if len(parts) <= 2 else join(tuple(parts[1:]))


class _Definitions:
    """Writes definitions from what Spark shows."""

    def __init__(self, session: GatewaySession, query_id: QueryId, given_up: Callable[[], bool]) -> None:
        self._session = session
        self._listing = Listing(session.engine, session.spec, query_id, given_up=given_up)

    def schema(self, catalog: str, schema: str) -> str:
        if schema not in self._listing.schemas(catalog):
            raise SchemaNotFoundError(
                f"Schema '{catalog}.{schema}' does not exist", position=position_at("", 0)
            )
        return f"CREATE SCHEMA {_named(catalog, schema)}"

    def relation(self, kind: str, catalog: str, schema: str, name: str) -> str:
        own = self._listing.ask(catalog, f"SHOW CREATE TABLE {quote_name(catalog, *split(schema), name)}")
        text: str = own.column(0)[0].as_py()
        is_view = is_view_definition(text)
        if is_view != (kind == "VIEW"):
            kinds = ("view", "table") if is_view else ("table", "view")
            raise UnsupportedError(
                f"Relation '{catalog}.{schema}.{name}' is a {kinds[0]}, not a {kinds[1]}",
                position=position_at("", 0),
            )
        return self._view(catalog, schema, name, text) if is_view else self._table(catalog, schema, name)

    def _table(self, catalog: str, schema: str, name: str) -> str:
        fields = self._listing.columns(catalog, schema, name)
        columns = []
        for field, comment in zip(fields, comments_of(fields), strict=True):
            required = "" if field.nullable else " NOT NULL"
            said = "" if comment is None else f" COMMENT {trino_text(comment)}"
            kind = trino_type(field.type, field.metadata).text
            columns.append(f"   {plain_trino_name(field.name)} {kind}{required}{said}")
        details = self._listing.details(catalog, schema, name)
        lines = [f"CREATE TABLE {_named(catalog, schema, name)} (", ",\n".join(columns), ")"]
        if details.comment is not None:
            lines.append(f"COMMENT {trino_text(details.comment)}")
        known = {each.name.lower(): each for each in self._session.spec.catalogs}
        # The engine chooses the directories of a warehouse of its own, and refuses others.
        own_place = isinstance(known.get(catalog.lower()), WarehouseCatalog)
        properties = trino_properties(
            details.partitions,
            None if own_place else details.location,
            self._properties(catalog, schema, name),
        )
        if properties:
            written = ",\n".join(f"   {key} = {value}" for key, value in properties.items())
            lines += ["WITH (", written, ")"]
        return "\n".join(lines)

    def _view(self, catalog: str, schema: str, name: str, text: str) -> str:
        """Return a view in Trino's SQL if its query is still the one that was written in it, else in Spark's."""
        try:
            properties = self._properties(catalog, schema, name)
            query = _query(
                properties, self._listing.view_definition(catalog, schema, name), scope_of(self._session)
            )
        except SqeError:
            query = None
        if query is None:
            return text
        comment = self._listing.comment(catalog, schema, name)
        said = "" if comment is None else f" COMMENT {trino_text(comment)}"
        return f"CREATE VIEW {_named(catalog, schema, name)}{said} SECURITY INVOKER AS\n{query}"

    def _properties(self, catalog: str, schema: str, name: str) -> dict[str, str]:
        return spark_properties(self._listing, catalog, schema, name)


def spark_properties(listing: Listing, catalog: str, schema: str, name: str) -> dict[str, str]:
    """Return the properties of a table or view as Spark shows them to the user. Raises SqeError."""
    shown = listing.ask(catalog, f"SHOW TBLPROPERTIES {quote_name(catalog, *split(schema), name)}")
    return dict(zip(shown.column("key").to_pylist(), shown.column("value").to_pylist(), strict=True))


def _query(properties: Mapping[str, str], stored: str, scope: Scope) -> str | None:
    """Return the query of a view as it was written; None if it is not known, or Spark has another one now."""
    written, place = properties.get(QUERY), properties.get(SCHEMA)
    if written is None or place is None:
        return None
    catalog, namespace = json.loads(place)
    then = Scope(catalog, namespace, scope.user, scope.time_zone)
    return written if query_in_spark(written, then).strip() == stored.strip() else None


def _named(*parts: str) -> str:
    return ".".join(plain_trino_name(part) for part in parts)
