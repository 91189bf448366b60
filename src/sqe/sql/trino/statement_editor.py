"""Rewrite a statement of Trino's: collect the edits of its tokens, and make Spark's text."""

from __future__ import annotations

from collections.abc import Sequence

from sqe.errors import SqeError
from sqe.sql.lexer import Token, TokenKind
from sqe.sql.namespace import join, split
from sqe.sql.quote import quote_name
from sqe.sql.splice import Edit, Splice, splice
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.lexer import unquote_name
from sqe.sql.trino.merge import comment_edits, spelled
from sqe.sql.trino.rules.rule import Context
from sqe.sql.trino.scope import Scope

_PLAIN_WORDS = frozenset({"NULL", "TRUE", "FALSE"})
_PLAIN_SYMBOLS = frozenset("(),-?")


def _is_plain(tokens: Sequence[Token]) -> bool:
    """Whether this is VALUES with nothing but constants, which mean the same to Spark."""
    if tokens[0].keyword != "VALUES" or len(tokens) < 4 or not tokens[1].is_symbol("("):
        return False
    depth = 0
    for token in tokens[1:]:
        if token.kind is TokenKind.STRING:
            continue
        if token.kind is TokenKind.SYMBOL:
            depth += (token.text == "(") - (token.text == ")")
            if token.text not in _PLAIN_SYMBOLS or not 0 <= depth <= 1:
                return False
        elif token.kind is TokenKind.NUMBER:
            if "_" in token.text:
                return False
        elif token.keyword not in _PLAIN_WORDS:
            return False
    return depth == 0


class StatementEditor:
    """Collects edits. What no edit covers stays, but for the quotes around names and in strings."""

    def __init__(self, text: str, tokens: list[Token], scope: Scope) -> None:
        self.text = text
        self.tokens = tokens
        self.scope = scope
        self.context = Context(text, scope)
        self.reader = TokenReader(text, tokens)
        self.allowed: list[type[SqeError]] = []  # with one of these the statement has done what it says
        self._edits: list[Edit] = []
        self._covered: set[int] = set()  # indexes of tokens that an edit or a query has taken
        self._lowered: set[int] = set()  # indexes of tokens that are names of Trino's
        self._schemas: set[int] = set()  # indexes of tokens that may be namespaces of several parts

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of the tokens from `start` up to `end`; an empty range is before `start`."""
        if end > start:
            self._edits.append(Edit(self.tokens[start].start, self.tokens[end - 1].end, text))
            self._covered.update(range(start, end))
        else:
            place = self.tokens[start].start if start < len(self.tokens) else self.tokens[-1].end
            spaced = f"{text} " if start < len(self.tokens) else f" {text}"
            self._edits.append(Edit(place, place, spaced))

    def query(self, start: int, end: int | None = None, *, names_columns: bool = False) -> None:
        """Translate the tokens from `start` up to `end` as a query, or a change of rows."""
        end = len(self.tokens) if end is None else end
        if start >= end:
            self.reader.index = start
            self.reader.mismatch("<query>")
        if not names_columns and _is_plain(self.tokens[start:end]):
            return  # thousands of rows of constants need no tree
        from sqe.sql.trino.query import query_edits

        self._edits += query_edits(
            self.text, self.tokens[start:end], self.context, names_columns=names_columns
        )
        self._covered.update(range(start, end))

    def finish(self) -> Splice | None:
        """Return the new text; None when nothing has changed."""
        for index, token in enumerate(self.tokens):
            if index in self._covered:
                continue
            if index in self._schemas and token.kind is TokenKind.QUOTED_NAME:
                self._edits.append(Edit(token.start, token.end, quote_name(*split(unquote_name(token)))))
            elif index in self._lowered and token.keyword and token.text != token.text.lower():
                self._edits.append(Edit(token.start, token.end, token.text.lower()))
            else:
                self._edits += spelled(token)
        # A comment between two replaced tokens went with them.
        taken = sorted((edit.start, edit.end) for edit in self._edits)
        for edit in comment_edits(self.text, self.tokens):
            if not any(start < edit.end and edit.start < end for start, end in taken):
                self._edits.append(edit)
        return splice(self.text, self._edits) if self._edits else None

    def name(self, *, schema: bool = False) -> tuple[list[str], int, int]:
        """Read the name of a table, or of a schema: its parts, and the tokens from which up to which they are.

        Without quotes it is written in lower case: Iceberg's catalogs distinguish `T` and `t`, and Trino does not.
        """
        start = self.reader.index
        parts = self.reader.qualified()
        end = self.reader.index
        self._lowered.update(range(start, end))
        place = end - 1 if schema else end - 3
        if place >= start and len(parts) <= 3:
            self._schemas.add(place)
        return parts, start, end

    def created(self, kind: str) -> None:
        """Read the beginning of a definition: CREATE, OR REPLACE, the kind, IF NOT EXISTS, and the name."""
        self.reader.expect("CREATE")
        self.reader.accept("OR", "REPLACE")
        self.reader.expect(kind)
        self.reader.accept("IF", "NOT", "EXISTS")
        self.name()

    def column(self) -> None:
        """Read the name of a column that is being defined."""
        start = self.reader.index
        self.reader.qualified()
        self._lowered.update(range(start, self.reader.index))

    def full_name(self, parts: list[str]) -> tuple[str | None, str | None, str]:
        """Return the catalog, the schema and the table that a name stands for in the scope of the statement."""
        if len(parts) == 1:
            return self.scope.catalog, self.scope.namespace, parts[0]
        if len(parts) == 2:
            return self.scope.catalog, parts[0], parts[1]
        return parts[0], parts[1] if len(parts) == 3 else join(tuple(parts[1:-1])), parts[-1]
