"""Translate Trino's types in the definitions of columns."""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.sql.lexer import TokenKind, position_at
from sqe.sql.quote import quote_identifier
from sqe.sql.token_reader import TokenReader

_PLAIN = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "TINYINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INT",
    "INT": "INT",
    "BIGINT": "BIGINT",
    "REAL": "FLOAT",
    "FLOAT": "FLOAT",
    "DOUBLE": "DOUBLE",
    "VARCHAR": "STRING",
    "CHAR": "STRING",
    "STRING": "STRING",
    "JSON": "STRING",
    "UUID": "STRING",
    "VARBINARY": "BINARY",
    "BINARY": "BINARY",
    "DATE": "DATE",
    "TIMESTAMP_NTZ": "TIMESTAMP_NTZ",
    "TIMESTAMP_LTZ": "TIMESTAMP",
    "VARIANT": "VARIANT",
    "UNKNOWN": "VOID",
    "VOID": "VOID",
}
_GEOSPATIAL = ("GEOMETRY", "GEOGRAPHY")
_WGS84 = "4326"  # the reference system of Iceberg's types without one, as the number that Spark needs


def read_column_type(reader: TokenReader) -> str:
    """Read a type and return Spark's. Raises SqlSyntaxError, UnsupportedError.

    Spark's own ARRAY<..>, MAP<..> and STRUCT<..> are accepted too.
    """
    offset = reader.offset
    word = reader.name().upper()
    if word in _PLAIN:
        if word == "DOUBLE":
            reader.accept("PRECISION")
        _numbers(reader)
        return _PLAIN[word]
    if word in ("DECIMAL", "NUMERIC"):
        return f"DECIMAL({', '.join(_numbers(reader) or ['38', '0'])})"
    if word in _GEOSPATIAL:
        return f"{word}({', '.join(_numbers(reader) or [_WGS84])})"
    if word == "TIMESTAMP":
        _numbers(reader)
        if reader.accept("WITH", "TIME", "ZONE"):
            return "TIMESTAMP"
        reader.accept("WITHOUT", "TIME", "ZONE")
        return "TIMESTAMP_NTZ"
    if word == "ARRAY":
        closing = _open(reader)
        item = read_column_type(reader)
        reader.expect_symbol(closing)
        return f"ARRAY<{item}>"
    if word == "MAP":
        closing = _open(reader)
        key = read_column_type(reader)
        reader.expect_symbol(",")
        item = read_column_type(reader)
        reader.expect_symbol(closing)
        return f"MAP<{key}, {item}>"
    if word in ("ROW", "STRUCT"):
        return _row(reader)
    raise UnsupportedError(
        f"A column cannot have the type {word.lower()}.", position=position_at(reader.text, offset)
    )


def _open(reader: TokenReader) -> str:
    if reader.accept_symbol("<"):
        return ">"
    reader.expect_symbol("(")
    return ")"


def _row(reader: TokenReader) -> str:
    closing = _open(reader)
    fields: list[str] = []
    while True:
        if not reader.at_kind(TokenKind.WORD, TokenKind.QUOTED_NAME):
            reader.mismatch("<identifier>")
        name = quote_identifier(reader.name())
        reader.accept_symbol(":")
        fields.append(f"{name}: {read_column_type(reader)}")
        if not reader.accept_symbol(","):
            break
    reader.expect_symbol(closing)
    return f"STRUCT<{', '.join(fields)}>"


def _numbers(reader: TokenReader) -> list[str]:
    if not reader.at_symbol("("):
        return []
    return [token.text for token in reader.bracketed() if token.kind is TokenKind.NUMBER]
