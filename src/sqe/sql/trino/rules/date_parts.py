"""Translate the parts of dates: weeks begin on Monday, which is day 1, and seconds are integers."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import CallRewrite, Context, Rule, call, needs, renamed

_FIELDS: Mapping[str, str] = {
    "DOW": "DOW_ISO",
    "DAY_OF_WEEK": "DOW_ISO",
    "DAY_OF_MONTH": "DAY",
    "DAY_OF_YEAR": "DOY",
    "YOW": "YEAROFWEEK",
    "YEAR_OF_WEEK": "YEAROFWEEK",
}
_SAME = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOY", "HOUR", "MINUTE"})


def date_parts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    field = node.this.name.upper()
    if field in _SAME:
        return None
    if field == "SECOND":
        return exp.cast(
            call("floor", exp.Extract(this=exp.var("SECOND"), expression=node.expression)), exp.DType.BIGINT
        )
    if field not in _FIELDS:
        raise UnsupportedError(f"EXTRACT of {field} is not supported.")
    node.set("this", exp.var(_FIELDS[field]))
    return None


def _extracted(field: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr:
        needs(node, 1)
        return exp.Extract(this=exp.var(field), expression=node.expressions[0])

    return rewrite


def _millisecond(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return exp.cast(call("date_format", node.expressions[0], "SSS"), exp.DType.BIGINT)


RULE = Rule(
    "date_parts",
    __doc__ or "",
    date_parts,
    (exp.Extract,),
    {
        "day_of_month": renamed("day"),
        "day_of_week": _extracted("DOW_ISO"),
        "day_of_year": renamed("dayofyear"),
        "dow": _extracted("DOW_ISO"),
        "doy": renamed("dayofyear"),
        "millisecond": _millisecond,
        "week": renamed("weekofyear"),
        "week_of_year": renamed("weekofyear"),
        "year_of_week": _extracted("YEAROFWEEK"),
        "yow": _extracted("YEAROFWEEK"),
    },
)
