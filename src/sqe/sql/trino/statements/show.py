"""Rewrite SHOW and DESCRIBE to queries on `information_schema` and `system`, as Trino itself does.

The queries are in Trino's SQL, and are then translated like those of a client. Spark's own forms (SHOW TBLPROPERTIES,
DESCRIBE EXTENDED ..) stay unchanged.
"""

# ruff: noqa: S608  # this module quotes every name and every text in the SQL that it generates

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.namespace import join, split
from sqe.sql.quote import trino_name, trino_text
from sqe.sql.trino.statement_editor import StatementEditor

_DESCRIBE_SPARK = frozenset(
    {"EXTENDED", "FORMATTED", "QUERY", "FUNCTION", "NAMESPACE", "SCHEMA", "DATABASE", "HISTORY", "TABLE"}
)
_SHOW_SPARK = frozenset(
    {"NAMESPACES", "DATABASES", "TBLPROPERTIES", "PARTITIONS", "VIEWS", "TABLE", "USER", "SYSTEM", "ALL"}
)


def rewritten(editor: StatementEditor) -> str | None:
    """Return the statement as a query in Trino's SQL; None: it stays unchanged. Raises SqeError."""
    reader = editor.reader
    first = reader.take().keyword
    if first in ("DESCRIBE", "DESC"):
        if reader.peek() in _DESCRIBE_SPARK and reader.left > 1:
            return None
        parts = reader.qualified()
        reader.end()
        return _columns_of(editor, parts, "")
    for words, show in _SHOWS.items():
        if reader.accept(*words):
            return show(editor)
    if reader.peek() in _SHOW_SPARK:
        return None
    return reader.mismatch("'CATALOGS', 'COLUMNS', 'CREATE', 'FUNCTIONS', 'SCHEMAS', 'SESSION', 'TABLES'")


def _like(editor: StatementEditor, column: str) -> str:
    """Read `LIKE 'x' ESCAPE 'y'` at the end of the statement, and return it as a condition on a column."""
    reader = editor.reader
    condition = ""
    if reader.accept("LIKE"):
        condition = f" AND {column} LIKE {trino_text(reader.string())}"
        if reader.accept("ESCAPE"):
            condition += f" ESCAPE {trino_text(reader.string())}"
    reader.end()
    return condition


def _catalogs(editor: StatementEditor) -> str:
    condition = _like(editor, "catalog_name")
    return (
        f'SELECT catalog_name AS "Catalog" FROM system.metadata.catalogs WHERE true{condition} '
        "ORDER BY catalog_name"
    )


def _schemas(editor: StatementEditor) -> str:
    reader = editor.reader
    catalog = reader.name() if reader.accept("FROM") or reader.accept("IN") else editor.scope.catalog
    condition = _like(editor, "schema_name")
    return (
        f'SELECT schema_name AS "Schema" FROM {trino_name(_known(editor, catalog))}.information_schema.schemata '
        f"WHERE true{condition} ORDER BY schema_name"
    )


def _tables(editor: StatementEditor) -> str | None:
    reader = editor.reader
    parts = reader.qualified() if reader.accept("FROM") or reader.accept("IN") else []
    if len(parts) > 1:
        catalog, schema = parts[0], _schema(parts)
    else:
        catalog, schema = (
            _known(editor, editor.scope.catalog),
            parts[0] if parts else editor.scope.namespace or "",
        )
        if not schema:
            raise UnsupportedError(
                "No schema is set.",
                hint="Write SHOW TABLES FROM schema, or USE schema first.",
                position=position_at(editor.text, 0),
            )
    condition = _like(editor, "table_name")
    return (
        f'SELECT table_name AS "Table" FROM {trino_name(catalog)}.information_schema.tables '
        f"WHERE table_schema = {trino_text(schema)}{condition} ORDER BY table_name"
    )


def _columns(editor: StatementEditor) -> str:
    reader = editor.reader
    if not reader.accept("FROM"):
        reader.expect("IN")
    parts = reader.qualified()
    return _columns_of(editor, parts, _like(editor, "column_name"))


def _columns_of(editor: StatementEditor, parts: list[str], condition: str) -> str:
    table, where = _table(editor, parts)
    # The subquery has no rows. It makes Spark refuse the query when the table does not exist.
    return (
        'SELECT column_name AS "Column", data_type AS "Type", coalesce(extra_info, \'\') AS "Extra", '
        f"coalesce(comment, '') AS \"Comment\" FROM {where}{condition} "
        f"AND NOT EXISTS (SELECT 1 FROM {table} WHERE false) ORDER BY ordinal_position"
    )


