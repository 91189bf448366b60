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


_BASES = {"x": 16, "o": 8, "b": 2}
_OTHER_BASE = re.compile(r"0(?:x(?:_?[0-9a-f])+|o(?:_?[0-7])+|b(?:_?[01])+)", re.IGNORECASE)
_UNDERSCORES = re.compile(r"_(?![0-9])|(?<![0-9])_")
_ESCAPES = {"\\": re.compile(r"\\(?:(\\)|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))")}
_MOST_HEX = 0x10FFFF


def number_text(token: Token) -> str | None:
    """Return a number as Spark writes it: decimal digits without underscores; None: the token is no number.

    Example:
        >>> [number_text(token) for token in trino_tokens("0x_FF 1_000 .5e1 x")]
        ['255', '1000', '.5e1', None]
    """
    if token.kind is TokenKind.NUMBER:
        return None if _UNDERSCORES.search(token.text) else token.text.replace("_", "")
    if token.kind is TokenKind.WORD and _OTHER_BASE.fullmatch(token.text):
        return str(int(token.text[2:].replace("_", ""), _BASES[token.text[1].lower()]))
    return None


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


def unicode_text(text: str, escape: str = "\\") -> str:
    """Return what the inside of a `U&'..'` stands for; what is no character stays as it is written."""
    sign = re.escape(escape)
    pattern = _ESCAPES.get(escape) or re.compile(
        rf"{sign}(?:({sign})|\+([0-9a-fA-F]{{6}})|([0-9a-fA-F]{{4}}))"
    )
    return pattern.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    code = int(match[2] or match[3], 16)
    return match[0] if 0xD800 <= code <= 0xDFFF or code > _MOST_HEX else chr(code)


def unicode_problem(text: str, escape: str) -> str | None:
    """Return what is wrong with the inside of a `U&'..'` and its escape, in Trino's words."""
    if not escape:
        return "Empty Unicode escape character"
    if (
        len(escape) != 1
        or not " " < escape < "\x7f"
        or escape in "+'\""
        or escape in "0123456789abcdefABCDEF"
    ):
        return f"Invalid Unicode escape character: {escape}"
    at = text.find(escape)
    while at >= 0:
        rest = text[at + 1 :]
        if rest.startswith(escape):
            at = text.find(escape, at + 2)
            continue
        skipped = 1 if rest.startswith("+") else 0
        length = 6 if skipped else 4
        digits = rest[skipped : skipped + length]
        for digit in digits:
            if digit not in "0123456789abcdefABCDEF":
                return f"Invalid hexadecimal digit: {digit}"
        if len(digits) < length:
            return f"Incomplete escape sequence: {digits}"
        code = int(digits, 16)
        if 0xD800 <= code <= 0xDFFF:
            return (
                f"Invalid escaped character: {digits}. Escaped character is a surrogate. "
                "Use '\\+123456' instead."
            )
        if code > _MOST_HEX:
            return f"Invalid escaped character: {digits}"
        at = text.find(escape, at + 1 + skipped + length)
    return None


def _unclosed(text: str) -> str:
    if text.startswith("/*"):
        return "The comment"
    return "The quoted name" if text[0] in '"`' else "The string"
