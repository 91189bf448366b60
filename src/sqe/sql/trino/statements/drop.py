"""Translate the names in DROP and TRUNCATE: quotes and case."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.model.session import Dialect
from sqe.sql.lexer import position_at
from sqe.sql.statement import Statement
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.statement_editor import StatementEditor

_KINDS = ("TABLE", "VIEW", "SCHEMA", "NAMESPACE", "DATABASE")
_NEVER = ("MATERIALIZED", "VIEW")


def drops_nothing(statement: Statement) -> bool:
    """Whether this is DROP .. IF EXISTS of Trino's for a kind of object that no catalog of SQE's can have.

    Raises:
        SqlSyntaxError: it begins like one and does not go on like it.
    """
    words = tuple(token.keyword for token in statement.tokens[:5])
    if statement.dialect is not Dialect.TRINO or words != ("DROP", *_NEVER, "IF", "EXISTS"):
        return False
    reader = TokenReader(statement.text, statement.tokens)
    reader.index = len(words)
    reader.qualified()
    reader.end()
    return True


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    place = position_at(editor.text, reader.offset)
    verb = reader.take().keyword
    if reader.peek() not in _KINDS:
        kind = reader.take().text.upper()
        suffix = " VIEW" if kind == "MATERIALIZED" else ""
        raise UnsupportedError(f"{verb} {kind}{suffix} is not supported.", position=place)
    schema = reader.take().keyword not in ("TABLE", "VIEW")
    reader.accept("IF", "EXISTS")
    editor.name(schema=schema)
