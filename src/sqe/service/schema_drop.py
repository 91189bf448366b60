"""Drop a schema with what is in it, for DROP SCHEMA .. CASCADE: Iceberg's catalogs drop only empty ones.

Each table and view is dropped by a statement of its own, as the user, so that policies and the catalog decide about
each. What has been dropped stays dropped if a later one is refused; so the schema itself is tried first.
"""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from sqe.errors import AccessDeniedError, SchemaNotFoundError, SqeError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.sql.namespace import join, split
from sqe.sql.quote import quote_name
from sqe.sql.statement import Statement
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.lexer import unquote_name


def drops_contents(statement: Statement) -> bool:
    """Whether this is DROP SCHEMA .. CASCADE."""
    return statement.update_type == "DROP SCHEMA" and statement.tokens[-1].keyword == "CASCADE"


def drop_with_contents(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, given_up: Callable[[], bool]
) -> None:
    """Drop the views, tables and schemas in the schema, the deepest first, and then itself. Raises SqeError."""
    reader = TokenReader(statement.text, statement.tokens)
    reader.expect("DROP")
    reader.take()
    if_exists = reader.accept("IF", "EXISTS")
    catalog, name = _place(session, query_id, _parts(reader, statement.dialect))
    drop = f"DROP SCHEMA {quote_name(catalog, *name)}"
    try:
        _ask(session, query_id, drop)
    except SchemaNotFoundError:
        if if_exists:
            return
        raise
    except AccessDeniedError:
        raise
    except SqeError:
        pass  # it is not empty; or the last statement says what else is wrong
    else:
        return
    listing = Listing(session.engine, session.spec, query_id, given_up=given_up)
    schemas = [split(schema) for schema in listing.schemas(catalog)]
    inside = [schema for schema in schemas if schema[: len(name)] == name]
    for schema in sorted(inside, key=len, reverse=True):
        entries = listing.tables(catalog, join(schema))
        for entry in sorted(entries, key=lambda each: each.kind, reverse=True):  # views before tables
            _ask(session, query_id, f"DROP {entry.kind} {quote_name(catalog, *schema, entry.name)}")
        if schema != name:
            _ask(session, query_id, f"DROP SCHEMA {quote_name(catalog, *schema)}")
    _ask(session, query_id, drop)


def _parts(reader: TokenReader, dialect: Dialect) -> list[str]:
    """Read the name as its dialect does: Trino's is in lower case, and one quoted part may be a nested namespace."""
    if dialect is Dialect.TRINO:
        first, *others = reader.qualified()
        return [*([first] if others else split(first)), *(part for each in others for part in split(each))]
    parts = [unquote_name(reader.take())]
    while reader.accept_symbol("."):
        parts.append(unquote_name(reader.take()))
    return parts


def _place(session: GatewaySession, query_id: QueryId, parts: list[str]) -> tuple[str, tuple[str, ...]]:
    """Return the catalog and the namespace that a schema's name stands for."""
    catalogs = {catalog.name.lower(): catalog.name for catalog in session.spec.catalogs}
    if len(parts) > 1 and parts[0].lower() in catalogs:
        return catalogs[parts[0].lower()], tuple(parts[1:])
    # Spark knows it: the shell's USE is a statement of Spark's.
    (current,) = _ask(session, query_id, "SELECT current_catalog()").column(0).to_pylist()
    return current, tuple(parts)


def _ask(session: GatewaySession, query_id: QueryId, sql: str) -> pa.Table:
    schema, *batches = session.engine.stream(sql, query_id, lambda progress: None, ())
    return pa.Table.from_batches(batches, schema)
