"""Bind policy expressions to the field ids of their columns, so that renaming columns changes no policy.

When a bound expression is used, each name must still belong to its field id, or is replaced by the column's current
name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqe.model.decision import Column, Expression
from sqe.model.session import Dialect
from sqe.sql.lexer import Token, TokenKind, tokens
from sqe.sql.trino.lexer import trino_tokens, unquote_name

TAGGED = "value"  # in a mask for a tag: the column that has the tag


@dataclass(frozen=True, slots=True)
class BoundExpression:
    """An expression, and the field ids of its columns when it was written."""

    text: str
    dialect: Dialect
    fields: Mapping[str, int] = field(default_factory=dict)  # by the column's name at that time


def bind(text: str, dialect: Dialect, columns: Sequence[Column]) -> BoundExpression:
    """Bind an expression to the field ids of all columns whose names occur in it."""
    mentioned = {unquote_name(token).casefold() for token in _names(_words(text, dialect))}
    fields = {
        column.name: column.field_id
        for column in columns
        if column.field_id is not None and column.name.casefold() in mentioned
    }
    return BoundExpression(text, dialect, fields)


def rebind(expression: BoundExpression, columns: Sequence[Column]) -> str | None:
    """Return the text with the current names of the columns; None: it no longer fits the table."""
    if not columns or all(column.field_id is None for column in columns):
        return expression.text  # there are no field ids: the renderer checks the names
    now = {column.field_id: column.name for column in columns}
    renamed: dict[str, str] = {}
    for name, field_id in expression.fields.items():
        current = now.get(field_id)
        if current is None:
            return None  # the column was dropped; a new column of the same name is a different one
        if current.casefold() != name.casefold():
            renamed[name.casefold()] = current
    if not renamed:
        return expression.text
    from sqe.sql.policy import expression as policy_expression

    if policy_expression.has_subquery(Expression(expression.text, expression.dialect, "")):
        return None  # the tokens alone do not show which table a name belongs to
    return _substituted(expression.text, expression.dialect, renamed)


def for_column(expression: BoundExpression, column: str) -> str:
    """Return the text of a tag's mask for one column that has the tag."""
    return _substituted(expression.text, expression.dialect, {TAGGED: column}, quoted=False)


def candidates(text: str, dialect: Dialect) -> list[str]:
    """Return the names in the text that can be a column's."""
    return list(dict.fromkeys(unquote_name(token) for token in _names(_words(text, dialect))))


def quote(name: str, dialect: Dialect) -> str:
    mark = '"' if dialect is Dialect.TRINO else "`"
    return mark + name.replace(mark, mark * 2) + mark


def _substituted(text: str, dialect: Dialect, names: Mapping[str, str], *, quoted: bool = True) -> str:
    words = _words(text, dialect)
    parts: list[str] = []
    end = 0
    for token in _names(words):
        replacement = names.get(unquote_name(token).casefold())
        if replacement is None or (token.kind is TokenKind.QUOTED_NAME and not quoted):
            continue
        parts += [text[end : token.start], quote(replacement, dialect)]
        end = token.end
    return "".join([*parts, text[end:]])


def _names(words: Sequence[Token]) -> list[Token]:
    """Return the tokens that can be a column's name: no fields of a column, and no functions."""
    found = []
    for place, word in enumerate(words):
        if word.kind not in (TokenKind.WORD, TokenKind.QUOTED_NAME):
            continue
        of_column = place > 0 and words[place - 1].is_symbol(".")
        function = place + 1 < len(words) and words[place + 1].is_symbol("(")
        if not of_column and not (function and word.kind is TokenKind.WORD):
            found.append(word)
    return found


def _words(text: str, dialect: Dialect) -> list[Token]:
    return list(trino_tokens(text) if dialect is Dialect.TRINO else tokens(text))
