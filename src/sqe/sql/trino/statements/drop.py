"""Translate the names in DROP and TRUNCATE: quotes and case."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.trino.draft import Draft

_KINDS = ("TABLE", "VIEW", "SCHEMA", "NAMESPACE", "DATABASE")


def rewrite(draft: Draft) -> None:
    reader = draft.reader
    place = position_at(draft.text, reader.offset)
    verb = reader.take().keyword
    if reader.peek() not in _KINDS:
        kind = reader.take().text.upper()
        raise UnsupportedError(f"{verb} {kind} is not supported.", position=place)
    schema = reader.take().keyword not in ("TABLE", "VIEW")
    reader.accept("IF", "EXISTS")
    draft.name(schema=schema)
