"""Read tokens one after the other, for the small grammars that the gateway parses by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from sqe.sql.lexer import Token, TokenKind
from sqe.sql.trino.lexer import syntax_error, trino_string, unquote_name


class TokenReader:
    """Reads tokens; one that does not fit is an error with its position."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.index = 0

    @property
    def left(self) -> int:
        return len(self.tokens) - self.index

    @property
    def next(self) -> Token | None:
        return self.tokens[self.index] if self.left else None

    @property
    def offset(self) -> int:
        """Where the next token begins, or the last one ends."""
        if self.left:
            return self.tokens[self.index].start
        return self.tokens[-1].end if self.tokens else 0

    def peek(self, ahead: int = 0) -> str:
        """Return the word that comes next, in upper case; a quoted name is no word."""
        index = self.index + ahead
        return self.tokens[index].keyword if index < len(self.tokens) else ""

    def at_symbol(self, symbol: str, ahead: int = 0) -> bool:
        index = self.index + ahead
        return index < len(self.tokens) and self.tokens[index].is_symbol(symbol)

    def at_kind(self, *kinds: TokenKind) -> bool:
        return self.left > 0 and self.tokens[self.index].kind in kinds

    def accept(self, *words: str) -> bool:
        if any(self.peek(ahead) != word for ahead, word in enumerate(words)):
            return False
        self.index += len(words)
        return True

    def accept_symbol(self, symbol: str) -> bool:
        if self.at_symbol(symbol):
            self.index += 1
            return True
        return False

    def expect(self, *words: str) -> None:
        for word in words:
            if not self.accept(word):
                self.mismatch(f"'{word}'")

    def expect_symbol(self, symbol: str) -> None:
        if not self.accept_symbol(symbol):
            self.mismatch(f"'{symbol}'")

    def take(self) -> Token:
        if not self.left:
            self.mismatch()
        self.index += 1
        return self.tokens[self.index - 1]

    def name(self) -> str:
        if self.at_kind(TokenKind.WORD, TokenKind.QUOTED_NAME):
            return unquote_name(self.take())
        return self.mismatch("<identifier>")

    def qualified(self) -> list[str]:
        """Read a name of one part or more; what is not quoted is in lower case, as Trino has it."""
        parts = [self._part()]
        while self.accept_symbol("."):
            parts.append(self._part())
        return parts

    def _part(self) -> str:
        quoted = self.at_kind(TokenKind.QUOTED_NAME)
        name = self.name()
        return name if quoted else name.lower()

    def string(self) -> str:
        if self.at_kind(TokenKind.STRING) and self.tokens[self.index].text[0] not in "xX":
            return trino_string(self.take())
        return self.mismatch("<string>")

    def bracketed(self) -> list[Token]:
        """Read the tokens between the bracket that comes next and the one that closes it."""
        depth, start = 0, self.index + 1
        while self.left:
            text = self.take().text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth == 0:
                return list(self.tokens[start : self.index - 1])
        return self.mismatch("')'")

    def end(self) -> None:
        if self.left:
            self.mismatch("<EOF>")

    def mismatch(self, expected: str = "") -> NoReturn:
        found = self.tokens[self.index].text if self.left else "<EOF>"
        suffix = f". Expecting: {expected}" if expected else ""
        raise syntax_error(self.text, self.offset, f"mismatched input '{found}'{suffix}")
