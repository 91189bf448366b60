"""Translate the query of an INSERT; the part before it stays unchanged."""

from __future__ import annotations

from sqe.sql.trino.statement_editor import StatementEditor


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    reader.expect("INSERT")
    if not reader.accept("OVERWRITE"):
        reader.expect("INTO")
    reader.accept("TABLE")
    editor.name()
    while reader.left and reader.peek() not in ("SELECT", "WITH", "VALUES", "TABLE"):
        if reader.at_symbol("("):
            if _is_query(editor):
                break
            reader.bracketed()
        else:
            reader.take()  # Spark's PARTITION (..), BY NAME, IF NOT EXISTS
    editor.query(reader.index)


def _is_query(editor: StatementEditor) -> bool:
    index = editor.reader.index
    while index < len(editor.tokens) and editor.tokens[index].is_symbol("("):
        index += 1
    return index < len(editor.tokens) and editor.tokens[index].keyword in (
        "SELECT",
        "WITH",
        "VALUES",
        "TABLE",
    )
