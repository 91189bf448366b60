"""Translate one query, or a statement that changes rows: sqlglot parses and writes it, the rules change it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError

from sqe.errors import SqeError, UnsupportedError
from sqe.sql.caps import too_deep
from sqe.sql.dialects.spark import PARAMETER, SqeSpark
from sqe.sql.dialects.trino import OFFSET, SqeTrino
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.splice import Edit
from sqe.sql.trino.lexer import syntax_error
from sqe.sql.trino.merge import merged
from sqe.sql.trino.rules.registry import apply_rules
from sqe.sql.trino.rules.rule import Context

_READER = SqeTrino()
_WRITER = SqeSpark()
_NOT_NEWLINE = re.compile(r"[^\n]")
# sqlglot warns of syntax that it keeps as text; here that raises an error.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

_ACCEPTED = (exp.Query, exp.Values, exp.Update, exp.Delete, exp.Merge)


def query_edits(text: str, words: Sequence[Token], context: Context, *, names_columns: bool) -> list[Edit]:
    """Return the edits that make Spark's SQL of the part of `text` that consists of `words`.

    Args:
        text: the whole statement.
        words: the tokens of the part.
        context: takes the virtual tables that are found.
        names_columns: the part's columns are those that the client gets.

    Raises:
        SqlSyntaxError: it is no query; with its position in `text`.
        UnsupportedError: Spark's SQL cannot express it.
    """
    start, end = words[0].start, words[-1].end
    for word in words:
        if word.kind is TokenKind.WORD and word.text[:2].lower() in ("0x", "0b", "0o"):
            raise UnsupportedError(
                f"The number {word.text} is not supported.",
                hint="Write it with decimal digits.",
                position=position_at(text, word.start),
            )
    # Blanks keep the positions, so that errors need no correction.
    padded = _NOT_NEWLINE.sub(" ", text[:start]) + text[start:end]
    context.names_columns = names_columns
    try:
        tree = _parse(text, padded, words)
        for number, parameter in enumerate(_parameters(tree)):
            parameter.meta["number"] = number
        tree = apply_rules(tree, context)
        generated = _WRITER.generate(
            tree, copy=False, comments=False, normalize_functions=False, unsupported_level=ErrorLevel.IGNORE
        )
        return merged(text, words, generated, PARAMETER)
    except RecursionError:
        raise too_deep() from None


def _parse(text: str, padded: str, words: Sequence[Token]) -> exp.Expr:
    try:
        found = _READER.tokenize(padded)
        known = {token.start for token in words}
        for token in found:
            if token.start not in known:  # such as 0x1F, which would be read as the number 0 named x1F
                raise syntax_error(text, token.start, f"mismatched input '{token.text}'")
        trees = _READER.parser(error_level=ErrorLevel.IMMEDIATE).parse(found, padded)
    except ParseError as error:
        raise _placed(text, words, error) from None
    except TokenError:
        raise syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'") from None
    tree = trees[0] if len(trees) == 1 else None
    if tree is None or not isinstance(tree, _ACCEPTED):
        raise syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'")
    for select in tree.find_all(exp.Select):
        if not select.expressions:
            raise _missing_columns(text, words)
    return tree


def _parameters(tree: exp.Expr) -> list[exp.Placeholder]:
    """Return the `?` in the order of the text."""
    found = list(tree.find_all(exp.Placeholder))
    return sorted(found, key=lambda node: int(node.meta[OFFSET]))


def _placed(text: str, words: Sequence[Token], error: ParseError) -> SqeError:
    details = error.errors[0] if error.errors else {}
    line, column = details.get("line"), details.get("col")
    highlight = details.get("highlight") or ""
    if not line or not column:
        return syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'")
    lines = text.split("\n")
    offset = sum(len(part) + 1 for part in lines[: line - 1]) + column - len(highlight)
    found = next((token for token in words if token.start >= offset), None)
    unexpected = str(details.get("description")).startswith("Invalid expression")
    if found is None or (found is words[-1] and not unexpected):
        # sqlglot names the last token when something is missing behind it.
        return syntax_error(text, words[-1].end, "mismatched input '<EOF>'")
    return syntax_error(text, found.start, f"mismatched input '{found.text}'")


def _missing_columns(text: str, words: Sequence[Token]) -> SqeError:
    for token, after in zip(words, [*words[1:], None], strict=True):
        if token.keyword == "SELECT" and (after is None or after.keyword == "FROM" or after.is_symbol(")")):
            found = after.text if after is not None else "<EOF>"
            offset = after.start if after is not None else token.end
            expected = "'*', 'ALL', 'DISTINCT', <expression>"
            return syntax_error(text, offset, f"mismatched input '{found}'. Expecting: {expected}")
    return syntax_error(text, words[0].start, "mismatched input. Expecting: <expression>")
