r"""Split Trino's SQL into tokens, which differ from Spark's (`sqe.sql.lexer`) in their quotes and comments.

- `'..'` is a string without escapes: `'a\n'` has three characters. Only a doubled quote stands for a quote.
  `U&'..'` has `\0041` for characters, `X'..'` is binary.
- `".."` quotes a name, and so does a backtick, because Spark's and Iceberg's DDL is accepted too.
- `--` starts a comment up to the end of the line, and `/* .. */` is one that does not nest.

No regular expression here can backtrack, so lexing takes time in proportion to the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqe.errors import SqlSyntaxError
from sqe.model.session import Dialect
from sqe.sql.lexer import KINDS, WHITE_SPACE, Token, TokenKind, position_at, tokens

_TOKEN = re.compile(
    rf"""
      (?P<space>   [{WHITE_SPACE}]++ | --[^\r\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/ )
    | (?P<string>  (?:[uU]&|[xX])?+'[^']*+(?:''[^']*+)*+' )
    | (?P<name>    "[^"]*+(?:""[^"]*+)*+" | `[^`]*+(?:``[^`]*+)*+` )
    | (?P<unclosed> (?:[uU]&|[xX])?+' | ["`] | /\* )
    | (?P<number>  (?:\d[\d_]*+(?:\.[\d_]*+)?+|\.\d[\d_]*+)(?:[eE][+-]?\d++)?+(?!\w) )
    | (?P<word>    \w++ )
    | (?P<symbol>  => | -> | :: | \|\| | != | <> | <= | >= | . )
    """,
    re.VERBOSE | re.DOTALL,
)


def trino_tokens(text: str) -> Iterator[Token]:
    r"""Yield the tokens of `text`, without white space and comments.

    Example:
        >>> [token.text for token in trino_tokens("SELECT \"a b\" /* x */ <> 'it''s'")]
        ['SELECT', '"a b"', '<>', "'it''s'"]
    """
    position = 0
    while match := _TOKEN.match(text, position):  # None only at the end: the last symbol takes any character
        group, start, position = match.lastgroup, position, match.end()
        kind = KINDS.get(group or "")
        if kind is TokenKind.UNCLOSED:
            yield Token(kind, text[start:], start)
            return
        if kind is not None:
            yield Token(kind, match.group(), start)


def lexed(text: str, dialect: Dialect) -> Iterator[Token]:
    """Yield the tokens of `text` as `dialect` reads them, without white space and comments."""
    return trino_tokens(text) if dialect is Dialect.TRINO else tokens(text)


def statement_tokens(text: str) -> list[Token]:
    """Return the tokens of one statement, without a `;` at its end.

    Raises:
        SqlSyntaxError: there is none, there are several, or a quote or comment is not closed.
    """
    return one_statement(text, list(trino_tokens(text)))


def one_statement(text: str, words: list[Token]) -> list[Token]:
    """Check that `words` are one whole statement, and drop a `;` at its end. Raises SqlSyntaxError."""
    if words and words[-1].kind is TokenKind.UNCLOSED:
        raise syntax_error(text, words[-1].start, f"{_unclosed(words[-1].text)} is not closed")
    while words and words[-1].is_symbol(";"):
        words.pop()
    if not words:
        raise SqlSyntaxError("The statement is empty.", position=position_at(text, 0))
    for token in words:
        if token.is_symbol(";"):
            raise syntax_error(text, token.start, "mismatched input ';'. Expecting: <EOF>")
    return words


def syntax_error(text: str, offset: int, problem: str) -> SqlSyntaxError:
    """Return an error with the position of an offset in `text`."""
    return SqlSyntaxError(problem, position=position_at(text, offset))


def unquote_name(token: Token) -> str:
    """Return the name that a word or a quoted name stands for, in the letters in which it is written."""
    if token.kind is not TokenKind.QUOTED_NAME:
        return token.text
    quote = token.text[0]
    return token.text[1:-1].replace(quote * 2, quote)


_UNICODE = re.compile(r"\\(?:\\|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))")


def trino_string(token: Token) -> str:
    r"""Return what a string literal stands for; not for binary ones.

    Example:
        >>> [trino_string(token) for token in trino_tokens(r"'it''s\n' U&'\00e9'")]
        ["it's\\n", 'é']
    """
    text = token.text
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    return unicode_text(text[3:-1].replace("''", "'"))


def unicode_text(text: str) -> str:
    """Return what the inside of a `U&'..'` stands for."""
    return _UNICODE.sub(
        lambda match: "\\" if match.group() == "\\\\" else chr(int(match.group(1) or match.group(2), 16)),
        text,
    )


def _unclosed(text: str) -> str:
    if text.startswith("/*"):
        return "The comment"
    return "The quoted name" if text[0] in '"`' else "The string"
