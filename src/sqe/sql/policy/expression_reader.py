"""Parse the expression of a policy into sqlglot's tree.

The tokens of sqlglot are compared with those of our own lexers, which read as the engines do, and the tree must hold
every token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import TokenType

from sqe.errors import SqlSyntaxError, StatementTooComplexError
from sqe.model.session import Dialect
from sqe.sql.caps import check_depth
from sqe.sql.dialects.spark_reader import SqeSparkReader
from sqe.sql.dialects.trino import SqeTrino
from sqe.sql.lexer import Token, TokenKind, string_value, tokens
from sqe.sql.trino.lexer import syntax_error, trino_tokens

_READERS = {Dialect.SPARK: SqeSparkReader(), Dialect.TRINO: SqeTrino()}
_MAX_DEPTH = 64  # far more than policies need, and far less than sqlglot or Spark can parse
_NAMED = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_VALUED = frozenset({TokenType.STRING, TokenType.NUMBER, TokenType.RAW_STRING, TokenType.HEX_STRING})
_STRINGS = frozenset({TokenType.STRING, TokenType.RAW_STRING})
_GRAMMAR = frozenset(  # keywords that a node's type stands for
    [
        "cast",
        "try_cast",
        "extract",
        "trim",
        "position",
        "substring",
        "substr",
        "both",
        "leading",
        "trailing",
        "at",
        "time",
        "zone",
        "nulls",
        "first",
        "last",
    ]
)


@lru_cache(maxsize=512)
def read_expression(text: str, dialect: Dialect) -> exp.Expr:
    """Return the tree of an expression. Callers must not change it, because it is cached.

    Raises:
        SqlSyntaxError: it is not an expression; with its position.
        StatementTooComplexError: it is nested too deeply.
    """
    check_depth(text, _MAX_DEPTH, dialect)
    words = _words(text, dialect)
    reader = _READERS[dialect]
    try:
        found = reader.tokenize(text)
        _compare(text, words, found, dialect)
        trees = reader.parser(error_level=ErrorLevel.IMMEDIATE).parse_into(exp.Condition, found, text)
    except (ParseError, TokenError) as error:
        raise _placed(text, words, error) from None
    except RecursionError:
        raise StatementTooComplexError("The expression is nested too deeply.") from None
    tree = trees[0] if len(trees) == 1 else None
    if tree is None:
        raise syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'")
    _nothing_lost(text, tree, found)
    return tree


def _words(text: str, dialect: Dialect) -> list[Token]:
    words = list(tokens(text) if dialect is Dialect.SPARK else trino_tokens(text))
    if not words:
        raise SqlSyntaxError("The expression is empty.")
    for word in words:
        if word.kind is TokenKind.UNCLOSED:
            raise syntax_error(text, word.start, "A quote or a comment is not closed")
        if word.is_symbol(";"):
            raise syntax_error(text, word.start, "mismatched input ';'")
    return words


def _compare(text: str, words: Sequence[Token], found: Sequence[Any], dialect: Dialect) -> None:
    """Refuse a text that sqlglot tokenizes differently from our lexers, whose tokens are the engines'."""
    starts = {word.start: word for word in words}
    covered: set[int] = set()
    for token in found:
        start, end = token.start, token.end
        word = starts.get(start)
        if word is None:
            raise syntax_error(text, start, f"mismatched input '{text[start : end + 1]}'")
        if dialect is Dialect.SPARK and token.token_type in _STRINGS:
            token.text = string_value(word)
        covered.update(range(start, end + 1))
    for word in words:
        if word.start not in covered or word.end - 1 not in covered:
            raise syntax_error(text, word.start, f"mismatched input '{word.text}'")


def _nothing_lost(text: str, tree: exp.Expr, found: Sequence[Any]) -> None:
    """Refuse a text with tokens that sqlglot has not kept in the tree."""
    kept: Counter[str] = Counter()
    for node in tree.walk():
        if not isinstance(node, exp.Column | exp.Dot | exp.Alias | exp.Paren | exp.Unary):
            kept[node.name.lower()] += 1
        if isinstance(node, exp.DataType):
            kept.update(part.lower() for part in node.sql().replace("(", " ").replace(")", " ").split())
    for token in found:
        kind, value = token.token_type, token.text.lower()
        if kind in _VALUED or (kind in _NAMED and value not in _GRAMMAR):
            kept[value] -= 1
            if kept[value] < 0:
                start = token.start
                raise syntax_error(text, start, f"mismatched input '{token.text}'")


def _placed(text: str, words: Sequence[Token], error: ParseError | TokenError) -> SqlSyntaxError:
    details = error.errors[-1] if isinstance(error, ParseError) and error.errors else {}
    line, column = details.get("line"), details.get("col")
    if not line or not column:
        return syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'")
    offset = sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + column
    place = next((word for word in words if word.end >= offset), None)
    unexpected = str(details.get("description")).startswith("Invalid expression")
    if place is None or (place is words[-1] and not unexpected):
        return syntax_error(text, words[-1].end, "mismatched input '<EOF>'")
    return syntax_error(text, place.start, f"mismatched input '{place.text}'")
