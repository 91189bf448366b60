"""Sizes, durations and secrets: values that parse and print themselves."""

from __future__ import annotations

import hmac
import re
from decimal import Decimal
from typing import Any, Self

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

REDACTED = "***"

# Decimal units count in 1000, binary units in 1024 (IEC 80000-13). Java's "2g" does not say which: refused.
_SIZE_UNITS = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
_SIZE_FACTORS = {unit.lower(): factor for unit, factor in _SIZE_UNITS.items()}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]+)")

# In microseconds, so that sums stay whole numbers.
_DURATION_UNITS = {"d": 86_400_000_000, "h": 3_600_000_000, "min": 60_000_000, "s": 1_000_000, "ms": 1_000}
_DURATION_FACTORS = {**_DURATION_UNITS, "m": _DURATION_UNITS["min"]}
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|min|d|h|m|s)(?![A-Za-z])\s*")

SIZE_HELP = 'a size with its unit, such as "512MB" (512 * 1000^2 bytes) or "2GiB" (2 * 1024^3 bytes)'
DURATION_HELP = 'a duration with its unit, such as "500ms", "30s", "15min" or "1h30m"'


def _quantity_schema(kind: type[Size | Duration], help_text: str) -> core_schema.CoreSchema:
    """Return pydantic's schema. A bare number in a file says nothing about its unit, and is not taken."""

    def validate(value: object) -> Size | Duration:
        if isinstance(value, kind):
            return value
        if not isinstance(value, str):
            raise ValueError(f"is not {help_text}")  # noqa: TRY004  # pydantic collects only ValueErrors
        return kind(value)

    return core_schema.no_info_plain_validator_function(validate)


class Size(int):
    """A number of bytes, made from "512MB" or a number. It prints as text; `int()` gives the bytes."""

    def __new__(cls, value: str | int) -> Self:
        return super().__new__(cls, _parse_size(value) if isinstance(value, str) else value)

    def __str__(self) -> str:
        exact = {unit: int(self) // factor for unit, factor in _SIZE_UNITS.items() if int(self) % factor == 0}
        unit = min(exact, key=lambda name: abs(exact[name])) if self else "B"
        return f"{exact[unit]}{unit}"

    def __repr__(self) -> str:
        return f"Size({str(self)!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        return _quantity_schema(cls, SIZE_HELP)


class Duration(float):
    """A number of seconds, made from "1h30m" or a number. It prints as text; `float()` gives the seconds."""

    def __new__(cls, value: str | float) -> Self:
        return super().__new__(cls, _parse_duration(value) if isinstance(value, str) else value)

    def __str__(self) -> str:
        rest = round(float(self) * 1_000_000)
        parts = []
        for unit, factor in _DURATION_UNITS.items():
            count, rest = divmod(rest, factor)
            if count:
                parts.append(f"{count}{unit}")
        if rest:  # less than a millisecond is left: say it in seconds instead of losing it
            return f"{float(self):f}".rstrip("0") + "s"
        return "".join(parts) or "0s"

    def __repr__(self) -> str:
        return f"Duration({str(self)!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        return _quantity_schema(cls, DURATION_HELP)


class Secret:
    """A text that str(), repr(), f-strings and pickling do not reveal."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        if not value:
            raise ValueError("is empty")
        if value == REDACTED:
            raise ValueError("is the mark that stands for a hidden secret, not a secret")
        self._value = value

    def reveal(self) -> str:
        """Return the text itself; call this only where the secret is used."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({REDACTED!r})"

    def __str__(self) -> str:
        return REDACTED

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __reduce__(self) -> str:
        raise TypeError("A Secret cannot be pickled.")

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(cls._validate)

    @classmethod
    def _validate(cls, value: object) -> Secret:
        if isinstance(value, Secret):
            return value
        if not isinstance(value, str):
            raise ValueError("is not text")  # noqa: TRY004  # as above
        return cls(value)


def _parse_size(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    factor = _SIZE_FACTORS.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(f"is not {SIZE_HELP}")
    size = Decimal(match[1]) * factor
    if size != int(size):
        raise ValueError("is not a whole number of bytes")
    return int(size)


def _parse_duration(text: str) -> float:
    text = text.strip()
    total, end, smallest = Decimal(0), 0, None
    while end < len(text):
        part = _DURATION_PART.match(text, end)
        factor = _DURATION_FACTORS[part[2]] if part else None
        # The units must fall, so that "30s1h" or "1h1h" is taken for the slip that it is.
        if part is None or factor is None or (smallest is not None and factor >= smallest):
            raise ValueError(f"is not {DURATION_HELP}")
        total += Decimal(part[1]) * factor
        end, smallest = part.end(), factor
    if smallest is None:
        raise ValueError(f"is not {DURATION_HELP}")
    return float(total / 1_000_000)
