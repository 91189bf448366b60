"""Read the text in which the functions of `sqe.spark.trino` declare Trino's type of a column.

A `timestamp with time zone`, also one in an array, map or row, may end with `@` and the zone of all its values, and
with `@?` when each has its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqe.sql.trino import types

TRINO_TYPE_KEY = b"__SQE_TRINO_TYPE"
OWN_ZONES = "?"  # each value has its own zone, which Spark's instants have lost

_TOKEN = re.compile(r'\s*("(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_]*|\d+|[(),])')
_WITH_ZONE = " with time zone"
_ZONE = re.compile(r"(?<= with time zone)@([^,)]+)")
_INTERVALS = {
    "interval day to second": types.INTERVAL_DAY_TO_SECOND,
    "interval year to month": types.INTERVAL_YEAR_TO_MONTH,
}
_PLAIN = {
    type_.name: type_
    for type_ in (
        types.BOOLEAN,
        types.TINYINT,
        types.SMALLINT,
        types.INTEGER,
        types.BIGINT,
        types.REAL,
        types.DOUBLE,
        types.VARBINARY,
        types.DATE,
        types.UNKNOWN,
        types.JSON,
        types.UUID,
        types.IPADDRESS,
        types.COLOR,
        types.HYPER_LOG_LOG,
        types.P4_HYPER_LOG_LOG,
        types.SET_DIGEST,
        types.TDIGEST,
    )
}


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """Trino's type, and the zone in which all values of the column are shown; None: that of the session."""

    type: types.TrinoType
    zone: str | None = None


def declared_type(metadata: Mapping[bytes, bytes] | None) -> DeclaredType | None:
    """Return the type in a column's metadata; None when there is none that can be read."""
    text = (metadata or {}).get(TRINO_TYPE_KEY)
    return _declared(text.decode()) if text else None


@lru_cache(maxsize=1024)
def _declared(text: str) -> DeclaredType | None:
    zones = set(_ZONE.findall(text))
    written, zone = _ZONE.sub("", text), zones.pop() if len(zones) == 1 else None
    try:
        reader = _Reader(written)
        found = reader.type()
        return DeclaredType(found, zone) if reader.at_end() else None
    except (ValueError, IndexError, KeyError):
        return None


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._place = 0

    def at_end(self) -> bool:
        return self._place >= len(self._text)

    def type(self) -> types.TrinoType:
        for text, interval in _INTERVALS.items():
            if self._text.startswith(text, self._place):
                self._place += len(text)
                return interval
        name = self._next()
        arguments: list[int | types.TrinoType | tuple[str, types.TrinoType]] = []
        if self._peek() == "(":
            self._next()
            arguments.append(self._argument(len(arguments)))
            while self._next() == ",":
                arguments.append(self._argument(len(arguments)))
        zoned = self._text.startswith(_WITH_ZONE, self._place)
        if zoned:
            self._place += len(_WITH_ZONE)
        return _made(name + (_WITH_ZONE if zoned else ""), arguments)

    def _argument(self, place: int) -> int | types.TrinoType | tuple[str, types.TrinoType]:
        following = self._peek()
        if following.isdigit():
            return int(self._next())
        if following.startswith('"'):
            name = self._next()[1:-1].replace('""', '"')
            return name, self.type()
        return self.type()

    def _peek(self) -> str:
        match = _TOKEN.match(self._text, self._place)
        return match[1] if match else ""

    def _next(self) -> str:
        match = _TOKEN.match(self._text, self._place)
        if match is None:
            raise ValueError(self._text)
        self._place = match.end()
        return match[1]


def _made(name: str, arguments: list[int | types.TrinoType | tuple[str, types.TrinoType]]) -> types.TrinoType:
    numbers = [item for item in arguments if isinstance(item, int)]
    inner = [item for item in arguments if isinstance(item, types.TrinoType)]
    match name:
        case "int":
            return types.INTEGER
        case "varchar":
            return types.varchar(numbers[0]) if numbers else types.VARCHAR
        case "char":
            return types.char(numbers[0] if numbers else 1)
        case "decimal":
            return types.decimal(numbers[0] if numbers else 38, numbers[1] if len(numbers) > 1 else 0)
        case "timestamp":
            return types.timestamp(numbers[0] if numbers else 3)
        case "timestamp with time zone":
            return types.timestamp_with_time_zone(numbers[0] if numbers else 3)
        case "time with time zone":
            return types.time_with_time_zone(numbers[0] if numbers else 3)
        case "time":
            return types.time(numbers[0] if numbers else 3)
        case "array":
            return types.array(inner[0])
        case "qdigest":
            return types.qdigest(inner[0])
        case "map":
            return types.map_(inner[0], inner[1])
        case "row":
            fields = [item if isinstance(item, tuple) else ("", item) for item in arguments]
            return types.row(
                *((field, type_) for field, type_ in fields if isinstance(type_, types.TrinoType))
            )
    return _PLAIN[name]
