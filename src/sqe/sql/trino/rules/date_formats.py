"""Translate date formats to Java's, which Spark uses: `date_format` and `date_parse` have MySQL's letters,
`format_datetime` and `parse_datetime` Joda's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import call, function_rule, needs, text_of

_MYSQL: Mapping[str, str] = {
    "a": "E",
    "b": "MMM",
    "c": "M",
    "d": "dd",
    "e": "d",
    "f": "SSSSSS",
    "H": "HH",
    "h": "hh",
    "I": "hh",
    "i": "mm",
    "j": "DDD",
    "k": "H",
    "l": "h",
    "M": "MMMM",
    "m": "MM",
    "p": "a",
    "r": "hh:mm:ss a",
    "S": "ss",
    "s": "ss",
    "T": "HH:mm:ss",
    "W": "EEEE",
    "Y": "yyyy",
    "y": "yy",
    "%": "%",
}
_JODA: Mapping[str, str] = {
    "y": "y",
    "Y": "y",
    "M": "M",
    "d": "d",
    "D": "D",
    "H": "H",
    "h": "h",
    "k": "k",
    "K": "K",
    "m": "m",
    "s": "s",
    "S": "S",
    "a": "a",
    "E": "E",
}
_ZONES: Mapping[str, str] = {"Z": "xx", "ZZ": "xxx", "ZZZ": "VV"}
_JODA_PART = re.compile(r"'(?:[^']|'')*'|([A-Za-z])\1*|.", re.DOTALL)


def _java_from_mysql(pattern: str) -> str:
    parts: list[str] = []
    index = 0
    while index < len(pattern):
        letter = pattern[index]
        if letter == "%" and index + 1 < len(pattern):
            index += 1
            letter = pattern[index]
            if letter not in _MYSQL:
                raise UnsupportedError(f"The format %{letter} is not supported.")
            parts.append(_MYSQL[letter])
        else:
            parts.append(_plain(letter))
        index += 1
    return "".join(parts)


def _java_from_joda(pattern: str) -> str:
    parts: list[str] = []
    for match in _JODA_PART.finditer(pattern):
        part, letter = match.group(), match.group(1)
        if letter is None:
            parts.append(part if part[0] == "'" and len(part) > 1 else _plain(part))
        elif part in _ZONES:
            parts.append(_ZONES[part])
        elif letter in _JODA:
            parts.append(_JODA[letter] * (4 if part == "Y" else len(part)))
        else:
            raise UnsupportedError(f"The format {part} is not supported.")
    return "".join(parts)


def _plain(letter: str) -> str:
    """Quote a character that stands for itself: letters and some signs have a meaning in Java's formats."""
    if letter == "'":
        return "''"
    return f"'{letter}'" if letter.isalpha() or letter in "[]{}#" else letter


def _pattern(node: exp.Anonymous) -> str:
    needs(node, 2)
    pattern = text_of(node.expressions[1])
    if pattern is None:
        raise UnsupportedError(f"The format of {node.name.lower()} must be written as text.")
    return pattern


def _rewrite(function: str, to_java: Callable[[str], str]) -> Callable[[exp.Anonymous], exp.Expr]:
    """Return the rewrite to a function of Spark with the same pattern in Java's letters."""

    def rewrite(node: exp.Anonymous) -> exp.Expr:
        pattern = _pattern(node)
        return call(function, node.expressions[0], to_java(pattern))

    return rewrite


RULE = function_rule(
    __name__,
    __doc__,
    {
        "date_format": _rewrite("date_format", _java_from_mysql),
        "date_parse": _rewrite("to_timestamp_ntz", _java_from_mysql),
        "format_datetime": _rewrite("date_format", _java_from_joda),
        "parse_datetime": _rewrite("to_timestamp", _java_from_joda),
    },
)
