"""Replace Teradata's `to_char`, `to_date`, `to_timestamp` and `char2hexint`: Spark has functions of some of these names
with other formats.
"""

from __future__ import annotations

import re

from sqlglot import exp

from sqe.errors import DataError, UnsupportedError
from sqe.sql.trino.rules.rule import CallRewrite, analyzed, call, function_rule, needs, text_of

_PARTS = {
    "yyyy": "yyyy",
    "yy": "yy",
    "mm": "MM",
    "dd": "dd",
    "hh24": "HH",
    "hh": "KK",
    "mi": "mm",
    "ss": "ss",
}
_TOKEN = re.compile(r"yyyy|yy|mm|dd|hh24|hh|mi|ss|[-/,.;:\s]")


def _pattern(node: exp.Anonymous, *, reads: bool) -> exp.Expr:
    """Return the format as `format_datetime` has it."""
    written = text_of(node.expressions[1])
    if written is None:
        raise UnsupportedError(f"The format of {node.name.lower()} must be written as text.")
    parts: list[str] = []
    at = 0
    while at < len(written):
        found = _TOKEN.match(written, at)
        if found is None:
            raise DataError(f"Failed to tokenize string [{written}] at offset [{at}]")
        part = found.group()
        if reads and part == "yy":
            raise UnsupportedError(f"The format {part} of {node.name.lower()} is not supported.")
        parts.append(_PARTS.get(part, part))
        at = found.end()
    return exp.Literal.string("".join(parts))


def _to_char(node: exp.Anonymous) -> exp.Expr | None:
    if len(node.expressions) != 2:  # not Trino's
        return None
    return analyzed("format_datetime", node.expressions[0], _pattern(node, reads=False))


def _read(kind: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr | None:
        if len(node.expressions) != 2:  # not Trino's
            return None
        read = analyzed("parse_datetime", node.expressions[0], _pattern(node, reads=True))
        return analyzed("cast", read, kind)

    return rewrite


def _char2hexint(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    text = analyzed("coerced", node.expressions[0], "varchar", "Argument of char2hexint")
    return call("hex", call("encode", text, "UTF-16BE"))


RULE = function_rule(
    __name__,
    __doc__,
    {
        "char2hexint": _char2hexint,
        "to_char": _to_char,
        "to_date": _read("date"),
        "to_timestamp": _read("timestamp(3)"),
    },
)