def _table(editor: StatementEditor, parts: list[str]) -> tuple[str, str]:
    """Return a table's full name, and the FROM and WHERE that select its columns."""
    catalog, schema, name = editor.full_name(parts)
    if schema is None:
        raise UnsupportedError(
            "No schema is set.",
            hint="Write schema.table, or USE schema first.",
            position=position_at(editor.text, 0),
        )
    catalog = _known(editor, catalog)
    qualified = ".".join(trino_name(part) for part in (catalog, *split(schema), name))
    return qualified, (
        f"{trino_name(catalog)}.information_schema.columns "
        f"WHERE table_schema = {trino_text(schema)} AND table_name = {trino_text(name)}"
    )


def _stats(editor: StatementEditor) -> str:
    """Return Trino's columns of SHOW STATS with NULL for all figures, which the gateway does not have."""
    reader = editor.reader
    reader.expect("FOR")
    if reader.at_symbol("("):
        raise UnsupportedError(
            "SHOW STATS FOR a query is not supported.", position=position_at(editor.text, 0)
        )
    parts = reader.qualified()
    reader.end()
    table, where = _table(editor, parts)
    unknown = ", ".join(
        f"CAST(NULL AS {kind}) AS {name}"
        for name, kind in (
            ("data_size", "double"),
            ("distinct_values_count", "double"),
            ("nulls_fraction", "double"),
            ("row_count", "double"),
            ("low_value", "varchar"),
            ("high_value", "varchar"),
        )
    )
    return (
        f"SELECT column_name, {unknown} FROM {where} "
        f"AND NOT EXISTS (SELECT 1 FROM {table} WHERE false) ORDER BY ordinal_position"
    )


def _create_table(editor: StatementEditor) -> None:
    """Check the syntax of SHOW CREATE TABLE; Spark's own shows tables and views."""
    editor.reader.qualified()
    editor.reader.end()


def _create_schema(editor: StatementEditor) -> str:
    reader = editor.reader
    parts = reader.qualified()
    reader.end()
    catalog = parts[0] if len(parts) > 1 else _known(editor, editor.scope.catalog)
    schema = _schema(parts)
    statement = f"CREATE SCHEMA {trino_name(catalog)}.{trino_name(schema)}"
    return (
        f'SELECT {trino_text(statement)} AS "Create Schema" FROM {trino_name(catalog)}.information_schema.schemata '
        f"WHERE schema_name = {trino_text(schema)}"
    )


def _functions(editor: StatementEditor) -> str | None:
    """Refuse SHOW FUNCTIONS inside of another statement: the gateway answers it (`sqe.service.function_statements`)."""
    raise UnsupportedError("SHOW FUNCTIONS is not supported here.", position=position_at(editor.text, 0))


def _nothing(*columns: str) -> Callable[[StatementEditor], str]:
    def show(editor: StatementEditor) -> str:
        while editor.reader.left:
            editor.reader.take()
        empty = ", ".join(f'CAST(NULL AS varchar) AS "{column}"' for column in columns)
        return f"SELECT {empty} WHERE false"

    return show


def _known(editor: StatementEditor, catalog: str | None) -> str:
    if catalog is None:
        raise UnsupportedError(
            "No catalog is set.", hint="Name the catalog.", position=position_at(editor.text, 0)
        )
    return catalog


def _schema(parts: list[str]) -> str:
    """Return the schema of `schema`, `catalog.schema`, or of a catalog and the parts of a namespace."""
    return parts[-1] if len(parts) <= 2 else join(tuple(parts[1:]))


_SHOWS: Mapping[tuple[str, ...], Callable[[StatementEditor], str | None]] = {
    ("CATALOGS",): _catalogs,
    ("SCHEMAS",): _schemas,
    ("TABLES",): _tables,
    ("COLUMNS",): _columns,
    ("STATS",): _stats,
    ("CREATE", "TABLE"): _create_table,
    ("CREATE", "VIEW"): _create_table,
    ("CREATE", "SCHEMA"): _create_schema,
    ("FUNCTIONS",): _functions,
    ("ROLES",): _nothing("Role"),
    ("CURRENT", "ROLES"): _nothing("Role"),
    ("ROLE", "GRANTS"): _nothing("Role Grants"),
}
