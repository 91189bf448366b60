"""Translate CREATE VIEW: translate its query, and drop Trino's SECURITY clause.

Spark's views run with the rights of the user who queries them, as with INVOKER. DEFINER is dropped too, where
`sqe.service.view_security` does not refuse it. `current_user` in a view is the user who queries it, as in Trino.

The query is kept as it was written in a property of the view, for SHOW CREATE VIEW: what Spark stores is Spark's SQL.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from sqe.errors import UnsupportedError
from sqe.sql.lexer import Token, position_at
from sqe.sql.quote import quote_literal
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.table_properties import property_list

QUERY = "trino.query"  # the property with the query of a view, in Trino's SQL
SCHEMA = "trino.schema"  # the property with the catalog and the schema that its names were read in, as JSON
_LONGEST = 100_000  # a longer text is not kept


def query_in_spark(text: str, scope: Scope) -> str:
    """Return the query of a view as Spark stores it. Raises SqeError."""
    editor = StatementEditor(text, statement_tokens(text), scope)
    editor.context.stored = True
    editor.query(0)
    splice = editor.finish()
    return text if splice is None else splice.text


def definer_clause(tokens: Sequence[Token]) -> Token | None:
    """Return the first word of SECURITY DEFINER in CREATE VIEW; None if the statement does not have it."""
    words = [token.keyword for token in tokens[:4]]
    if words[:1] != ["CREATE"] or "VIEW" not in words:
        return None
    depth = 0
    for token, after in pairwise(tokens):
        depth += token.is_symbol("(") - token.is_symbol(")")
        if depth == 0 and token.keyword == "AS":
            return None
        if depth == 0 and token.keyword == "SECURITY" and after.keyword == "DEFINER":
            return token
    return None


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    editor.created("VIEW")
    in_spark = False
    if reader.at_symbol("("):
        reader.bracketed()
        in_spark = True  # the names of the columns are not in the query
    while reader.left and reader.peek() != "AS":
        if reader.accept("COMMENT"):
            start = reader.index
            editor.replace(start, start + 1, quote_literal(reader.string()))
        elif reader.peek() == "SECURITY" and reader.peek(1) in ("DEFINER", "INVOKER"):
            editor.replace(reader.index, reader.index + 2, "")
            reader.index += 2
        elif reader.accept("TBLPROPERTIES"):
            reader.bracketed()
            in_spark = True
        else:
            reader.mismatch("'AS', 'COMMENT', 'SECURITY'")
    before = reader.index
    reader.expect("AS")
    if reader.left and not in_spark:
        written = editor.text[reader.offset : editor.tokens[-1].end]
        if len(written) <= _LONGEST:
            kept = {QUERY: written, SCHEMA: json.dumps([editor.scope.catalog, editor.scope.namespace])}
            editor.replace(before, before, f"TBLPROPERTIES {property_list(kept)}")
    place = position_at(editor.text, reader.offset)
    editor.context.stored = True
    editor.query(reader.index)
    if editor.context.virtual:
        raise UnsupportedError(
            "A view cannot use information_schema or the catalog system.",
            hint="Query it directly.",
            position=place,
        )
