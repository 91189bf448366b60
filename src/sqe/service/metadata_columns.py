"""Answer DESCRIBE and SHOW COLUMNS of metadata tables in Trino's dialect: no listing has such tables."""

from __future__ import annotations

import pyarrow as pa

from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.description import describe
from sqe.service.session import GatewaySession
from sqe.sql.quote import trino_name
from sqe.sql.statement import Statement, read
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.types import trino_type

_COLUMNS = pa.schema([pa.field(name, pa.string()) for name in ("Column", "Type", "Extra", "Comment")])


def metadata_columns(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, max_depth: int
) -> pa.Table | None:
    """Return the columns of the metadata table that a statement describes; None: it does not. Raises SqeError."""
    parts = _described(statement)
    if parts is None:
        return None
    name = ".".join(trino_name(part) for part in parts)
    query = read(f"SELECT * FROM {name}", statement.dialect)  # noqa: S608 - all names are quoted
    found = describe(session, query_id, query, max_depth=max_depth).columns or pa.schema([])
    columns = [
        found.names,
        [trino_type(field.type, field.metadata).text for field in found],
        [""] * len(found),
        [""] * len(found),
    ]
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=_COLUMNS)


def _described(statement: Statement) -> list[str] | None:
    """Return the name of the metadata table that the statement describes."""
    if statement.dialect is not Dialect.TRINO or "$" not in statement.text:
        return None
    reader = TokenReader(statement.text, statement.tokens)
    shows = reader.accept("SHOW", "COLUMNS") and (reader.accept("FROM") or reader.accept("IN"))
    if not shows and not (reader.index == 0 and (reader.accept("DESCRIBE") or reader.accept("DESC"))):
        return None
    if not reader.left or reader.peek() in ("INPUT", "OUTPUT"):
        return None
    parts = reader.qualified()
    table, dollar, kind = parts[-1].rpartition("$")
    return parts if table and dollar and kind and not reader.left else None
