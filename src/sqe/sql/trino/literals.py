"""Read the literals behind EXECUTE .. USING, which reach the engine as values and never as text.

Only what clients write for a value is read: literals, signs, CAST, ARRAY, MAP and ROW of them, and the three
functions that clients use for doubles without a literal. Anything that would have to be computed is refused;
`sqe.sql.trino.arguments` puts it into the statement's text instead.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any, Final, NoReturn
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pyarrow as pa

from sqe.errors import CastError, Position, SqeError, UnsupportedError
from sqe.sql.lexer import TokenKind, position_at
from sqe.sql.session_statement import Argument
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.literal_types import PLAIN, read_type

NOT_LITERAL: Final = "Only a literal can be given as the value of a parameter."
"""The message about an argument that has to be computed."""

_INT32 = 2**31
_INT64 = 2**63
_MAX_DIGITS = 38


def value(argument: Argument) -> pa.Scalar:
    """Return the typed value of a literal, as Trino reads it.

    Raises:
        UnsupportedError: it is no literal; with its position in the statement.
        SqlSyntaxError, CastError: as above.

    Example:
        >>> value(Argument("DECIMAL '1.50'", Position(1, 1))).type
        Decimal128Type(decimal128(3, 2))
    """
    try:
        reader = TokenReader(argument.text, statement_tokens(argument.text))
        found = _value(reader)
        if reader.left:
            _refuse(reader)  # 1 + 1
    except SqeError as error:
        place = moved(error.position, argument.position)
        raise type(error)(error.message, hint=error.hint, position=place) from None
    return found


def moved(inside: Position | None, start: Position) -> Position:
    """Return a position inside of an argument as one in the statement; that of the argument for None."""
    if inside is None:
        return start
    if inside.line == 1:
        return Position(start.line, start.column + inside.column - 1)
    return Position(start.line + inside.line - 1, inside.column)


def _value(reader: TokenReader) -> pa.Scalar:
    if reader.accept_symbol("("):
        found = _value(reader)
        reader.expect_symbol(")")
        return found
    if reader.at_symbol("-") or reader.at_symbol("+"):
        return _signed(reader)
    if reader.at_kind(TokenKind.NUMBER):
        return _number(reader, "")
    if reader.at_kind(TokenKind.STRING):
        return _string(reader)
    word = reader.peek()
    if word in ("TRUE", "FALSE"):
        reader.take()
        return pa.scalar(word == "TRUE")
    if word == "NULL":
        reader.take()
        return pa.scalar(None, pa.null())
    if word in _CALLS and reader.left > 1 and (reader.at_symbol("(", 1) or reader.at_symbol("[", 1)):
        return _CALLS[word](reader)
    if word == "INTERVAL":
        return _interval(reader)
    return _typed(reader)


def _signed(reader: TokenReader) -> pa.Scalar:
    sign = reader.take().text
    if reader.at_kind(TokenKind.NUMBER):
        return _number(reader, sign.replace("+", ""))
    found = _value(reader)
    if sign == "+":
        return found
    if pa.types.is_null(found.type) or found.as_py() is None:
        return found
    if not (
        pa.types.is_integer(found.type) or pa.types.is_floating(found.type) or pa.types.is_decimal(found.type)
    ):
        _refuse(reader)
    return pa.scalar(-found.as_py(), found.type)


def _number(reader: TokenReader, sign: str) -> pa.Scalar:
    offset = reader.offset
    digits = reader.take().text.replace("_", "")
    if "e" in digits.lower():
        return pa.scalar(float(sign + digits), pa.float64())
    if "." in digits:
        return _decimal(reader, sign + digits, offset)
    number = int(sign + digits)
    if not -_INT64 <= number < _INT64:
        raise UnsupportedError(
            f"The number {number} is too large for a BIGINT.",
            hint=f"Write DECIMAL '{number}'.",
            position=position_at(reader.text, offset),
        )
    return pa.scalar(number, pa.int32() if -_INT32 <= number < _INT32 else pa.int64())


_DECIMAL = re.compile(r"\s*([+-]?)0*(\d*)(?:\.(\d*))?\s*")


def _decimal(reader: TokenReader, text: str, offset: int) -> pa.Scalar:
    """Read a decimal, whose precision is the number of its digits without zeros in front."""
    match = _DECIMAL.fullmatch(text)
    if match is None or not any(letter.isdigit() for letter in text):
        _bad(reader, text, "decimal", offset)
    whole, fraction = match.group(2), match.group(3) or ""
    precision = max(len(whole) + len(fraction), 1)
    if precision > _MAX_DIGITS:
        raise UnsupportedError(
            f"A decimal has at most {_MAX_DIGITS} digits.", position=position_at(reader.text, offset)
        )
    return pa.scalar(Decimal(text.strip()), pa.decimal128(precision, len(fraction)))


def _string(reader: TokenReader) -> pa.Scalar:
    token = reader.tokens[reader.index]
    if token.text[0] not in "xX":
        return pa.scalar(reader.string(), pa.string())
    reader.take()
    try:
        return pa.scalar(bytes.fromhex(token.text[2:-1]), pa.binary())
    except ValueError:
        _bad(reader, token.text, "varbinary", token.start)


def _typed(reader: TokenReader) -> pa.Scalar:
    """Read a type's name and a string: DATE '2020-01-01'."""
    offset, word = reader.offset, reader.peek()
    following = reader.tokens[reader.index + 1] if reader.left > 1 else None
    quoted = following is not None and following.kind is TokenKind.STRING and following.text[0] not in "xX"
    if not quoted or word not in (*PLAIN, "DECIMAL", "TIMESTAMP", "TIME"):
        _refuse(reader)
    reader.take()
    text = reader.string()
    if word == "DECIMAL":
        return _decimal(reader, text, offset)
    if word == "TIMESTAMP":
        return _timestamp(reader, text, None, offset)
    return _from_text(reader, text, pa.time64("us") if word == "TIME" else PLAIN[word], offset)


