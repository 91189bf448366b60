"""Translate one query, or a statement that changes rows: sqlglot parses and writes it, the rules change it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import Token as SqlglotToken
from sqlglot.tokenizer_core import TokenType

from sqe.errors import SqeError, TypeMismatchError, UnsupportedError
from sqe.sql.caps import too_deep
from sqe.sql.dialects.spark import PARAMETER, SqeSpark
from sqe.sql.dialects.trino import OFFSET, SqeTrino
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.splice import Edit
from sqe.sql.trino import inline_functions
from sqe.sql.trino.lexer import number_text, statement_tokens, syntax_error
from sqe.sql.trino.merge import merged
from sqe.sql.trino.output_columns import outline
from sqe.sql.trino.rules.registry import apply_rules
from sqe.sql.trino.rules.rule import Context, nodes_of
from sqe.sql.trino.stored_functions import StoredFunction
from sqe.sql.trino.translate import refuse_calls

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
    context.names_columns = names_columns
    try:
        tree = _tree(text, words)
        if context.scope.functions:
            tree = inline_functions.StoredCalls(context.scope, stored_function).expanded(tree)
        if "?" in text:
            for number, parameter in enumerate(_parameters(tree)):
                parameter.meta["number"] = number
        if names_columns:
            context.outline = outline(tree, context.scope)
        tree = apply_rules(tree, context)
        generated = _WRITER.generate(
            tree, copy=False, comments=False, normalize_functions=False, unsupported_level=ErrorLevel.IGNORE
        )
        return merged(text, words, generated, PARAMETER)
    except RecursionError:
        raise too_deep() from None


def _tree(text: str, words: Sequence[Token]) -> exp.Expr:
    """Parse a query, with the functions that it defines in the places of their calls."""
    if not inline_functions.begins(words):
        return _parsed(text, words)
    functions, place = inline_functions.read_functions(text, words, _parsed_text)
    if place >= len(words):
        raise syntax_error(text, words[-1].end, "mismatched input '<EOF>'")
    return inline_functions.expanded(_parsed(text, words[place:]), functions)


def _parsed(text: str, words: Sequence[Token]) -> exp.Expr:
    # Blanks keep the positions, so that errors need no correction.
    padded = _NOT_NEWLINE.sub(" ", text[: words[0].start]) + _compact_bytes(text, words)
    return parse(text, padded, words)


def _parsed_text(text: str) -> exp.Expr:
    return _parsed(text, statement_tokens(text))


def function_of(definition: str) -> inline_functions.InlineFunction:
    """Read the text of one function, which begins with FUNCTION. Raises SqeError."""
    return inline_functions.read_definition(definition, statement_tokens(definition), _parsed_text)


def stored_function(stored: StoredFunction) -> inline_functions.InlineFunction:
    """Read a stored function, and check it again: whoever may change the schema may have changed the text.

    Raises:
        UnsupportedError: it is not a function that CREATE FUNCTION would store.
    """
    try:
        refuse_calls(stored.definition, statement_tokens(stored.definition))
        function = function_of(stored.definition)
    except SqeError as error:
        raise UnsupportedError(
            f"The function {stored.catalog}.{stored.schema}.{stored.name} cannot be used: {error.message}",
            hint="Make it again with CREATE OR REPLACE FUNCTION.",
        ) from error
    if (function.name, len(function.parameters)) != (stored.name, stored.count):
        raise UnsupportedError(
            f"The function {stored.catalog}.{stored.schema}.{stored.name} is not stored under its own name."
        )
    return function


def types_of(written: str) -> list[str]:
    """Return the types of `(integer, varchar)` as a function has them. Raises SqeError."""
    return inline_functions.read_types(written, statement_tokens(written), _parsed_text)


def parse(text: str, padded: str, words: Sequence[Token]) -> exp.Expr:
    """Parse a query or a change of rows; `padded` is the part of `text` to parse, at its place. Raises SqeError."""
    for word in words:
        if (
            word.kind in (TokenKind.WORD, TokenKind.NUMBER)
            and word.text[0].isdecimal()
            and number_text(word) is None
        ):
            raise syntax_error(
                text,
                word.start,
                "identifiers must not start with a digit; surround the identifier with double quotes",
            )
    try:
        found = _with_numbers(_READER.tokenize(padded), words)
        known = {token.start for token in words}
        for token in found:
            if token.start not in known:  # such as 1__0, which would be read as the number 1 named __0
                raise syntax_error(text, token.start, f"mismatched input '{token.text}'")
        trees = _READER.parser(error_level=ErrorLevel.IMMEDIATE).parse(found, padded)
    except ParseError as error:
        raise _placed(text, words, error) from None
    except TokenError:
        raise syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'") from None
    tree = trees[0] if len(trees) == 1 else None
    if tree is None or not isinstance(tree, _ACCEPTED):
        raise syntax_error(text, words[0].start, f"mismatched input '{words[0].text}'")
    if any(type(node) is exp.Select and not node.expressions for node in nodes_of(tree)):
        raise _missing_columns(text, words)
    return tree


def _compact_bytes(text: str, words: Sequence[Token]) -> str:
    """Return the text of `words`, with the blanks in `X'00 FF'` behind the quote, where sqlglot takes them."""
    start, end = words[0].start, words[-1].end
    spaced = [
        word
        for word in words
        if word.kind is TokenKind.STRING and word.text[0] in "xX" and len(word.text.split()) > 1
    ]
    parts: list[str] = []
    for word in spaced:
        compact = "".join(word.text.split())
        parts += [text[start : word.start], compact, " " * (len(word.text) - len(compact))]
        start = word.end
    return "".join([*parts, text[start:end]])


def _with_numbers(found: list[SqlglotToken], words: Sequence[Token]) -> list[SqlglotToken]:
    """Put a number into the place of the tokens that sqlglot made of `.5` or `0xFF`."""
    numbers: dict[int, tuple[int, str]] = {}
    for word in words:
        written = number_text(word)
        if written is not None and (
            word.text[0] == "." or not word.text[-1:].isdecimal() or written != word.text
        ):
            numbers[word.start] = (word.end, written)
    if not numbers:
        return found
    made: list[SqlglotToken] = []
    covered = 0
    for token in found:
        if token.start < covered:
            continue
        number = numbers.get(token.start)
        if number is None:
            made.append(token)
            continue
        covered, written = number
        width = covered - token.start
        last = token.col - len(token.text) + width
        made.append(
            SqlglotToken(
                TokenType.NUMBER, written, token.line, last, token.start, covered - 1, token.comments
            )
        )
    return made


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
    described = str(details.get("description"))
    if described.startswith("Expected TYPE") and found is not None and found.keyword:
        return TypeMismatchError(
            f"Unknown type: {found.text.lower()}", position=position_at(text, found.start)
        )
    unexpected = described.startswith("Invalid expression")
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
