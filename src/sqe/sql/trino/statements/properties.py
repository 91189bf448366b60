"""Parse Trino's properties: `WITH (a = 'x', b = ARRAY['y'])`."""

from __future__ import annotations

from sqe.sql.lexer import TokenKind
from sqe.sql.token_reader import TokenReader

Value = str | int | float | bool | list["Value"] | dict[str, "Value"] | None


def read_properties(reader: TokenReader) -> list[tuple[str, Value]]:
    """Read the properties between two parentheses. Raises SqlSyntaxError."""
    reader.expect_symbol("(")
    found: list[tuple[str, Value]] = []
    while not reader.accept_symbol(")"):
        if found:
            reader.expect_symbol(",")
        found.append(read_property(reader))
    return found


def read_property(reader: TokenReader) -> tuple[str, Value]:
    """Read `name = value`; DEFAULT is None."""
    name = ".".join(reader.qualified()).lower()
    reader.expect_symbol("=")
    return name, read_value(reader)


def read_value(reader: TokenReader) -> Value:
    if reader.at_kind(TokenKind.STRING):
        return reader.string()
    if reader.at_kind(TokenKind.NUMBER):
        text = reader.take().text.replace("_", "")
        return int(text) if text.isdigit() else float(text)
    if reader.peek() in ("TRUE", "FALSE"):
        return reader.take().keyword == "TRUE"
    if reader.accept("DEFAULT"):
        return None
    if reader.accept("ARRAY"):
        reader.expect_symbol("[")
        return _items(reader, "]")
    if reader.accept("MAP"):
        reader.expect_symbol("(")
        if reader.accept_symbol(")"):
            return {}
        keys = read_value(reader)
        reader.expect_symbol(",")
        values = read_value(reader)
        reader.expect_symbol(")")
        if isinstance(keys, list) and isinstance(values, list) and len(keys) == len(values):
            return {str(key): value for key, value in zip(keys, values, strict=True)}
    return reader.mismatch("<value of a property>")


def _items(reader: TokenReader, closing: str) -> list[Value]:
    found: list[Value] = []
    while not reader.accept_symbol(closing):
        if found:
            reader.expect_symbol(",")
        found.append(read_value(reader))
    return found
