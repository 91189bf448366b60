"""Parse column types as Spark writes them in DDL: `bigint`, `array<struct<street:string>>`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from sqe.errors import SemanticError
from sqe.sql.lexer import Token, TokenKind, tokens
from sqe.sql.quote import quote_identifier
from sqe.sql.trino.lexer import unquote_name

_TEXT = frozenset({"string", "varchar", "char", "character"})
_SYNONYMS = {
    "byte": "tinyint",
    "short": "smallint",
    "integer": "int",
    "long": "bigint",
    "real": "float",
    "dec": "decimal",
    "numeric": "decimal",
    "timestamp_ltz": "timestamp",
    "character": "char",
}
_KNOWN = frozenset(
    {
        "boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "string", "varchar", "char",
        "binary", "date", "time", "timestamp", "timestamp_ntz", "variant", "void", "interval", "geometry", "geography",
    }
)  # fmt: skip
_INTERVAL_WORDS = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TO"})


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A parsed type."""

    name: str  # in lower case: `decimal`, `struct`, `array`, `map`
    suffix: str = ""  # what belongs to a plain type: `(10,2)`, ` day to second`, ` collate UTF8_LCASE`
    fields: tuple[tuple[str, ColumnType], ...] = ()  # of a struct, by name
    items: tuple[ColumnType, ...] = ()  # of an array, or a map's key and value

    @property
    def is_text(self) -> bool:
        return self.name in _TEXT

    def field(self, name: str) -> tuple[str, ColumnType] | None:
        """Return a struct's field with its name as written; Spark does not distinguish `A` and `a`."""
        return next((found for found in self.fields if found[0].lower() == name.lower()), None)

    def __str__(self) -> str:
        """Write the type as Spark reads it."""
        if self.name == "struct":
            inner = ", ".join(f"{quote_identifier(name)}: {kind}" for name, kind in self.fields)
            return f"STRUCT<{inner}>"
        if self.items:
            return f"{self.name.upper()}<{', '.join(map(str, self.items))}>"
        return f"{self.name.upper()}{self.suffix}"


def column_type(text: str) -> ColumnType:
    """Read a type.

    Raises:
        SemanticError: it is none that is known.

    Example:
        >>> str(column_type("array<struct<`a b`:decimal(10,2)>>"))
        'ARRAY<STRUCT<`a b`: DECIMAL(10,2)>>'
    """
    reader = _Reader(text)
    found = reader.type()
    if reader.left:
        reader.refuse()
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[Token] = []
        for token in tokens(text):
            if token.text in ("<<", "<>", ">>", ">=", "<="):  # `struct<>` and the like are brackets here
                self._tokens += [
                    Token(TokenKind.SYMBOL, letter, token.start + place)
                    for place, letter in enumerate(token.text)
                ]
            else:
                self._tokens.append(token)
        self._index = 0

    @property
    def left(self) -> bool:
        return self._index < len(self._tokens)

    def refuse(self) -> NoReturn:
        raise SemanticError(f"The column type '{self._text}' is not known.")

    def _take(self) -> Token:
        if not self.left:
            self.refuse()
        self._index += 1
        return self._tokens[self._index - 1]

    def _accept(self, text: str) -> bool:
        found = self.left and self._tokens[self._index].text.upper() == text
        self._index += found
        return found

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            self.refuse()

    def type(self) -> ColumnType:
        word = self._take()
        name = word.text.lower()
        name = _SYNONYMS.get(name, name)
        if word.kind is not TokenKind.WORD:
            self.refuse()
        if name == "struct":
            return ColumnType(name, fields=self._fields())
        if name == "array":
            self._expect("<")
            item = self.type()
            self._expect(">")
            return ColumnType(name, items=(item,))
        if name == "map":
            self._expect("<")
            key = self.type()
            self._expect(",")
            value = self.type()
            self._expect(">")
            return ColumnType(name, items=(key, value))
        if name not in _KNOWN:
            self.refuse()
        return ColumnType(name, self._suffix(name))

    def _fields(self) -> tuple[tuple[str, ColumnType], ...]:
        self._expect("<")
        found: list[tuple[str, ColumnType]] = []
        while not self._accept(">"):
            if found:
                self._expect(",")
            found.append((self._field_name(), self.type()))
            if self._accept("NOT"):
                self._expect("NULL")
            if self._accept("COMMENT"):
                self._take()
        return tuple(found)

    def _field_name(self) -> str:
        """Read a name and its colon. Spark does not always quote a name that needs it: `struct<a b:int>`."""
        first = last = self._take()
        while not self._accept(":"):
            last = self._take()
        if first is last and first.kind is TokenKind.QUOTED_NAME:
            return unquote_name(first)
        name = self._text[first.start : last.end]
        if first.text == ":" or set(name) & set("<>,`"):
            self.refuse()
        return name

    def _suffix(self, name: str) -> str:
        suffix = ""
        if self._accept("("):
            arguments: list[str] = []
            while not self._accept(")"):
                word = self._take()
                if word.text != "," and not word.text.isalnum():
                    self.refuse()
                arguments.append(word.text)
            suffix = f"({''.join(arguments)})"
        if name == "interval":
            while self.left and self._tokens[self._index].keyword in _INTERVAL_WORDS:
                suffix += f" {self._take().keyword}"
        if name == "string" and self._accept("COLLATE"):
            suffix += f" COLLATE {quote_identifier(unquote_name(self._take()))}"
        return suffix
