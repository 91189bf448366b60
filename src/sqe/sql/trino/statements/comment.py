"""Translate COMMENT ON COLUMN and COMMENT ON VIEW to Spark's ALTER; COMMENT ON TABLE stays unchanged."""

from __future__ import annotations

from sqe.sql.namespace import split
from sqe.sql.quote import quote_literal, quote_name
from sqe.sql.trino.statement_editor import StatementEditor


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    reader.expect("COMMENT", "ON")
    kind = reader.peek()
    if kind not in ("COLUMN", "VIEW"):
        schema = reader.take().keyword in ("SCHEMA", "DATABASE", "NAMESPACE")
        editor.name(schema=schema)
        return  # TABLE, and Spark's SCHEMA and DATABASE
    reader.take()
    parts = reader.qualified()
    reader.expect("IS")
    text = "" if reader.accept("NULL") else reader.string()
    reader.end()
    if kind == "VIEW":
        new = (
            f"ALTER VIEW {quote_name(*_nested(parts))} SET TBLPROPERTIES ('comment' = {quote_literal(text)})"
        )
    elif len(parts) < 2:
        reader.mismatch("the name of a table and a column")
    else:
        *table, column = parts
        table = _nested(table)
        new = f"ALTER TABLE {quote_name(*table)} ALTER COLUMN {quote_name(column)} COMMENT {quote_literal(text)}"
    editor.replace(0, len(editor.tokens), new)


def _nested(parts: list[str]) -> list[str]:
    """Split the schema in a table's name into the parts of a namespace."""
    if len(parts) not in (2, 3):
        return parts
    return [*parts[:-2], *split(parts[-2]), parts[-1]]
