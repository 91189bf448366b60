"""Write the columns of another table in the place of LIKE in Trino's CREATE TABLE."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.engine_text import scope_of
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.sql.lexer import position_at
from sqe.sql.quote import trino_name, trino_text
from sqe.sql.splice import Edit, splice
from sqe.sql.statement import Statement, read
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.types import trino_type
from sqe.sql.trino.virtual.information_schema import comments_of


def with_columns_of_like(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, given_up: Callable[[], bool]
) -> Statement:
    """Return the statement with the columns of another table in the place of `LIKE table`.

    They are those that the user sees. Raises SqeError.
    """
    if statement.dialect is not Dialect.TRINO or statement.update_type != "CREATE TABLE":
        return statement
    edits: list[Edit] = []
    depth = 0
    editor = StatementEditor(statement.text, list(statement.tokens), scope_of(session))
    reader = editor.reader
    while reader.left:
        opened = depth == 1 and editor.tokens[reader.index - 1].text in ("(", ",")
        if opened and reader.peek() == "LIKE":
            edits.append(_columns(session, editor, query_id, given_up))
            continue
        token = reader.take()
        depth += token.is_symbol("(") - token.is_symbol(")")
    return read(splice(statement.text, edits).text, statement.dialect) if edits else statement


def _columns(
    session: GatewaySession, editor: StatementEditor, query_id: QueryId, given_up: Callable[[], bool]
) -> Edit:
    reader = editor.reader
    start = reader.offset
    reader.expect("LIKE")
    catalog, schema, table = editor.full_name(reader.qualified())
    if reader.accept("INCLUDING", "PROPERTIES"):
        raise UnsupportedError(
            "INCLUDING PROPERTIES is not supported.",
            hint="Write the properties behind the columns: WITH (..).",
            position=position_at(editor.text, start),
        )
    reader.accept("EXCLUDING", "PROPERTIES")
    end = editor.tokens[reader.index - 1].end
    listing = Listing(session.engine, session.spec, query_id, given_up=given_up)
    fields = listing.columns(catalog or "", schema or "", table)
    written = [_column(field, comment) for field, comment in zip(fields, comments_of(fields), strict=True)]
    return Edit(start, end, ", ".join(written))


def _column(field: pa.Field, comment: str | None) -> str:
    required = "" if field.nullable else " NOT NULL"
    said = "" if comment is None else f" COMMENT {trino_text(comment)}"
    return f"{trino_name(field.name)} {trino_type(field.type, field.metadata).text}{required}{said}"
