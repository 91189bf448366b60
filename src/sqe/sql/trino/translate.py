"""Translate the SQL that a client sends into the SQL that Spark gets.

As little as possible is changed. A query goes through sqlglot and the rules (`sqe.sql.trino.query`), and of the result
only the tokens that differ are put into the client's text. Trino's other statements are read by hand
(`sqe.sql.trino.statements`); Spark's and Iceberg's own statements pass with their double quotes turned into backticks.

sqlglot is imported with the first query that needs it: the shell has none.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from sqe.errors import FunctionNotFoundError, SqeError, UnsupportedError
from sqe.model.session import Dialect
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.row_changes import as_merge
from sqe.sql.splice import Splice
from sqe.sql.statement import Statement
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual.reference import VirtualReference

if TYPE_CHECKING:
    from sqe.sql.trino.output_columns import Outline

_CACHED_LENGTH = 16_384  # longer texts are seldom sent twice, and are not worth the memory
_CACHED = 512
_OWN_PREFIX = "trino_"
_VIEW_WORDS = 5  # CREATE OR REPLACE TEMPORARY VIEW


@dataclass(frozen=True, slots=True)
class Translation:
    """A statement as Spark gets it, and the way back from a position in it to the client's text."""

    text: str
    virtual: tuple[VirtualReference, ...] = ()
    _splice: Splice | None = field(default=None, repr=False)  # None: the text is the client's
    _placed: bool = (
        True  # False: another statement was written, in which positions mean nothing to the client
    )
    # With one of these the statement has done what it says, such as IF EXISTS.
    allowed: tuple[type[SqeError], ...] = ()
    outline: Outline | None = None  # of the columns of a query

    def place(self, error: SqeError) -> None:
        """Move an error's position from the text that Spark saw to the text that the client sent."""
        if error.position is None:
            return
        if not self._placed:
            error.position = None
        elif self._splice is not None:
            error.position = self._splice.original_position(error.position)


def translate(statement: Statement, scope: Scope) -> Translation:
    """Return a statement in Spark's SQL.

    Raises:
        SqlSyntaxError: it is not one of Trino's; with its position.
        UnsupportedError: Spark's SQL cannot express it.
        StatementTooComplexError: it is nested too deeply.

    Example:
        >>> from sqe.sql.statement import read
        >>> translate(read('SELECT "a b" FROM t', Dialect.TRINO), Scope("lake", "sales", "ada", None)).text
        'SELECT `a b` FROM t'
    """
    if statement.update_type == "COPY":
        raise UnsupportedError(
            "COPY is not supported on a server: it is a statement of the shell, which writes files of its own machine."
        )
    if statement.update_type == "RENAME SCHEMA":
        raise UnsupportedError(
            "ALTER SCHEMA .. RENAME is not supported: Iceberg's catalogs cannot rename a schema.",
            hint="Create the other schema, and rename the tables into it.",
        )
    if statement.dialect is Dialect.SPARK:
        merge = as_merge(statement)
        return Translation(statement.text) if merge is None else Translation(merge, _placed=False)
    if len(statement.text) > _CACHED_LENGTH:
        return _translate(statement, scope)
    key = (statement.text, scope)
    found = _cache.get(key)
    if found is None:
        found = _translate(statement, scope)
        _cache.put(key, found)
    return found


def refuse_own_functions(statement: Statement) -> None:
    """Refuse calls of the functions that only the translation writes, but for the text of a view, which SHOW shows.

    Raises:
        FunctionNotFoundError: there is such a call; with its position.
    """
    if _OWN_PREFIX not in statement.text.lower():
        return
    if any(token.keyword == "VIEW" for token in statement.tokens[:_VIEW_WORDS]):
        return
    refuse_calls(statement.text, statement.tokens)


def refuse_calls(text: str, words: Sequence[Token]) -> None:
    """Refuse calls of the functions that only the translation writes. Raises FunctionNotFoundError."""
    from sqe.sql.trino.rules.analyzer_functions import REGISTERED

    for token, after in pairwise(words):
        name = token.text.strip('`"').lower()
        named = token.kind in (TokenKind.WORD, TokenKind.QUOTED_NAME)
        if named and after.is_symbol("(") and name in REGISTERED:
            position = position_at(text, token.start)
            raise FunctionNotFoundError(f"There is no function {name}.", position=position)


def _translate(statement: Statement, scope: Scope) -> Translation:
    from sqe.sql.trino.statements.dispatch import rewrite

    merge = as_merge(statement)
    if merge is None:
        return rewrite(statement.text, list(statement.tokens), scope)
    return replace(rewrite(merge, statement_tokens(merge), scope), _placed=False)


class _Cache:
    """The translations that were used last. Not `lru_cache`, which would keep the statements' tokens as keys."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._translations: OrderedDict[tuple[str, Scope], Translation] = OrderedDict()

    def get(self, key: tuple[str, Scope]) -> Translation | None:
        with self._lock:
            found = self._translations.get(key)
            if found is not None:
                self._translations.move_to_end(key)
            return found

    def put(self, key: tuple[str, Scope], translation: Translation) -> None:
        with self._lock:
            self._translations[key] = translation
            while len(self._translations) > _CACHED:
                self._translations.popitem(last=False)


_cache = _Cache()
