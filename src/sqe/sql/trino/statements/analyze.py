"""Translate ANALYZE to Iceberg's procedure for statistics, because Spark's ANALYZE TABLE does not support Iceberg."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.namespace import split
from sqe.sql.quote import quote_identifier, quote_literal, quote_name
from sqe.sql.trino.statement_editor import StatementEditor


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    reader.expect("ANALYZE")
    reader.accept("TABLE")
    parts, _, _ = editor.name()
    if reader.accept("COMPUTE"):
        reader.expect("STATISTICS")
    if reader.left:
        raise UnsupportedError(
            "Options of ANALYZE are not supported.", position=position_at(editor.text, reader.offset)
        )
    catalog, schema, table = editor.full_name(parts)
    if catalog is None or schema is None:
        raise UnsupportedError(
            "ANALYZE needs the table's full name here.", hint="Write catalog.schema.table."
        )
    named = quote_name(*split(schema), table)
    editor.replace(
        0,
        len(editor.tokens),
        f"CALL {quote_identifier(catalog)}.system.compute_table_stats(table => {quote_literal(named)})",
    )
