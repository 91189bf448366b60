"""Translate the names in DROP and TRUNCATE: quotes and case."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.trino.statement_editor import StatementEditor

_KINDS = ("TABLE", "VIEW", "SCHEMA", "NAMESPACE", "DATABASE")


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    place = position_at(editor.text, reader.offset)
    verb = reader.take().keyword
    if reader.peek() not in _KINDS:
        kind = reader.take().text.upper()
        raise UnsupportedError(f"{verb} {kind} is not supported.", position=place)
    schema = reader.take().keyword not in ("TABLE", "VIEW")
    reader.accept("IF", "EXISTS")
    editor.name(schema=schema)
