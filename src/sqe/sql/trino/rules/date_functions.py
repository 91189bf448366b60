"""Translate arithmetic with dates: `date_add` keeps the type of its argument, and so does `date_trunc` where the text
shows that type.

`date_trunc` of a column returns Spark's TIMESTAMP for every type of column.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.known_types import known_type
from sqe.sql.trino.rules.rule import call, function_rule, needs, text_of, wrapped

_UNITS = frozenset(
    {"millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "microsecond"}
)
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def _unit(node: exp.Anonymous) -> str:
    unit = text_of(node.expressions[0])
    if unit is None or unit.lower() not in _UNITS:
        raise UnsupportedError(
            f"The unit of {node.name.lower()} must be one of {', '.join(sorted(_UNITS))}, written as text."
        )
    return unit.lower()


def _interval(amount: str, unit: str) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(amount), unit=exp.var(unit.upper()))


def _date_add(node: exp.Anonymous) -> exp.Expr:
    needs(node, 3)
    unit, (_, amount, value) = _unit(node), node.expressions
    negative = isinstance(amount, exp.Neg)
    number = amount.this if negative else amount
    if unit == "quarter":
        step = _interval("3", "month")
    elif unit == "week":
        step = _interval("7", "day")
    elif unit == "millisecond":
        step = _interval("0.001", "second")
    elif unit == "microsecond":
        step = _interval("0.000001", "second")
    else:
        step = _interval("1", unit)
    if isinstance(number, exp.Literal) and not number.is_string and step.this.name == "1":
        distance: exp.Expr = _interval(number.name, unit)
    else:
        distance = exp.Mul(this=wrapped(number), expression=step)
        if unit in ("day", "week"):
            # An interval of whole days keeps a date a date.
            distance = exp.Cast(this=distance, to=exp.DataType(this=exp.Interval(unit=exp.var("DAY"))))
    operation = exp.Sub if negative else exp.Add
    return exp.Paren(this=operation(this=wrapped(value), expression=distance))


def _date_diff(node: exp.Anonymous) -> exp.Expr:
    needs(node, 3)
    unit, (_, start, end) = _unit(node), node.expressions
    return call("timestampdiff", exp.var(unit.upper()), start, end)


def _date_trunc(node: exp.Anonymous) -> exp.Expr | None:
    needs(node, 2)
    unit, (_, value) = _unit(node), node.expressions
    kind = known_type(value)
    if kind is exp.DType.TIMESTAMP:
        return exp.cast(call("date_trunc", *node.expressions), exp.DType.TIMESTAMP)
    if kind is exp.DType.DATE:
        return exp.cast(call("date_trunc", unit, value), exp.DType.DATE)
    return None


def _from_unixtime(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1, 2)  # the zone only affects how the value is displayed
    return call("timestamp_seconds", node.expressions[0])


def _to_unixtime(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    micros = call("unix_micros", exp.cast(node.expressions[0], exp.DType.TIMESTAMPTZ))
    return exp.Paren(this=exp.Div(this=micros, expression=exp.Literal.number("1e6")))


def _last_day(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("last_day", node.expressions[0])


def _iso_date(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return exp.cast(node.expressions[0], exp.DType.DATE)


def _iso_timestamp(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return exp.cast(node.expressions[0], exp.DType.TIMESTAMPTZ)


RULE = function_rule(
    __name__,
    __doc__,
    {
        "date_add": _date_add,
        "date_diff": _date_diff,
        "date_trunc": _date_trunc,
        "from_iso8601_date": _iso_date,
        "from_iso8601_timestamp": _iso_timestamp,
        "from_unixtime": _from_unixtime,
        "last_day_of_month": _last_day,
        "to_unixtime": _to_unixtime,
    },
)
