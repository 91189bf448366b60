"""Translate the query of an INSERT; the part before it stays unchanged."""

from __future__ import annotations

from sqe.sql.trino.draft import Draft


def rewrite(draft: Draft) -> None:
    reader = draft.reader
    reader.expect("INSERT")
    if not reader.accept("OVERWRITE"):
        reader.expect("INTO")
    reader.accept("TABLE")
    draft.name()
    while reader.left and reader.peek() not in ("SELECT", "WITH", "VALUES", "TABLE"):
        if reader.at_symbol("("):
            if _is_query(draft):
                break
            reader.bracketed()
        else:
            reader.take()  # Spark's PARTITION (..), BY NAME, IF NOT EXISTS
    draft.query(reader.index)


def _is_query(draft: Draft) -> bool:
    index = draft.reader.index
    while index < len(draft.tokens) and draft.tokens[index].is_symbol("("):
        index += 1
    return index < len(draft.tokens) and draft.tokens[index].keyword in ("SELECT", "WITH", "VALUES", "TABLE")
