"""Translate the properties of CREATE SCHEMA: WITH (location = '..') is LOCATION in Spark."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.quote import quote_literal
from sqe.sql.trino.draft import Draft
from sqe.sql.trino.statements.properties import read_properties


def rewrite(draft: Draft) -> None:
    reader = draft.reader
    reader.expect("CREATE", "SCHEMA")
    reader.accept("IF", "NOT", "EXISTS")
    draft.name(schema=True)
    if reader.peek() == "AUTHORIZATION":
        raise UnsupportedError(
            "AUTHORIZATION is not supported.", position=position_at(draft.text, reader.offset)
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
    draft.replace(start, reader.index, " ".join(clauses))
    reader.end()
