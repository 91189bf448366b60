"""Write `table FOR INCREMENTAL BETWEEN SNAPSHOT a AND SNAPSHOT b` as a query on the table's changes, in both dialects.

The changes are those of the snapshots behind `a` up to `b`; with 0 for `a` those from the first on. Iceberg's table of
changes has the rows of each file that was removed or added, so that an UPDATE that writes a file again deletes and
inserts rows that are the same: such pairs are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqe.errors import DataError
from sqe.model.session import Dialect
from sqe.sql.keywords import CLAUSES, JOINS, SET_OPERATIONS
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.quote import quote_name
from sqe.sql.splice import Edit, splice
from sqe.sql.statement import Statement, read
from sqe.sql.trino.lexer import unquote_name

MARK = "changes between "
"""Begins what follows `$` in the name that stands for the changes in a translation: `"t$changes between 1 and 2"`."""

_CLAUSE = ("FOR", "INCREMENTAL", "BETWEEN", "SNAPSHOT", "", "AND", "SNAPSHOT", "")
# What can follow a table, and is no alias of it.
_NO_ALIAS = (
    CLAUSES
    | SET_OPERATIONS
    | JOINS
    | {"LATERAL", "ON", "USING", "TABLESAMPLE", "PIVOT", "UNPIVOT", "WHEN", "SET"}
)


def with_changes(statement: Statement, current_schema: Callable[[], Sequence[str]]) -> Statement:
    """Return the statement with its incremental reads replaced; any other statement as it is.

    Args:
        statement: of either dialect.
        current_schema: returns the catalog and the schema of a table whose name has one part; for Spark's dialect.

    Raises:
        DataError: the first snapshot is the second.
    """
    if "incremental" not in statement.text.lower():
        return statement
    tokens = statement.tokens
    edits = [
        _edit(statement, index, current_schema)
        for index in range(1, len(tokens) - len(_CLAUSE) + 1)
        if _is_clause(tokens[index : index + len(_CLAUSE)])
    ]
    return read(splice(statement.text, edits).text, statement.dialect) if edits else statement


def changes_query(table: str, start: int, end: int) -> str:
    """Return a query on the changes of a table, in Spark's SQL."""
    options = {"end-snapshot-id": str(end)} | ({"start-snapshot-id": str(start)} if start else {})
    given = ", ".join(f"'{key}' = '{value}'" for key, value in options.items())
    # Equal rows of one snapshot: as many as were inserted more than deleted, or the other way round.
    return (
        "SELECT * EXCEPT (_sqe_more, _sqe_number) FROM (SELECT *, "  # noqa: S608 - the user's own names and numbers
        "sum(if(_change_type = 'INSERT', 1, -1)) OVER (PARTITION BY struct(* EXCEPT (_change_type))) AS _sqe_more, "
        "row_number() OVER (PARTITION BY struct(*) ORDER BY 1) AS _sqe_number "
        f"FROM {table}.changes WITH ({given})) "
        "WHERE if(_change_type = 'INSERT', _sqe_more, -_sqe_more) >= _sqe_number"
    )


def _is_clause(tokens: Sequence[Token]) -> bool:
    return all(
        token.keyword == word if word else token.text.isdecimal()
        for token, word in zip(tokens, _CLAUSE, strict=True)
    )


def _edit(statement: Statement, index: int, current_schema: Callable[[], Sequence[str]]) -> Edit:
    tokens = statement.tokens
    first = index - 1
    while first >= 2 and tokens[first - 1].is_symbol("."):
        first -= 2
    start, end = (int(tokens[index + number].text) for number in (4, 7))
    if start == end:
        place = position_at(statement.text, tokens[index].start)
        raise DataError("The two snapshots are the same: nothing has changed between them.", position=place)
    last = unquote_name(tokens[index - 1])
    after = tokens[index + len(_CLAUSE)] if index + len(_CLAUSE) < len(tokens) else None
    if statement.dialect is Dialect.TRINO:
        name = last if tokens[index - 1].kind is TokenKind.QUOTED_NAME else last.lower()
        written = '"' + f"{name}${MARK}{start} and {end}".replace('"', '""') + '"'
        return Edit(tokens[index - 1].start, tokens[index + len(_CLAUSE) - 1].end, written)
    name = statement.text[tokens[first].start : tokens[index - 1].end]
    if first == index - 1:  # Spark would take the name for that of a schema
        name = f"{quote_name(*current_schema())}.{name}"
    aliased = after is not None and (
        after.keyword == "AS"
        or after.kind is TokenKind.QUOTED_NAME
        or (after.kind is TokenKind.WORD and after.keyword not in _NO_ALIAS)
    )
    written = f"({changes_query(name, start, end)})" + ("" if aliased else f" AS {quote_name(last)}")
    return Edit(tokens[first].start, tokens[index + len(_CLAUSE) - 1].end, written)
