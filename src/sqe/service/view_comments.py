"""Carry out COMMENT ON COLUMN of a view: Spark has no such statement, so that the view is replaced by itself.

Spark reads the names in a view's query where the session is. So a view is only replaced in the schema in which it was
made, and only if that is known.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from sqe.errors import ColumnNotFoundError, TableNotFoundError, UnsupportedError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.engine_text import scope_of
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.service.show_create import is_view_definition
from sqe.sql.lexer import position_at
from sqe.sql.namespace import split
from sqe.sql.quote import quote_identifier, quote_literal, quote_name
from sqe.sql.statement import Statement
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.create_view import SCHEMA
from sqe.sql.trino.statements.table_properties import STATE, property_list
from sqe.sql.trino.virtual.information_schema import comments_of


def commented_view(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, given_up: Callable[[], bool]
) -> str | None:
    """Return Spark's statement for COMMENT ON COLUMN of a view; None for any other one. Raises SqeError."""
    words = [token.keyword for token in statement.tokens[:3]]
    if statement.dialect is not Dialect.TRINO or words != ["COMMENT", "ON", "COLUMN"]:
        return None
    scope = scope_of(session)
    editor = StatementEditor(statement.text, list(statement.tokens), scope)
    editor.reader.index = len(words)
    *parts, column = editor.reader.qualified()
    if not parts:
        return None
    editor.reader.expect("IS")
    text = None if editor.reader.accept("NULL") else editor.reader.string()
    editor.reader.end()
    catalog, schema, view = editor.full_name(parts)
    if catalog is None or schema is None:
        return None
    listing = Listing(session.engine, session.spec, query_id, given_up=given_up)
    name = quote_name(catalog, *split(schema), view)
    try:
        shown = listing.ask(catalog, f"SHOW CREATE TABLE {name}").column(0)[0].as_py()
    except TableNotFoundError:
        return None
    if not is_view_definition(shown):
        return None
    place = position_at(statement.text, 0)
    rows = listing.ask(catalog, f"SHOW TBLPROPERTIES {name}")
    properties = dict(zip(rows.column("key").to_pylist(), rows.column("value").to_pylist(), strict=True))
    if SCHEMA not in properties or json.loads(properties[SCHEMA]) != [scope.catalog, scope.namespace]:
        raise UnsupportedError(
            "COMMENT ON COLUMN of a view is supported in the schema in which the view was made.",
            hint="USE that schema, or make the view again.",
            position=place,
        )
    fields = listing.columns(catalog, schema, view)
    if column not in fields.names:
        raise ColumnNotFoundError(f"Column does not exist: {column}", position=place)
    comments = dict(zip(fields.names, comments_of(fields), strict=True)) | {column: text}
    columns = ", ".join(
        quote_identifier(each) + (f" COMMENT {quote_literal(said)}" if said else "")
        for each, said in comments.items()
    )
    comment = listing.comment(catalog, schema, view)
    said = "" if comment is None else f" COMMENT {quote_literal(comment)}"
    kept = {key: value for key, value in properties.items() if key not in STATE}
    query = listing.view_definition(catalog, schema, view)
    return f"CREATE OR REPLACE VIEW {name} ({columns}){said} TBLPROPERTIES {property_list(kept)} AS {query}"
