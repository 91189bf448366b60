"""Map Arrow types to Trino's: name, text, signature, and what JDBC reports of a column of that type.

Decisions where Trino and Spark differ:

- Spark's TIMESTAMP is an instant, so it is `timestamp(6) with time zone`; TIMESTAMP_NTZ is `timestamp(6)`.
- VARIANT is `json`. Every client takes it as text, and it says more than `varchar`; Trino's own `variant` is known to
  few clients.
- GEOMETRY and GEOGRAPHY are rows of `srid` and `wkb`, as Spark sends them: Trino's own types hold no reference system.
- Spark's old interval of months, days and time has no counterpart and is `varchar`.
- Unsigned integers, which Spark does not have, take the next wider type, but none wider than `bigint`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.model.months import MONTHS_EXTENSION
from sqe.sql.quote import trino_name

UNBOUNDED = 2**31 - 1  # the length of a varchar that has none
CHAR_VARCHAR_KEY = (
    b"__CHAR_VARCHAR_TYPE_STRING"  # where Spark keeps `char(n)` and `varchar(n)` of a string column
)

# java.sql.Types
_BOOLEAN, _TINYINT, _SMALLINT, _INTEGER, _BIGINT, _REAL, _DOUBLE = 16, -6, 5, 4, -5, 7, 8
_DECIMAL, _CHAR, _VARCHAR, _VARBINARY, _DATE, _TIME, _TIMESTAMP = 3, 1, 12, -3, 91, 92, 93
_ARRAY, _TIME_WITH_TIMEZONE, _TIMESTAMP_WITH_TIMEZONE, _JAVA_OBJECT = 2003, 2013, 2014, 2000

_LONGEST_ZONE = 32  # America/Argentina/ComodRivadavia
_DECIMAL_DIGITS = 38
_FRACTION_DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}
_BOUNDED = re.compile(rb"(char|varchar)\((\d+)\)", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class TrinoType:
    """A type of Trino."""

    name: str  # without parameters, such as "timestamp with time zone"
    text: str  # as SQL has it, such as "timestamp(6) with time zone"
    arguments: tuple[
        int | TrinoType | tuple[str | None, TrinoType], ...
    ] = ()  # numbers, types, or a row's fields
    jdbc_type: int = _JAVA_OBJECT  # of java.sql.Types
    precision: int | None = None  # JDBC's COLUMN_SIZE: digits, bits of a float, or most characters
    scale: int | None = None  # JDBC's DECIMAL_DIGITS: digits of the fraction, of a second's too
    radix: int | None = None  # JDBC's NUM_PREC_RADIX: of a number's precision
    octets: int | None = None  # JDBC's CHAR_OCTET_LENGTH: of text and bytes

    @property
    def signature(self) -> dict[str, Any]:
        """The `typeSignature` of Trino's protocol."""
        return {"rawType": self.name, "arguments": [_argument(argument) for argument in self.arguments]}


def _argument(argument: int | TrinoType | tuple[str | None, TrinoType]) -> dict[str, Any]:
    if isinstance(argument, int):
        return {"kind": "LONG", "value": argument}
    if isinstance(argument, TrinoType):
        return {"kind": "TYPE", "value": argument.signature}
    name, type_ = argument
    value: dict[str, Any] = {"typeSignature": type_.signature}
    if name:
        value["fieldName"] = {"name": name}
    return {"kind": "NAMED_TYPE", "value": value}


def _number(name: str, jdbc_type: int, precision: int, radix: int = 10) -> TrinoType:
    return TrinoType(name, name, (), jdbc_type, precision, radix=radix)


