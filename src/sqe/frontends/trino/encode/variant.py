"""Decode Spark's VARIANT, whose format Parquet specifies, to JSON.

A value is bytes and a dictionary of its field names. Arrow has no kernel for it, so that it is decoded one value at a
time.
"""

from __future__ import annotations

import base64
import json
import math
import struct
import uuid
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import pyarrow as pa

from sqe.errors import DataError
from sqe.frontends.trino.encode.fragment import TEXT

_EPOCH = date(1970, 1, 1)
_MICROS_PER_DAY = 86_400_000_000


def variant_texts(array: pa.Array) -> pa.Array:
    """Decode to large_string; nulls stay. Raises DataError."""
    values = array.field("value").to_pylist()
    dictionaries = array.field("metadata").to_pylist()
    valid = array.is_valid().to_pylist()
    return pa.array(
        [
            _text(value, dictionary) if there and value is not None else None
            for value, dictionary, there in zip(values, dictionaries, valid, strict=True)
        ],
        TEXT,
    )


def _text(value: bytes, dictionary: bytes) -> str:
    try:
        return _Reader(value, _names(dictionary)).text(0)
    except (IndexError, KeyError, ValueError, OverflowError, RecursionError, struct.error) as error:
        raise DataError("A VARIANT value is not valid.", detail=repr(error)) from None


def _unsigned(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _names(data: bytes) -> list[str]:
    size = (data[0] >> 6) + 1
    count = _unsigned(data, 1, size)
    starts = [_unsigned(data, 1 + size + size * number, size) for number in range(count + 1)]
    begin = 1 + size * (count + 2)
    return [data[begin + start : begin + end].decode() for start, end in pairwise(starts)]


class _Reader:
    def __init__(self, data: bytes, names: list[str]) -> None:
        self._data = data
        self._names = names

    def text(self, at: int) -> str:
        kind, header = self._data[at] & 3, self._data[at] >> 2
        if kind == 0:
            return _PRIMITIVES[header](self._data, at + 1)
        if kind == 1:
            return _string(self._data[at + 1 : at + 1 + header])
        return self._object(header, at + 1) if kind == 2 else self._array(header, at + 1)

    def _object(self, header: int, at: int) -> str:
        offset_size, id_size = (header & 3) + 1, (header >> 2 & 3) + 1
        count_size = 4 if header >> 4 & 1 else 1
        count = _unsigned(self._data, at, count_size)
        ids = at + count_size
        offsets = ids + count * id_size
        values = offsets + (count + 1) * offset_size
        fields = []
        for number in range(count):
            name = self._names[_unsigned(self._data, ids + number * id_size, id_size)]
            start = _unsigned(self._data, offsets + number * offset_size, offset_size)
            fields.append(f"{_string(name.encode())}:{self.text(values + start)}")
        return "{" + ",".join(fields) + "}"

    def _array(self, header: int, at: int) -> str:
        offset_size = (header & 3) + 1
        count_size = 4 if header >> 2 & 1 else 1
        count = _unsigned(self._data, at, count_size)
        offsets = at + count_size
        values = offsets + (count + 1) * offset_size
        starts = [
            _unsigned(self._data, offsets + number * offset_size, offset_size) for number in range(count)
        ]
        return "[" + ",".join(self.text(values + start) for start in starts) + "]"


def _string(data: bytes) -> str:
    return json.dumps(data.decode("utf-8", "replace"), ensure_ascii=False)


def _integer(size: int) -> Callable[[bytes, int], str]:
    return lambda data, at: str(int.from_bytes(data[at : at + size], "little", signed=True))


def _decimal(size: int) -> Callable[[bytes, int], str]:
    def read(data: bytes, at: int) -> str:
        unscaled = int.from_bytes(data[at + 1 : at + 1 + size], "little", signed=True)
        return format(Decimal(unscaled).scaleb(-data[at]), "f")

    return read


def _float(code: str) -> Callable[[bytes, int], str]:
    def read(data: bytes, at: int) -> str:
        [number] = struct.unpack_from(code, data, at)
        if math.isfinite(number):
            return repr(number) if code == "<d" else f"{number:.9g}"
        return '"NaN"' if math.isnan(number) else '"Infinity"' if number > 0 else '"-Infinity"'

    return read


def _date(data: bytes, at: int) -> str:
    return f'"{_EPOCH + timedelta(days=struct.unpack_from("<i", data, at)[0])}"'


def _timestamp(per_micro: int, ending: str) -> Callable[[bytes, int], str]:
    def read(data: bytes, at: int) -> str:
        ticks = struct.unpack_from("<q", data, at)[0]
        days, rest = divmod(ticks // per_micro, _MICROS_PER_DAY)
        return f'"{_EPOCH + timedelta(days=days)} {_clock(rest)}{ending}"'

    return read


def _clock(micros: int) -> str:
    seconds, fraction = divmod(micros, 1_000_000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{fraction:06d}"


def _long_binary(data: bytes, at: int) -> str:
    size = _unsigned(data, at, 4)
    return f'"{base64.b64encode(data[at + 4 : at + 4 + size]).decode()}"'


_PRIMITIVES: dict[int, Callable[[bytes, int], str]] = {
    0: lambda data, at: "null",
    1: lambda data, at: "true",
    2: lambda data, at: "false",
    3: _integer(1),
    4: _integer(2),
    5: _integer(4),
    6: _integer(8),
    7: _float("<d"),
    8: _decimal(4),
    9: _decimal(8),
    10: _decimal(16),
    11: _date,
    12: _timestamp(1, "+00:00"),
    13: _timestamp(1, ""),
    14: _float("<f"),
    15: _long_binary,
    16: lambda data, at: _string(data[at + 4 : at + 4 + _unsigned(data, at, 4)]),
    17: lambda data, at: f'"{_clock(struct.unpack_from("<q", data, at)[0])}"',
    18: _timestamp(1000, "+00:00"),
    19: _timestamp(1000, ""),
    20: lambda data, at: f'"{uuid.UUID(bytes=data[at : at + 16])}"',
}
