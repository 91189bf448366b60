"""Remove `AT TIME ZONE z`, which does not change the point in time: Spark's TIMESTAMP has no zone.

The value is displayed in the session's zone. `with_timezone` interprets a timestamp in a zone and returns the point in
time.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, Rule, call, needs


def time_zones(node: exp.Expr, _context: Context) -> exp.Expr | None:
    return exp.cast(node.this, exp.DType.TIMESTAMPTZ)


def _at_timezone(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return exp.cast(node.expressions[0], exp.DType.TIMESTAMPTZ)


def _with_timezone(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    clock, zone = node.expressions
    local = call("convert_timezone", zone, call("current_timezone"), exp.cast(clock, exp.DType.TIMESTAMP))
    return exp.cast(local, exp.DType.TIMESTAMPTZ)


RULE = Rule(
    "time_zones",
    __doc__ or "",
    time_zones,
    (exp.AtTimeZone,),
    {"at_timezone": _at_timezone, "with_timezone": _with_timezone},
)