BOOLEAN = TrinoType("boolean", "boolean", (), _BOOLEAN)
TINYINT = _number("tinyint", _TINYINT, 3)
SMALLINT = _number("smallint", _SMALLINT, 5)
INTEGER = _number("integer", _INTEGER, 10)
BIGINT = _number("bigint", _BIGINT, 19)
REAL = _number("real", _REAL, 24, radix=2)
DOUBLE = _number("double", _DOUBLE, 53, radix=2)
VARCHAR = TrinoType("varchar", "varchar", (UNBOUNDED,), _VARCHAR, UNBOUNDED, octets=UNBOUNDED)
VARBINARY = TrinoType("varbinary", "varbinary", (), _VARBINARY, UNBOUNDED, octets=UNBOUNDED)
DATE = TrinoType("date", "date", (), _DATE, 14)  # the last one is +5881580-07-11
UNKNOWN = TrinoType("unknown", "unknown")
JSON = TrinoType("json", "json")
UUID = TrinoType("uuid", "uuid")
IPADDRESS = TrinoType("ipaddress", "ipaddress")
COLOR = TrinoType("color", "color")
HYPER_LOG_LOG = TrinoType("HyperLogLog", "HyperLogLog")
P4_HYPER_LOG_LOG = TrinoType("P4HyperLogLog", "P4HyperLogLog")
SET_DIGEST = TrinoType("SetDigest", "SetDigest")
TDIGEST = TrinoType("tdigest", "tdigest")
INTERVAL_DAY_TO_SECOND = TrinoType("interval day to second", "interval day to second")
INTERVAL_YEAR_TO_MONTH = TrinoType("interval year to month", "interval year to month")

_SCALARS: dict[pa.DataType, TrinoType] = {
    pa.null(): UNKNOWN,
    pa.bool_(): BOOLEAN,
    pa.int8(): TINYINT,
    pa.int16(): SMALLINT,
    pa.int32(): INTEGER,
    pa.int64(): BIGINT,
    pa.uint8(): SMALLINT,
    pa.uint16(): INTEGER,
    pa.uint32(): BIGINT,
    pa.uint64(): BIGINT,
    pa.float16(): REAL,
    pa.float32(): REAL,
    pa.float64(): DOUBLE,
    pa.string(): VARCHAR,
    pa.large_string(): VARCHAR,
    pa.string_view(): VARCHAR,
    pa.binary(): VARBINARY,
    pa.large_binary(): VARBINARY,
    pa.binary_view(): VARBINARY,
    pa.date32(): DATE,
    pa.date64(): DATE,
    pa.month_day_nano_interval(): VARCHAR,
}


def char(length: int) -> TrinoType:
    return TrinoType("char", f"char({length})", (length,), _CHAR, length, octets=length)


def varchar(length: int) -> TrinoType:
    return TrinoType("varchar", f"varchar({length})", (length,), _VARCHAR, length, octets=length)


def qdigest(of: TrinoType) -> TrinoType:
    return TrinoType("qdigest", f"qdigest({of.text})", (of,))


def decimal(precision: int, scale: int) -> TrinoType:
    text = f"decimal({precision},{scale})"
    return TrinoType("decimal", text, (precision, scale), _DECIMAL, precision, scale, radix=10)


def time(digits: int) -> TrinoType:
    # HH:MM:SS, and a point if anything follows
    return TrinoType("time", f"time({digits})", (digits,), _TIME, 8 + min(digits, 1) + digits, digits)


def time_with_time_zone(digits: int) -> TrinoType:
    # as above, and +HH:MM
    size = 8 + min(digits, 1) + digits + 6
    text = f"time({digits}) with time zone"
    return TrinoType("time with time zone", text, (digits,), _TIME_WITH_TIMEZONE, size, digits)


def timestamp(digits: int) -> TrinoType:
    # a sign, five digits of a year, -MM-DD HH:MM:SS, and a point if anything follows
    size = 1 + 5 + 15 + min(digits, 1) + digits
    return TrinoType("timestamp", f"timestamp({digits})", (digits,), _TIMESTAMP, size, digits)


def timestamp_with_time_zone(digits: int) -> TrinoType:
    # as above with one digit more in the year, a space, and a zone
    size = 1 + 6 + 15 + min(digits, 1) + digits + 1 + _LONGEST_ZONE
    text = f"timestamp({digits}) with time zone"
    return TrinoType("timestamp with time zone", text, (digits,), _TIMESTAMP_WITH_TIMEZONE, size, digits)


def array(element: TrinoType) -> TrinoType:
    return TrinoType("array", f"array({element.text})", (element,), _ARRAY)