def _cast(reader: TokenReader) -> pa.Scalar:
    reader.take()
    reader.expect_symbol("(")
    offset = reader.offset
    found = _value(reader)
    reader.expect("AS")
    target = read_type(reader)
    reader.expect_symbol(")")
    return _as_type(reader, found, target, offset)


def _as_type(reader: TokenReader, found: pa.Scalar, target: pa.DataType, offset: int) -> pa.Scalar:
    if found.type == target:
        return found
    if not found.is_valid:
        return pa.scalar(None, target)
    if pa.types.is_string(found.type):
        return _from_text(reader, found.as_py(), target, offset)
    if pa.types.is_string(target) and pa.types.is_nested(found.type):
        _refuse(reader)
    try:
        if pa.types.is_nested(target):
            return pa.scalar(_native(found), target)
        if pa.types.is_decimal(target):
            rounded = Decimal(str(found.as_py())).quantize(Decimal(1).scaleb(-target.scale), ROUND_HALF_UP)
            return pa.scalar(rounded, target)
        return found.cast(target)
    except (
        pa.ArrowInvalid,
        pa.ArrowNotImplementedError,
        pa.ArrowTypeError,
        ArithmeticError,
        TypeError,
        ValueError,
    ):
        _bad(reader, str(found.as_py()), str(target), offset)


def _native(found: pa.Scalar) -> Any:
    """Return the Python value; a struct without its names, because those of the target count."""
    if pa.types.is_struct(found.type) and found.is_valid:
        return tuple(_native(item) for item in found.values())
    return found.as_py()


def _from_text(reader: TokenReader, text: str, target: pa.DataType, offset: int) -> pa.Scalar:
    if pa.types.is_timestamp(target):
        return _timestamp(reader, text, target, offset)
    try:
        return pa.scalar(_PARSERS[target.id](text.strip()), target)
    except KeyError:
        _refuse(reader)
    except (ValueError, InvalidOperation, pa.ArrowInvalid):
        _bad(reader, text, str(target), offset)


def _boolean(text: str) -> bool:
    lowered = text.lower()
    if lowered not in ("true", "false"):
        raise ValueError(text)
    return lowered == "true"


_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?")


def _time(text: str) -> dt.time:
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(text)
    hour, minute, second, fraction = match.groups()
    return dt.time(int(hour), int(minute), int(second or 0), _micros(fraction))


def _micros(fraction: str | None) -> int:
    digits = fraction or ""
    if digits[6:].strip("0"):
        raise ValueError("more than six digits of a second")
    return int(digits[:6].ljust(6, "0"))


_PARSERS: Mapping[int, Callable[[str], Any]] = {
    pa.bool_().id: _boolean,
    pa.int8().id: int,
    pa.int16().id: int,
    pa.int32().id: int,
    pa.int64().id: int,
    pa.float32().id: float,
    pa.float64().id: float,
    pa.string().id: str,
    pa.binary().id: str.encode,
    pa.date32().id: dt.date.fromisoformat,
    pa.time64("us").id: _time,
    pa.decimal128(1).id: Decimal,
}

_TIMESTAMP = re.compile(r"\s*(\d{4}-\d{1,2}-\d{1,2})(?:[ T]([\d:.]+))?\s*(\S.*?)?\s*")


def _timestamp(reader: TokenReader, text: str, target: pa.DataType | None, offset: int) -> pa.Scalar:
    """Read a timestamp: with a zone in the text a point in time, without one the local date and time."""
    match = _TIMESTAMP.fullmatch(text)
    try:
        if match is None:
            raise ValueError(text)  # noqa: TRY301  # one handler for all of them, below
        day, clock, zone = match.groups()
        local = dt.datetime.combine(
            dt.date(*(int(part) for part in day.split("-"))), _time(clock) if clock else dt.time()
        )
        zoned = local.replace(tzinfo=_zone(zone)) if zone else None
    except (ValueError, ZoneInfoNotFoundError):
        _bad(reader, text, "timestamp", offset)
    if target is None:
        target = pa.timestamp("us", tz="UTC" if zoned else None)
    if target.tz is None:
        return pa.scalar(local, target)
    if zoned is None:
        raise UnsupportedError(
            "A timestamp with time zone needs its zone here.",
            hint="Write it behind the time: TIMESTAMP '2020-01-01 00:00:00 UTC'.",
            position=position_at(reader.text, offset),
        )
    return pa.scalar(zoned, target)


