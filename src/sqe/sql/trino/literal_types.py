"""Read Trino's type names as Arrow types, for the values that a client writes into EXECUTE .. USING."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.sql.lexer import TokenKind, position_at
from sqe.sql.token_reader import TokenReader

PLAIN: Mapping[str, pa.DataType] = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INTEGER": pa.int32(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "REAL": pa.float32(),
    "DOUBLE": pa.float64(),
    "VARCHAR": pa.string(),
    "CHAR": pa.string(),
    "VARBINARY": pa.binary(),
    "DATE": pa.date32(),
    "JSON": pa.string(),
    "UUID": pa.string(),
    "IPADDRESS": pa.string(),
}


def read_type(reader: TokenReader) -> pa.DataType:
    """Read a type such as `decimal(10, 2)` or `row(a bigint, b array(varchar))`.

    Raises:
        SqlSyntaxError, UnsupportedError
    """
    offset = reader.offset
    word = reader.name().upper()
    if word == "DECIMAL":
        precision, scale = (*_numbers(reader), 0, 0)[:2] if reader.at_symbol("(") else (38, 0)
        return pa.decimal128(precision, scale)
    if word in ("TIMESTAMP", "TIME"):
        _numbers(reader)
        zoned = reader.accept("WITH", "TIME", "ZONE")
        if not zoned:
            reader.accept("WITHOUT", "TIME", "ZONE")
        if word == "TIMESTAMP":
            return pa.timestamp("us", tz="UTC" if zoned else None)
        if not zoned:
            return pa.time64("us")
    elif word == "ARRAY":
        reader.expect_symbol("(")
        item = read_type(reader)
        reader.expect_symbol(")")
        return pa.list_(item)
    elif word == "MAP":
        reader.expect_symbol("(")
        key = read_type(reader)
        reader.expect_symbol(",")
        item = read_type(reader)
        reader.expect_symbol(")")
        return pa.map_(key, item)
    elif word == "ROW":
        return _row(reader)
    elif word in PLAIN:
        if word == "DOUBLE":
            reader.accept("PRECISION")
        _numbers(reader)
        return PLAIN[word]
    raise UnsupportedError(
        f"A value cannot have the type {word.lower()}.", position=position_at(reader.text, offset)
    )


def _numbers(reader: TokenReader) -> list[int]:
    """Read `(10, 2)`, if it is there."""
    found: list[int] = []
    if not reader.accept_symbol("("):
        return found
    while True:
        if not reader.at_kind(TokenKind.NUMBER) or not reader.tokens[reader.index].text.isdigit():
            reader.mismatch("<integer>")
        found.append(int(reader.take().text))
        if not reader.accept_symbol(","):
            break
    reader.expect_symbol(")")
    return found


def _row(reader: TokenReader) -> pa.DataType:
    reader.expect_symbol("(")
    fields: list[pa.Field] = []
    while True:
        named = reader.left > 1 and not any(reader.at_symbol(symbol, 1) for symbol in ("(", ",", ")"))
        named = named and reader.peek(1) not in ("WITH", "WITHOUT", "PRECISION")
        name = reader.name() if named else f"col{len(fields) + 1}"
        fields.append(pa.field(name, read_type(reader)))
        if not reader.accept_symbol(","):
            break
    reader.expect_symbol(")")
    return pa.struct(fields)
