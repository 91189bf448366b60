"""The type that constants in a column of VALUES have in common, where Spark would choose another one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DIGITS = {"tinyint": 3, "smallint": 5, "integer": 10, "bigint": 19}
_DECIMAL = re.compile(r"decimal\((\d+), ?(\d+)\)")
_TEXT = re.compile(r"(?:varchar|char)\((\d+)\)")
_TIMESTAMP = re.compile(r"timestamp\((\d+)\)")
_MOST_DIGITS = 38
_INTEGER = 2**31


def number_type(text: str) -> str | None:
    """Return Trino's type of a number as it is written.

    Example:
        >>> [number_type(text) for text in ("1", "3000000000", "2.50", "1e0")]
        ['integer', 'bigint', 'decimal(3, 2)', None]
    """
    if text.isdecimal():
        return "integer" if int(text) < _INTEGER else "bigint"
    if "e" in text.lower():
        return None
    whole, _, fraction = text.partition(".")
    digits = len(whole.lstrip("0")) + len(fraction)
    return f"decimal({max(digits, 1)}, {len(fraction)})"


def common_type(types: Sequence[str | None]) -> str | None:
    """Return the type of all of them; None: there is only one, Spark chooses the same, or it is not known here.

    Example:
        >>> common_type(["integer", "decimal(2, 1)", "bigint"])
        'decimal(20, 1)'
        >>> common_type(["varchar(3)", "char(2)"])
        'char(3)'
    """
    if len(set(types)) < 2:
        return None
    known = [each for each in types if each is not None]
    if len(known) != len(types):
        return None
    return _decimal(known) or _char(known) or _timestamp(known)


def _decimal(types: Sequence[str]) -> str | None:
    whole = scale = 0
    decimals = 0
    for each in types:
        found = _DECIMAL.fullmatch(each)
        decimals += found is not None
        if found is None and each not in _DIGITS:
            return None
        precision, own = (int(found[1]), int(found[2])) if found is not None else (_DIGITS[each], 0)
        whole, scale = max(whole, precision - own), max(scale, own)
    # Spark counts twenty digits for a bigint.
    return f"decimal({min(whole + scale, _MOST_DIGITS)}, {scale})" if decimals and "bigint" in types else None


def _char(types: Sequence[str]) -> str | None:
    lengths = [_TEXT.fullmatch(each) for each in types]
    if not all(lengths) or not any(each.startswith("char") for each in types):
        return None
    return f"char({max(int(found[1]) for found in lengths if found is not None)})"


def _timestamp(types: Sequence[str]) -> str | None:
    digits = 0
    for each in types:
        found = _TIMESTAMP.fullmatch(each)
        if found is None and each != "date":
            return None
        digits = max(digits, int(found[1]) if found is not None else 0)
    return f"timestamp({digits})" if "date" in types else None
