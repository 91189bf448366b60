"""Classify a statement for the engine by its keywords, without a guess.

The one mistake that must not happen is to take a command for a query: Spark runs a command in order to describe
it. So a text is a QUERY only when its grammar leaves no choice, and what is not known is a DEFINITION, which the
gateway never describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.sql.lexer import Token

_QUERY_STARTS = frozenset({"SELECT", "VALUES", "TABLE", "WITH", "FROM"})
_CHANGES = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})
_LISTINGS = frozenset({"SHOW", "DESCRIBE", "DESC", "EXPLAIN"})
_SCHEMA_WORDS = frozenset({"SCHEMA", "DATABASE", "NAMESPACE"})
_CREATE_MODIFIERS = frozenset({"OR", "REPLACE", "GLOBAL", "TEMPORARY", "TEMP", "EXTERNAL"})
_DEFINITIONS: Mapping[str, str] = {
    "TRUNCATE": "TRUNCATE TABLE",
    "COMMENT": "COMMENT",
    "ANALYZE": "ANALYZE",
    "REFRESH": "REFRESH MATERIALIZED VIEW",
}
_EXECUTE = "ALTER TABLE EXECUTE"
# What follows the name in ALTER TABLE, and what Trino calls it.
_ALTERATIONS: Mapping[tuple[str, ...], str] = {
    ("RENAME", "TO"): "RENAME TABLE",
    ("RENAME", "COLUMN"): "RENAME COLUMN",
    ("ADD", "COLUMN"): "ADD COLUMN",
    ("ADD", "COLUMNS"): "ADD COLUMN",
    ("DROP", "COLUMN"): "DROP COLUMN",
    ("DROP", "COLUMNS"): "DROP COLUMN",
    ("ALTER", "COLUMN"): "SET COLUMN TYPE",
    ("SET", "PROPERTIES"): "SET PROPERTIES",
    ("SET", "TBLPROPERTIES"): "SET PROPERTIES",
    ("SET", "AUTHORIZATION"): "SET AUTHORIZATION",
}


def classify(words: Sequence[Token], dialect: Dialect) -> tuple[StatementKind, str | None]:
    """Return the kind of a statement that is neither about the session nor about access, and its update type.

    Args:
        words: the tokens of one whole statement, at least one.
        dialect: the one in which it is written.
    """
    first = words[0].keyword
    if first in _QUERY_STARTS or words[0].is_symbol("("):
        return _query_kind(words)
    if first in _CHANGES:
        return StatementKind.CHANGE, first
    if first in _LISTINGS:
        analyzed = first == "EXPLAIN" and len(words) > 1 and words[1].keyword == "ANALYZE"
        return (StatementKind.CALL if analyzed else StatementKind.LISTING), None
    if first == "CALL" or (first == "SET" and dialect is Dialect.SPARK):
        return StatementKind.CALL, None
    if first in ("CREATE", "REPLACE"):
        return _creation(words)
    if first == "DROP":
        return StatementKind.DEFINITION, f"DROP {_object(words, 1)}".rstrip()
    if first == "ALTER":
        changed = _alteration(words)
        return (StatementKind.CALL if changed == _EXECUTE else StatementKind.DEFINITION), changed
    return StatementKind.DEFINITION, _DEFINITIONS.get(first, first or None)


def _query_kind(words: Sequence[Token]) -> tuple[StatementKind, str | None]:
    start = 0
    while start < len(words) and words[start].is_symbol("("):
        start += 1
    if start < len(words) and words[start].keyword == "WITH":
        start = _after_ctes(words, start + 1)
        while start < len(words) and words[start].is_symbol("("):
            start += 1
    first = words[start].keyword if start < len(words) else ""
    if first in _CHANGES:
        return StatementKind.CHANGE, first
    if first == "FROM" and any(word.keyword == "INSERT" for word in words[start:]):
        return StatementKind.CHANGE, "INSERT"  # FROM t INSERT INTO a SELECT .. INSERT INTO b SELECT ..
    if first in _QUERY_STARTS:
        return StatementKind.QUERY, None
    return StatementKind.DEFINITION, None


def _after_ctes(words: Sequence[Token], index: int) -> int:
    """Return where the statement behind `WITH a AS (..), b (x) AS (..)` begins; past the end if it makes no sense."""
    if index < len(words) and words[index].keyword == "RECURSIVE":
        index += 1
    while index < len(words):
        index += 1  # the name
        if index < len(words) and words[index].is_symbol("("):
            index = _closing(words, index) + 1
        while index < len(words) and not words[index].is_symbol("("):  # AS, MAX RECURSION LEVEL 9 AS
            if words[index].keyword in _CHANGES | _QUERY_STARTS:
                return len(words)
            index += 1
        index = _closing(words, index) + 1
        if index >= len(words) or not words[index].is_symbol(","):
            return index
        index += 1
    return index


def _closing(words: Sequence[Token], index: int) -> int:
    """Return where the parenthesis at `index` is closed; past the end if it is not."""
    depth = 0
    for position in range(index, len(words)):
        depth += words[position].is_symbol("(") - words[position].is_symbol(")")
        if depth == 0:
            return position
    return len(words)


def _creation(words: Sequence[Token]) -> tuple[StatementKind, str | None]:
    index = 1
    while index < len(words) and words[index].keyword in _CREATE_MODIFIERS:
        index += 1
    made = _object(words, index)
    if made == "TABLE" and _holds_query(words[index:]):
        return StatementKind.CHANGE, "CREATE TABLE"
    return StatementKind.DEFINITION, f"CREATE {made}".rstrip()


def _holds_query(words: Sequence[Token]) -> bool:
    depth = 0
    for position, word in enumerate(words):
        depth += word.is_symbol("(") - word.is_symbol(")")
        if depth:
            continue
        if word.keyword in ("SELECT", "VALUES"):
            return True  # Spark needs no AS
        if word.keyword == "AS" and position + 1 < len(words):
            after = words[position + 1]
            if after.keyword in _QUERY_STARTS or after.is_symbol("("):
                return True
    return False


def _object(words: Sequence[Token], index: int) -> str:
    word = words[index].keyword if index < len(words) else ""
    if word == "MATERIALIZED":
        return "MATERIALIZED VIEW"
    return "SCHEMA" if word in _SCHEMA_WORDS else word


def _alteration(words: Sequence[Token]) -> str:
    altered = _object(words, 1)
    index = 2
    if [word.keyword for word in words[index : index + 2]] == ["IF", "EXISTS"]:
        index += 2
    index += 1  # the name, of one part or more
    while index + 1 < len(words) and words[index].is_symbol("."):
        index += 2
    action = tuple(word.keyword for word in words[index : index + 2])
    if altered == "TABLE":
        if action[:1] == ("EXECUTE",):
            return _EXECUTE
        return _ALTERATIONS.get(action, "ALTER TABLE")
    return f"RENAME {altered}" if action == ("RENAME", "TO") else f"ALTER {altered}".rstrip()
