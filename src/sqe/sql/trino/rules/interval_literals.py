"""Complete interval literals of several units: `INTERVAL '12 10' DAY TO SECOND` has no minutes and seconds, and Trino
takes more of a smaller unit than the next larger one has.
"""

from __future__ import annotations

import re
from decimal import Decimal

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule, text_of

_UNITS = ("DAY", "HOUR", "MINUTE", "SECOND")
_SECONDS = {"DAY": 86_400, "HOUR": 3_600, "MINUTE": 60, "SECOND": 1}
_MOST_SECONDS = (2**63 - 1) // 1_000_000  # Spark counts microseconds, and Trino milliseconds
_MONTHS = re.compile(r"(-?)(\d+)(?:-(\d+))?")


def interval_literals(node: exp.Expr, _context: Context) -> exp.Expr | None:
    span, text = node.args.get("unit"), text_of(node.this) if node.this else None
    if not isinstance(span, exp.IntervalSpan) or text is None:
        return None
    first, last = span.this.name.upper(), span.expression.name.upper()
    made = None
    if (first, last) == ("YEAR", "MONTH"):
        made = _months(text)
    elif first in _UNITS and last in _UNITS and _UNITS.index(first) < _UNITS.index(last):
        made = _time(text, _UNITS[_UNITS.index(first) : _UNITS.index(last) + 1])
        first, last = "DAY", "SECOND"
    if made is None:
        return None  # Spark says what is wrong with it
    unit = exp.IntervalSpan(this=exp.var(first), expression=exp.var(last))
    return exp.Interval(this=exp.Literal.string(made), unit=unit)


def _months(text: str) -> str | None:
    found = _MONTHS.fullmatch(text)
    if found is None:
        return None
    months = int(found[2]) * 12 + int(found[3] or 0)
    return f"{found[1]}{months // 12}-{months % 12}"


def _time(text: str, units: tuple[str, ...]) -> str | None:
    pattern = ""
    for unit in reversed(units):
        number = r"(\d+(?:\.\d{1,3})?)" if unit == "SECOND" else r"(\d+)"
        before = "" if unit == units[0] else " " if unit == "HOUR" else ":"
        pattern = number + pattern if not before else f"(?:{before}{number}{pattern})?"
    found = re.fullmatch("(-?)" + pattern, text)
    if found is None:
        return None
    values = [Decimal(group or 0) for group in found.groups()[1:]]
    total = sum((value * _SECONDS[unit] for value, unit in zip(values, units, strict=True)), Decimal(0))
    millis = int(total * 1000)
    seconds, fraction = divmod(millis, 1000)
    if seconds >= _MOST_SECONDS:
        raise UnsupportedError(f"An interval of more than {_MOST_SECONDS // 86_400} days is not supported.")
    clock = f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{fraction:03d}"
    return f"{found[1]}{seconds // 86_400} {clock}"


RULE = node_rule(__name__, __doc__, interval_literals, exp.Interval)