_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?")


def _zone(name: str) -> dt.tzinfo:
    match = _OFFSET.fullmatch(name)
    if match is None:
        return dt.UTC if name.upper() in ("UTC", "Z", "GMT") else ZoneInfo(name)
    distance = dt.timedelta(hours=int(match.group(2)), minutes=int(match.group(3) or 0))
    return dt.timezone(distance if match.group(1) == "+" else -distance)


_SECONDS = {"SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86400, "WEEK": 7 * 86400}


def _interval(reader: TokenReader) -> pa.Scalar:
    reader.take()
    offset = reader.offset
    sign = -1 if reader.accept_symbol("-") else 1
    text = reader.string().strip()
    unit = reader.name().upper()
    if reader.peek() == "TO" or unit not in (*_SECONDS, "MONTH", "YEAR"):
        _refuse(reader)
    try:
        number = sign * Decimal(text)
    except InvalidOperation:
        _bad(reader, text, f"interval {unit.lower()}", offset)
    if unit in ("MONTH", "YEAR"):
        months = int(number) * (12 if unit == "YEAR" else 1)
        return pa.scalar((months, 0, 0), pa.month_day_nano_interval())
    return pa.scalar(dt.timedelta(microseconds=int(number * _SECONDS[unit] * 1_000_000)), pa.duration("us"))


def _items(reader: TokenReader, closing: str) -> list[pa.Scalar]:
    found: list[pa.Scalar] = []
    while not reader.accept_symbol(closing):
        if found:
            reader.expect_symbol(",")
        found.append(_value(reader))
    return found


def _array(reader: TokenReader) -> pa.Scalar:
    reader.take()
    offset = reader.offset
    reader.expect_symbol("[")
    items = _items(reader, "]")
    return pa.scalar([_native(item) for item in items], pa.list_(_common(reader, items, offset)))


def _common(reader: TokenReader, items: list[pa.Scalar], offset: int) -> pa.DataType:
    """Return the type that can hold all items."""
    try:
        fields = [pa.schema([pa.field("x", item.type)]) for item in items] or [pa.schema([("x", pa.null())])]
        return pa.unify_schemas(fields, promote_options="permissive").field("x").type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise CastError(
            "The values of an array must have one type.", position=position_at(reader.text, offset)
        ) from None


def _map(reader: TokenReader) -> pa.Scalar:
    reader.take()
    offset = reader.offset
    reader.expect_symbol("(")
    if reader.accept_symbol(")"):
        return pa.scalar([], pa.map_(pa.string(), pa.string()))
    keys = _value(reader)
    reader.expect_symbol(",")
    values = _value(reader)
    reader.expect_symbol(")")
    known = keys.as_py()
    if pa.types.is_list(keys.type) and (
        pa.types.is_null(keys.type.value_type) or known is None or None in known or not values.is_valid
    ):
        _refuse(reader)  # Arrow has no such map; the engine says what it is
    if not (pa.types.is_list(keys.type) and pa.types.is_list(values.type)) or len(keys) != len(values):
        raise CastError("MAP needs two arrays of the same length.", position=position_at(reader.text, offset))
    pairs = list(zip(known, values.as_py(), strict=True))
    return pa.scalar(pairs, pa.map_(keys.type.value_type, values.type.value_type))


def _row(reader: TokenReader) -> pa.Scalar:
    reader.take()
    reader.expect_symbol("(")
    items = _items(reader, ")")
    fields = [pa.field(f"col{number}", item.type) for number, item in enumerate(items, 1)]
    return pa.scalar(tuple(_native(item) for item in items), pa.struct(fields))


def _not_finite(reader: TokenReader) -> pa.Scalar:
    word = reader.take().keyword
    reader.expect_symbol("(")
    reader.expect_symbol(")")
    return pa.scalar(float("nan" if word == "NAN" else "inf"), pa.float64())


_CALLS: Mapping[str, Callable[[TokenReader], pa.Scalar]] = {
    "CAST": _cast,
    "ARRAY": _array,
    "MAP": _map,
    "ROW": _row,
    "INFINITY": _not_finite,
    "NAN": _not_finite,
}


def _refuse(reader: TokenReader) -> NoReturn:
    raise UnsupportedError(
        NOT_LITERAL,
        hint="Such as 1, 1.5, 'text', DATE '2020-01-01', ARRAY[1, 2], CAST(NULL AS varchar).",
        position=position_at(reader.text, reader.offset),
    )


def _bad(reader: TokenReader, text: str, kind: str, offset: int) -> NoReturn:
    raise CastError(f"'{text}' is not a valid {kind}.", position=position_at(reader.text, offset))