def map_(key: TrinoType, value: TrinoType) -> TrinoType:
    return TrinoType("map", f"map({key.text}, {value.text})", (key, value))


def row(*fields: tuple[str | None, TrinoType]) -> TrinoType:
    """Return a row's type. Fields that are called `field0`, `field1` and so on have no names in Trino."""
    if fields and all(name == f"field{number}" for number, (name, _) in enumerate(fields)):
        unnamed: tuple[tuple[str | None, TrinoType], ...] = tuple((None, type_) for _, type_ in fields)
        return TrinoType("row", f"row({', '.join(type_.text for _, type_ in fields)})", unnamed)
    texts = (f"{_field_name(name)} {type_.text}" if name else type_.text for name, type_ in fields)
    return TrinoType("row", f"row({', '.join(texts)})", fields)


def _field_name(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else trino_name(name)


def trino_type(
    arrow: pa.DataType, metadata: Mapping[bytes, bytes] | None = None, *, parametric_datetime: bool = True
) -> TrinoType:
    """Return Trino's type for an Arrow type as Spark uses it; `metadata` is that of the field.

    A client that does not announce the capability PARAMETRIC_DATETIME knows times of three digits, whose types have no
    parameter: `parametric_datetime=False` is for such a one.

    Raises:
        UnsupportedError: Trino has nothing that could hold it.

    Example:
        >>> trino_type(pa.timestamp("us", tz="UTC")).text
        'timestamp(6) with time zone'
        >>> trino_type(pa.list_(pa.decimal128(10, 2))).text
        'array(decimal(10,2))'
    """
    from sqe.sql.trino.declared_type import declared_type  # which has the types from here

    declared = declared_type(metadata)
    if declared is not None and holds(arrow, declared.type):
        return declared.type if parametric_datetime else _short(declared.type)
    if isinstance(arrow, pa.BaseExtensionType):  # first, because some of them cannot be hashed
        if arrow.extension_name == MONTHS_EXTENSION:
            return INTERVAL_YEAR_TO_MONTH
        return trino_type(arrow.storage_type, metadata, parametric_datetime=parametric_datetime)
    if pa.types.is_dictionary(arrow):
        return trino_type(arrow.value_type, metadata, parametric_datetime=parametric_datetime)
    made = _scalar(arrow, metadata, parametric_datetime) or _nested(arrow, parametric_datetime)
    if made is None:
        raise UnsupportedError(
            f"Trino has no type for a column of type {arrow}.",
            hint="Cast the column to another type, such as VARCHAR.",
        )
    return made


def _scalar(
    arrow: pa.DataType, metadata: Mapping[bytes, bytes] | None, parametric_datetime: bool
) -> TrinoType | None:
    if arrow.id == pa.lib.Type_INTERVAL_MONTHS:
        return INTERVAL_YEAR_TO_MONTH
    if arrow in _SCALARS:
        return _bounded(metadata) or VARCHAR if _SCALARS[arrow] is VARCHAR else _SCALARS[arrow]
    if pa.types.is_decimal(arrow) and arrow.precision <= _DECIMAL_DIGITS:
        return decimal(arrow.precision, arrow.scale)
    if pa.types.is_timestamp(arrow):
        made = timestamp_with_time_zone if arrow.tz else timestamp
        return _with_digits(made, arrow.unit, parametric_datetime)
    if pa.types.is_time(arrow):
        return _with_digits(time, arrow.unit, parametric_datetime)
    if pa.types.is_duration(arrow):
        return INTERVAL_DAY_TO_SECOND
    if pa.types.is_fixed_size_binary(arrow):
        return VARBINARY
    return None


def _nested(arrow: pa.DataType, parametric_datetime: bool) -> TrinoType | None:
    def inner(field: pa.Field) -> TrinoType:
        return trino_type(field.type, field.metadata, parametric_datetime=parametric_datetime)

    if is_variant(arrow):
        return JSON
    if pa.types.is_struct(arrow):
        return row(*((field.name, inner(field)) for field in arrow))
    if pa.types.is_map(arrow):
        return map_(inner(arrow.key_field), inner(arrow.item_field))
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow) or pa.types.is_fixed_size_list(arrow):
        return array(inner(arrow.value_field))
    return None


