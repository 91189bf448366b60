"""Translate CREATE VIEW: translate its query, and drop Trino's SECURITY clause.

Spark's views run with the rights of the user who queries them, as with INVOKER. DEFINER is dropped too, because clients
such as dbt always write it. `current_user` in a view is the user who queries it, as in Trino.
"""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.quote import quote_literal
from sqe.sql.trino.statement_editor import StatementEditor


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    editor.created("VIEW")
    if reader.at_symbol("("):
        reader.bracketed()
    while reader.left and reader.peek() != "AS":
        if reader.accept("COMMENT"):
            start = reader.index
            editor.replace(start, start + 1, quote_literal(reader.string()))
        elif reader.peek() == "SECURITY" and reader.peek(1) in ("DEFINER", "INVOKER"):
            editor.replace(reader.index, reader.index + 2, "")
            reader.index += 2
        elif reader.accept("TBLPROPERTIES"):
            reader.bracketed()
        else:
            reader.mismatch("'AS', 'COMMENT', 'SECURITY'")
    reader.expect("AS")
    place = position_at(editor.text, reader.offset)
    editor.context.stored = True
    editor.query(reader.index)
    if editor.context.virtual:
        raise UnsupportedError(
            "A view cannot use information_schema or the catalog system.",
            hint="Query it directly.",
            position=place,
        )
