"""Read the text that a client submits, once: everything that the gateway knows of it before it runs.

A `Statement` is made where a text enters the query service and is carried from there. Nothing behind that point reads
the text again to find out what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.sql import session_statement
from sqe.sql.caps import check_comments, check_size, checked_tokens
from sqe.sql.classify import classify
from sqe.sql.lexer import Token
from sqe.sql.policy import statement as policy_statement
from sqe.sql.policy.statement_types import UPDATE_TYPES, PolicyStatement
from sqe.sql.session_statement import SessionStatement
from sqe.sql.trino.lexer import lexed, one_statement

# Tokens take fifty times the memory of their text, and a thousand queries may wait for a slot. The tokens of longer
# texts are made again when they are needed.
_KEPT_LENGTH = 16_384


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a client."""

    text: str
    dialect: Dialect
    kind: StatementKind
    update_type: str | None  # Trino's, such as "CREATE TABLE"; None for what only returns rows
    parameters: int = 0  # how many `?` it has
    session: SessionStatement | None = None  # if it concerns only the client's session
    policy: PolicyStatement | None = None  # if it is about access
    _tokens: tuple[Token, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens without a `;` at the end; a session statement's are always those of Trino's lexer."""
        if self._tokens is not None:
            return self._tokens
        return _lex(self.text, self.dialect if self.session is None else Dialect.TRINO, None)

    def without_tokens(self) -> Statement:
        """Return the same statement in less memory, for a query that has ended."""
        return replace(self, _tokens=None)


def read(
    text: str, dialect: Dialect, *, max_bytes: int | None = None, max_depth: int | None = None
) -> Statement:
    """Read one statement; the caps hold before anything but the lexer sees it.

    Args:
        text: as the client sent it.
        dialect: the session's. Session statements are Trino's in both.
        max_bytes: limits.sql_bytes; None: any number.
        max_depth: limits.sql_depth; None: any.

    Raises:
        StatementTooLargeError, StatementTooComplexError: it is beyond a cap.
        SqlSyntaxError: there is no statement, more than one, or one that is cut off; or it begins like a session
            statement or a statement about access and does not go on like it.
        UnsupportedError: it is a session statement of Trino's that SQE does not have.

    Example:
        >>> read("WITH x AS (SELECT ?) SELECT * FROM x", Dialect.TRINO).kind
        <StatementKind.QUERY: 'QUERY'>
    """
    if max_bytes is not None:
        check_size(text, max_bytes)
    begins = session_statement.begins(text)
    lexer = Dialect.TRINO if begins else dialect
    tokens = _lex(text, lexer, max_depth)
    session = session_statement.read(text, tokens) if begins else None
    if session is not None:
        update_type = session_statement.UPDATE_TYPES[type(session)]
        found = Statement(text, dialect, StatementKind.SESSION, update_type, session=session)
        return _with_tokens(found, tokens)
    if lexer is not dialect:  # such as Spark's DESCRIBE of a table named `input`
        tokens = _lex(text, dialect, max_depth)
    policy = policy_statement.read(text, dialect, tokens)
    if policy is not None:
        update_type = UPDATE_TYPES[type(policy)]
        kind = StatementKind.DEFINITION if update_type else StatementKind.LISTING
        return _with_tokens(Statement(text, dialect, kind, update_type, policy=policy), tokens)
    kind, update_type = classify(tokens, dialect)
    parameters = sum(token.is_symbol("?") for token in tokens)
    return _with_tokens(Statement(text, dialect, kind, update_type, parameters), tokens)


def _lex(text: str, dialect: Dialect, max_depth: int | None) -> list[Token]:
    """Return the tokens of one whole statement. Raises StatementTooComplexError, SqlSyntaxError."""
    tokens = lexed(text, dialect)
    if max_depth is not None:
        check_comments(text, dialect)
        tokens = checked_tokens(text, tokens, max_depth)
    return one_statement(text, list(tokens))


def _with_tokens(statement: Statement, tokens: list[Token]) -> Statement:
    return replace(statement, _tokens=tuple(tokens)) if len(statement.text) <= _KEPT_LENGTH else statement