def is_variant(arrow: pa.DataType) -> bool:
    """Whether a struct is one of Spark's VARIANT values, which it marks in the field `metadata`."""
    if not pa.types.is_struct(arrow) or {field.name for field in arrow} != {"value", "metadata"}:
        return False
    marks = arrow.field("metadata").metadata or {}
    return bool(marks.get(b"variant") == b"true")


def _bounded(metadata: Mapping[bytes, bytes] | None) -> TrinoType | None:
    declared = _BOUNDED.fullmatch((metadata or {}).get(CHAR_VARCHAR_KEY, b"").strip())
    if declared is None:
        return None
    made = char if declared[1].lower() == b"char" else varchar
    return made(int(declared[2]))


def holds(arrow: pa.DataType, type_: TrinoType) -> bool:
    """Whether values of an Arrow type are what the client expects of a declared type."""
    match type_.name:
        case "varchar" | "char" | "json" | "uuid" | "ipaddress":
            return _SCALARS.get(arrow) is VARCHAR
        case "HyperLogLog" | "P4HyperLogLog" | "SetDigest" | "tdigest" | "qdigest":
            return _SCALARS.get(arrow) is VARBINARY
        case "color":
            return _SCALARS.get(arrow) is BIGINT
        # Times that only Trino has are text: `engine/wide_times.py`.
        case "timestamp":
            return _is_wide(arrow, type_) or bool(pa.types.is_timestamp(arrow) and arrow.tz is None)
        case "timestamp with time zone":
            return _is_wide(arrow, type_) or bool(pa.types.is_timestamp(arrow) and arrow.tz is not None)
        case "time":
            return _is_wide(arrow, type_) or bool(pa.types.is_time(arrow))
        case "time with time zone":
            return _is_wide(arrow, type_)
    inner = [argument for argument in type_.arguments if not isinstance(argument, int)]
    types = [argument[1] if isinstance(argument, tuple) else argument for argument in inner]
    if type_.name == "array" and (pa.types.is_list(arrow) or pa.types.is_large_list(arrow)):
        return holds(arrow.value_type, types[0])
    if type_.name == "map" and pa.types.is_map(arrow):
        return holds(arrow.key_type, types[0]) and holds(arrow.item_type, types[1])
    if type_.name == "row" and pa.types.is_struct(arrow) and arrow.num_fields == len(types):
        return all(holds(field.type, part) for field, part in zip(arrow, types, strict=True))
    return type_.name not in ("array", "map", "row") and trino_type(arrow).name == type_.name


def _is_wide(arrow: pa.DataType, type_: TrinoType) -> bool:
    digits = type_.arguments[0] if type_.arguments else 3
    many = isinstance(digits, int) and digits > _FRACTION_DIGITS["us"]
    return bool(pa.types.is_string(arrow)) and (many or type_.name.endswith(" with time zone"))


def _short(type_: TrinoType) -> TrinoType:
    """Return the type without the digits of a second, for a client that knows three of them."""
    if type_.name in ("timestamp", "timestamp with time zone", "time", "time with time zone"):
        return TrinoType(type_.name, type_.name, (), type_.jdbc_type, type_.precision, type_.scale)
    if type_.name == "array":
        return array(*(_short(part) for part in type_.arguments if isinstance(part, TrinoType)))
    if type_.name == "map":
        return map_(*(_short(part) for part in type_.arguments if isinstance(part, TrinoType)))
    if type_.name == "row":
        return row(*((part[0], _short(part[1])) for part in type_.arguments if isinstance(part, tuple)))
    return type_


def _with_digits(made: Callable[[int], TrinoType], unit: str, parametric_datetime: bool) -> TrinoType:
    if parametric_datetime:
        return made(_FRACTION_DIGITS[unit])
    short = made(3)
    return TrinoType(short.name, short.name, (), short.jdbc_type, short.precision, short.scale)
