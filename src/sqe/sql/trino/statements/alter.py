"""Translate Trino's forms of ALTER TABLE and ALTER VIEW; those of Spark and Iceberg stay unchanged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from sqe.errors import (
    ColumnNotFoundError,
    DuplicateObjectError,
    SqeError,
    TableNotFoundError,
    UnsupportedError,
)
from sqe.sql.lexer import position_at
from sqe.sql.namespace import split
from sqe.sql.quote import quote_name
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.column_types import read_column_type
from sqe.sql.trino.statements.create_table import column_definition
from sqe.sql.trino.statements.procedures import call
from sqe.sql.trino.statements.properties import Value, read_property
from sqe.sql.trino.statements.table_properties import (
    partitioning_property,
    property_list,
    read_table_properties,
    sort_clause,
)


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    reader.expect("ALTER")
    kind = reader.peek()
    if kind not in ("TABLE", "VIEW"):
        if kind not in ("SCHEMA", "NAMESPACE", "DATABASE"):
            reader.mismatch("'SCHEMA', 'TABLE', 'VIEW'")
        _refuse_words(editor, "AUTHORIZATION")
        return
    reader.take()
    _if_exists(editor, "IF", "EXISTS", allowed=TableNotFoundError)
    parts, _, _ = editor.name()
    for words, change in _CHANGES.items():
        if reader.accept(*words):
            change(editor, parts)
            return
    _refuse_words(editor, "AUTHORIZATION")


def _rename(editor: StatementEditor, parts: list[str]) -> None:
    """Write the new name in full. Missing parts are those of the old name, as in Trino."""
    new, start, end = editor.name()
    catalog, schema, _ = editor.full_name(parts)
    if len(new) > 2 and (catalog is None or new[0].lower() != catalog.lower()):
        editor.reader.index = start
        _unsupported(editor, "RENAME to another catalog", f"The new name must be in the catalog {catalog}.")
    if len(new) > 3:
        place = tuple(new[1:-1])
    elif len(new) > 1:
        place = split(new[-2])
    else:
        place = split(schema) if schema else ()
    # Spark takes the first of three parts for a catalog, even if a schema has that name.
    qualified = [catalog] if catalog is not None and place else []
    editor.replace(start, end, quote_name(*qualified, *place, new[-1]))
    editor.reader.end()


def _add_column(editor: StatementEditor, _parts: list[str]) -> None:
    reader = editor.reader
    _if_exists(editor, "IF", "NOT", "EXISTS", allowed=DuplicateObjectError)
    editor.column()
    column_definition(editor)
    if reader.peek() == "LAST":
        editor.replace(reader.index, reader.index + 1, "")


def _rename_column(editor: StatementEditor, _parts: list[str]) -> None:
    _if_exists(editor, "IF", "EXISTS", allowed=ColumnNotFoundError)


def _alter_column(editor: StatementEditor, _parts: list[str]) -> None:
    reader = editor.reader
    reader.qualified()
    start = reader.index
    if not reader.accept("SET", "DATA", "TYPE"):
        return  # DROP NOT NULL, and Spark's own
    kind = read_column_type(reader)
    editor.replace(start, reader.index, f"TYPE {kind}")
    reader.end()


def _set_properties(editor: StatementEditor, _parts: list[str]) -> None:
    reader = editor.reader
    start = reader.index - 2
    given: list[tuple[str, Value]] = []
    while not given or reader.accept_symbol(","):
        given.append(read_property(reader))
    reader.end()
    if any(value is None for _, value in given):
        _unsupported(editor, "SET PROPERTIES to DEFAULT", "Use ALTER TABLE .. UNSET TBLPROPERTIES ('key').")
    found = read_table_properties(given)
    if found.location:
        _unsupported(editor, "SET PROPERTIES of location", "Use ALTER TABLE .. SET LOCATION '..'.")
    clauses = []
    if found.properties:
        clauses.append(f"SET TBLPROPERTIES {property_list(found.properties)}")
    if found.sorted_by is not None:
        clauses.append(sort_clause(found.sorted_by))
    if found.partitioning is not None:
        clauses.append(f"SET TBLPROPERTIES {property_list(partitioning_property(found.partitioning))}")
    if len(clauses) > 1:
        _unsupported(
            editor, "SET PROPERTIES of partitioning or sorted_by with others", "Use a statement for each."
        )
    editor.replace(start, reader.index, clauses[0] if clauses else "SET TBLPROPERTIES ()")


def _as_query(editor: StatementEditor, _parts: list[str]) -> None:
    editor.query(editor.reader.index)


def _execute(editor: StatementEditor, parts: list[str]) -> None:
    editor.replace(0, len(editor.tokens), call(editor, parts))


def _if_exists(editor: StatementEditor, *words: str, allowed: type[SqeError]) -> None:
    """Leave out a clause that Spark does not have: its error is allowed instead."""
    start = editor.reader.index
    if editor.reader.accept(*words):
        editor.replace(start, editor.reader.index, "")
        editor.allowed.append(allowed)


def _refuse_words(editor: StatementEditor, *words: str) -> None:
    reader = editor.reader
    for index in range(reader.index, len(editor.tokens)):
        if editor.tokens[index].keyword in words:
            reader.index = index
            _unsupported(editor, f"ALTER .. {editor.tokens[index].keyword}")


def _unsupported(editor: StatementEditor, what: str, hint: str | None = None) -> NoReturn:
    raise UnsupportedError(
        f"{what} is not supported.", hint=hint, position=position_at(editor.text, editor.reader.offset)
    )


_CHANGES: Mapping[tuple[str, ...], Callable[[StatementEditor, list[str]], None]] = {
    ("RENAME", "TO"): _rename,
    ("RENAME", "COLUMN"): _rename_column,
    ("ADD", "COLUMN"): _add_column,
    ("ALTER", "COLUMN"): _alter_column,
    ("SET", "PROPERTIES"): _set_properties,
    ("EXECUTE",): _execute,
    ("AS",): _as_query,
}
