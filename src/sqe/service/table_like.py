"""Write the columns of another table in the place of LIKE in Trino's CREATE TABLE."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.engine_text import scope_of
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.service.show_create import spark_properties
from sqe.sql.lexer import position_at
from sqe.sql.quote import trino_name, trino_text
from sqe.sql.splice import Edit, splice
from sqe.sql.statement import Statement, read
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.properties import read_properties
from sqe.sql.trino.statements.table_properties import trino_properties
from sqe.sql.trino.types import trino_type
from sqe.sql.trino.virtual.information_schema import comments_of

# Two tables in one directory destroy each other, and a mapping names the columns of files by the ids of one table.
_OF_ITS_FILES = re.compile(r"write\..*\bpath|schema\.name-mapping\.default")


def with_columns_of_like(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, given_up: Callable[[], bool]
) -> Statement:
    """Return the statement with the columns of another table in the place of `LIKE table`.

    They are those that the user sees. INCLUDING PROPERTIES adds the table's properties to those of the statement, which
    take precedence. Raises SqeError.
    """
    if statement.dialect is not Dialect.TRINO or statement.update_type != "CREATE TABLE":
        return statement
    listing = Listing(session.engine, session.spec, query_id, given_up=given_up)
    edits: list[Edit] = []
    inherited: dict[str, str] | None = None
    depth = 0
    editor = StatementEditor(statement.text, list(statement.tokens), scope_of(session))
    reader = editor.reader
    while reader.left:
        opened = depth == 1 and editor.tokens[reader.index - 1].text in ("(", ",")
        if opened and reader.peek() == "LIKE":
            like = _read(editor)
            edits.append(Edit(like.start, like.end, _columns(listing, like)))
            if like.including:
                if inherited is not None:
                    raise UnsupportedError(
                        "Only one LIKE clause can specify INCLUDING PROPERTIES",
                        position=position_at(editor.text, like.start),
                    )
                inherited = _properties(listing, like)
            continue
        if depth == 0 and inherited and reader.peek() == "WITH" and reader.at_symbol("(", 1):
            edits += _added(editor, inherited)
            inherited = None
            continue
        token = reader.take()
        depth += token.is_symbol("(") - token.is_symbol(")")
    if inherited:
        end = editor.tokens[-1].end
        edits.append(Edit(end, end, f" WITH ({_written(inherited)})"))
    return read(splice(statement.text, edits).text, statement.dialect) if edits else statement


@dataclass(frozen=True, slots=True)
class _Like:
    """One LIKE: its place in the text, the table, and whether its properties are wanted."""

    start: int
    end: int
    catalog: str
    schema: str
    table: str
    including: bool


def _read(editor: StatementEditor) -> _Like:
    reader = editor.reader
    start = reader.offset
    reader.expect("LIKE")
    catalog, schema, table = editor.full_name(reader.qualified())
    including = reader.accept("INCLUDING", "PROPERTIES")
    if not including:
        reader.accept("EXCLUDING", "PROPERTIES")
    end = editor.tokens[reader.index - 1].end
    return _Like(start, end, catalog or "", schema or "", table, including)


def _columns(listing: Listing, like: _Like) -> str:
    fields = listing.columns(like.catalog, like.schema, like.table)
    written = [_column(field, comment) for field, comment in zip(fields, comments_of(fields), strict=True)]
    return ", ".join(written)


def _properties(listing: Listing, like: _Like) -> dict[str, str]:
    """Return the table's properties in Trino's SQL, without those that hold for its own files only."""
    name = (like.catalog, like.schema, like.table)
    shown = spark_properties(listing, *name)
    kept = {key: value for key, value in shown.items() if not _OF_ITS_FILES.fullmatch(key)}
    return trino_properties(listing.details(*name).partitions, None, kept)


def _added(editor: StatementEditor, inherited: Mapping[str, str]) -> list[Edit]:
    """Put the properties that WITH does not name behind its parenthesis."""
    reader = editor.reader
    reader.take()
    place = editor.tokens[reader.index].end
    named = {key for key, _ in read_properties(reader)}
    rest = {key: value for key, value in inherited.items() if key not in named}
    return [Edit(place, place, f"{_written(rest)}, ")] if rest else []


def _written(properties: Mapping[str, str]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in properties.items())


def _column(field: pa.Field, comment: str | None) -> str:
    required = "" if field.nullable else " NOT NULL"
    said = "" if comment is None else f" COMMENT {trino_text(comment)}"
    return f"{trino_name(field.name)} {trino_type(field.type, field.metadata).text}{required}{said}"
