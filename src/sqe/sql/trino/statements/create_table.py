"""Translate CREATE TABLE: types, properties, and the query after AS.

A definition with USING, TBLPROPERTIES, PARTITIONED BY or another of Spark's clauses is Spark's: its columns and types
stay unchanged. Only its quotes change, and the query after AS is translated.
"""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import Token, position_at
from sqe.sql.quote import quote_identifier, quote_literal
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.column_types import read_column_type
from sqe.sql.trino.statements.properties import read_properties
from sqe.sql.trino.statements.table_properties import property_list, read_table_properties

_SPARK_CLAUSES = frozenset(
    {"USING", "TBLPROPERTIES", "PARTITIONED", "LOCATION", "OPTIONS", "CLUSTERED", "CLUSTER"}
)


def rewrite(editor: StatementEditor) -> None:
    reader = editor.reader
    editor.created("TABLE")
    head = reader.index
    query = _query_start(editor, head)
    if any(token.keyword in _SPARK_CLAUSES for token in _outside(editor, head, query)):
        if query < len(editor.tokens):
            editor.query(query)
        return
    names = ""
    if reader.at_symbol("(") and query < len(editor.tokens):
        start = reader.index
        names = f"({', '.join(quote_identifier(name) for name in _names(editor))})"
        editor.replace(start, reader.index, "")
    elif reader.at_symbol("("):
        _columns(editor)
    if reader.accept("COMMENT"):
        start = reader.index
        comment = reader.string()
        editor.replace(start, reader.index, quote_literal(comment))
    if reader.peek() == "WITH" and reader.at_symbol("(", 1):
        start = reader.index
        reader.take()
        found = read_table_properties(read_properties(reader))
        clauses = []
        if found.partitioning:
            transforms = ", ".join(transform.in_spark() for transform in found.partitioning)
            clauses.append(f"PARTITIONED BY ({transforms})")
        if found.location:
            clauses.append(f"LOCATION {quote_literal(found.location)}")
        if properties := found.all_properties():
            clauses.append(f"TBLPROPERTIES {property_list(properties)}")
        editor.replace(start, reader.index, " ".join(clauses))
    if not reader.left:
        return
    reader.expect("AS")
    end = len(editor.tokens)
    words = [token.keyword for token in editor.tokens[-3:]]
    empty = words == ["WITH", "NO", "DATA"]
    if empty or words[-2:] == ["WITH", "DATA"]:
        end -= 3 if empty else 2
    editor.query(reader.index, end)
    before, behind = ("SELECT * FROM (", f") AS sqe_query{names}") if names or empty else ("", "")
    if before:
        editor.replace(reader.index, reader.index, before)
    if behind or end < len(editor.tokens):
        editor.replace(end, len(editor.tokens), behind + (" LIMIT 0" if empty else ""))


def _query_start(editor: StatementEditor, index: int) -> int:
    """Return the index of the query after the table's definition; the end if there is none."""
    depth = 0
    for position in range(index, len(editor.tokens)):
        token = editor.tokens[position]
        depth += token.is_symbol("(") - token.is_symbol(")")
        if depth == 0 and token.keyword == "AS":
            return position + 1
        if depth == 0 and token.keyword == "SELECT":
            return position
    return len(editor.tokens)


def _outside(editor: StatementEditor, start: int, end: int) -> list[Token]:
    """Return the tokens outside of parentheses."""
    found = []
    depth = 0
    for token in editor.tokens[start:end]:
        depth += token.is_symbol("(") - token.is_symbol(")")
        if depth == 0:
            found.append(token)
    return found


def _names(editor: StatementEditor) -> list[str]:
    """Read the column names before a query."""
    reader = editor.reader
    reader.expect_symbol("(")
    found = [reader.name()]
    while reader.accept_symbol(","):
        found.append(reader.name())
    reader.expect_symbol(")")
    return found


def _columns(editor: StatementEditor) -> None:
    reader = editor.reader
    reader.expect_symbol("(")
    while True:
        if reader.peek() == "LIKE":
            raise UnsupportedError(
                "LIKE in CREATE TABLE is not supported.", position=position_at(editor.text, reader.offset)
            )
        editor.column()
        column_definition(editor)
        if not reader.accept_symbol(","):
            break
    reader.expect_symbol(")")


def column_definition(editor: StatementEditor) -> None:
    """Translate the definition after the name of a column."""
    reader = editor.reader
    start = reader.index
    kind = read_column_type(reader)
    editor.replace(start, reader.index, kind)
    while True:
        if reader.accept("NOT", "NULL"):
            continue
        if reader.accept("COMMENT"):
            reader.string()
        elif reader.peek() == "DEFAULT":
            reader.take()
            _skip_default(editor)
        elif reader.peek() == "WITH":
            raise UnsupportedError(
                "Properties of a column are not supported.", position=position_at(editor.text, reader.offset)
            )
        else:
            return


def _skip_default(editor: StatementEditor) -> None:
    reader = editor.reader
    while reader.left and not (reader.at_symbol(",") or reader.at_symbol(")")):
        if reader.peek() in ("NOT", "COMMENT", "WITH"):
            return
        if reader.at_symbol("("):
            reader.bracketed()
        else:
            reader.take()
