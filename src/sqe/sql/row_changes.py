"""Write UPDATE .. FROM and DELETE .. USING, which neither Spark nor Trino has, as the MERGE that means the same.

A row of the target that several rows of the source would update is an error of MERGE. PostgreSQL takes any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sqe.errors import UnsupportedError
from sqe.model.statement import StatementKind
from sqe.sql.lexer import Token, position_at
from sqe.sql.statement import Statement
from sqe.sql.trino.lexer import syntax_error

# The first of them begins what EXPLAIN explains.
_VERBS = frozenset(
    {"SELECT", "WITH", "VALUES", "TABLE", "INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "FROM"}
)
_JOINS = frozenset({"JOIN", "CROSS", "NATURAL", "LATERAL"})


def as_merge(statement: Statement) -> str | None:
    """Return the MERGE, in the statement's dialect; None for any other statement. Raises UnsupportedError.

    Example:
        >>> from sqe.model.session import Dialect
        >>> from sqe.sql.statement import read
        >>> as_merge(read("DELETE FROM t USING s WHERE t.id = s.id", Dialect.TRINO))
        'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE'
    """
    if statement.update_type not in ("UPDATE", "DELETE") and statement.kind is not StatementKind.LISTING:
        return None
    tokens = statement.tokens
    start = 0
    if tokens[0].keyword == "EXPLAIN":
        start = next((at for at, token in enumerate(tokens) if token.keyword in _VERBS), 0)
    if tokens[start].keyword == "UPDATE":
        merge = _update(statement, start)
    elif tokens[start].keyword == "DELETE":
        merge = _delete(statement, start)
    else:
        return None
    return None if merge is None else statement.text[: tokens[start].start] + merge


def _update(statement: Statement, start: int) -> str | None:
    tokens = statement.tokens
    assignments = _clause(tokens, "SET", start + 1)
    source = _clause(tokens, "FROM", assignments)
    if source == len(tokens):
        return None
    condition = _clause(tokens, "WHERE", source)
    target = _between(statement, start + 1, assignments)
    action = f"UPDATE SET {_between(statement, assignments + 1, source)}"
    return _merge(statement, target, source, condition, action)


def _delete(statement: Statement, start: int) -> str | None:
    tokens = statement.tokens
    source = _clause(tokens, "USING", start + 1)
    if source == len(tokens) or tokens[start + 1].keyword != "FROM":
        return None
    condition = _clause(tokens, "WHERE", source)
    return _merge(statement, _between(statement, start + 2, source), source, condition, "DELETE")


def _merge(statement: Statement, target: str, source: int, condition: int, action: str) -> str:
    tokens = statement.tokens
    depth = 0
    for token in tokens[source + 1 : condition]:
        depth += token.is_symbol("(") - token.is_symbol(")")
        if depth == 0 and (token.is_symbol(",") or token.keyword in _JOINS):
            raise UnsupportedError(
                "Only one table or query can be named there.",
                hint="Write a join as a query: FROM (SELECT .. FROM a JOIN b ON ..) AS s.",
                position=position_at(statement.text, token.start),
            )
    on = _between(statement, condition + 1, len(tokens)) if condition < len(tokens) else "TRUE"
    using = _between(statement, source + 1, condition)
    if not on or not using:
        raise syntax_error(statement.text, tokens[-1].end, "Expecting: FROM table WHERE condition")
    return f"MERGE INTO {target} USING {using} ON {on} WHEN MATCHED THEN {action}"


def _clause(tokens: Sequence[Token], word: str, start: int) -> int:
    """Return the index of the clause that begins with `word`, not in parentheses; past the end if there is none."""
    depth = 0
    for index, (before, token) in enumerate(pairwise(tokens[start - 1 :]), start):
        depth += token.is_symbol("(") - token.is_symbol(")")
        # `a IS DISTINCT FROM b` begins no clause.
        if depth == 0 and token.keyword == word and before.keyword != "DISTINCT":
            return index
    return len(tokens)


def _between(statement: Statement, start: int, end: int) -> str:
    tokens = statement.tokens
    return statement.text[tokens[start].start : tokens[end - 1].end] if start < end else ""
