"""Translate EXPLAIN (TYPE ..) to Spark's EXPLAIN."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.trino.statement_editor import StatementEditor

_SPARK_KINDS = ("EXTENDED", "CODEGEN", "COST", "FORMATTED")


def rewrite(editor: StatementEditor) -> None:
    """Translate the part before the explained statement."""
    reader = editor.reader
    place = position_at(editor.text, reader.offset)
    reader.expect("EXPLAIN")
    if reader.peek() == "ANALYZE":
        raise UnsupportedError("EXPLAIN ANALYZE is not supported.", position=place)
    if reader.peek() in _SPARK_KINDS:
        reader.take()
    elif reader.at_symbol("(") and reader.peek(1) in ("TYPE", "FORMAT"):
        start = reader.index
        options = [token.keyword for token in reader.bracketed()]
        if "VALIDATE" in options or "JSON" in options or "GRAPHVIZ" in options:
            raise UnsupportedError("EXPLAIN is supported as text only.", position=place)
        editor.replace(start, reader.index, "EXTENDED" if "LOGICAL" in options else "FORMATTED")
    if not reader.left:
        reader.mismatch("<statement>")
