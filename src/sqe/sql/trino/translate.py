"""From the SQL that a client sends to the SQL that Spark gets.

As little as possible is changed. A query goes through sqlglot and the rules (`sqe.sql.trino.query`), and of the result
only the tokens that differ are put into the client's text. Trino's other statements are read by hand
(`sqe.sql.trino.statements`); Spark's and Iceberg's own statements pass with their double quotes turned into backticks.

sqlglot is imported with the first query that needs it: the shell has none.
"""

from __future__ import annotations

from functools import lru_cache

from sqe.model.session import Dialect
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translation import Translation

__all__ = ["Translation", "translate"]

_CACHED_LENGTH = 16_384  # longer texts are seldom sent twice, and are not worth the memory


def translate(text: str, dialect: Dialect, scope: Scope) -> Translation:
    """Return a statement in Spark's SQL.

    Raises:
        SqlSyntaxError: it is not one; with its place.
        UnsupportedError: it is one that Spark's SQL has no words for.
        StatementTooComplexError: it is nested too deeply.

    Example:
        >>> translate('SELECT "a b" FROM t', Dialect.TRINO, Scope("lake", "sales", "ada", None)).text
        'SELECT `a b` FROM t'
    """
    if dialect is Dialect.SPARK:
        return Translation(text)
    return _cached(text, scope) if len(text) <= _CACHED_LENGTH else _translate(text, scope)


def _translate(text: str, scope: Scope) -> Translation:
    from sqe.sql.trino.statements.dispatch import rewrite

    return rewrite(text, statement_tokens(text), scope)


@lru_cache(maxsize=512)
def _cached(text: str, scope: Scope) -> Translation:
    return _translate(text, scope)
