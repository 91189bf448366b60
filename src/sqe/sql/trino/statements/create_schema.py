"""Translate the properties of CREATE SCHEMA: WITH (location = '..') is LOCATION in Spark."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.quote import quote_literal
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.properties import read_properties


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    reader.expect("CREATE", "SCHEMA")
    reader.accept("IF", "NOT", "EXISTS")
    editor.name(schema=True)
    if reader.peek() == "AUTHORIZATION":
        raise UnsupportedError(
            "AUTHORIZATION is not supported.", position=position_at(editor.text, reader.offset)
        )
    if reader.peek() != "WITH" or not reader.at_symbol("(", 1):
        return  # nothing, or Spark's own clauses
    start = reader.index
    reader.take()
    clauses = []
    for key, value in read_properties(reader):
        if key != "location" or not isinstance(value, str):
            raise UnsupportedError(
                f"The schema property '{key}' is not supported.", hint="The only property is location."
            )
        clauses.append(f"LOCATION {quote_literal(value)}")
    editor.replace(start, reader.index, " ".join(clauses))
    reader.end()
