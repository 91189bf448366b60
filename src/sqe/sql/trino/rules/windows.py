"""Complete windows: Spark's ranking functions need an ORDER BY, for which a constant is enough, and return integers
where Trino's are bigints. `count(DISTINCT x) OVER` counts a set.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, call, is_call, node_rule, surround

_RANKS = ("row_number", "rank", "dense_rank", "ntile")
_ORDERED = (*_RANKS, "percent_rank", "cume_dist", "lag", "lead", "nth_value")


def windows(node: exp.Expr, _context: Context) -> exp.Expr | None:
    function = node.this
    while isinstance(function, exp.IgnoreNulls | exp.RespectNulls | exp.Filter):
        function = function.this
    named = node.args.get("alias") is not None
    if is_call(function, *_ORDERED) and not named and node.args.get("order") is None:
        constant = exp.Ordered(this=exp.Literal.number(1), nulls_first=False)
        node.set("order", exp.Order(expressions=[constant]))
    _count_distinct(node, function)
    if is_call(function, *_RANKS):
        surround(node, lambda inner: exp.Cast(this=inner, to=exp.DataType.build("bigint")))
    return None


def _count_distinct(node: exp.Expr, function: exp.Expr | None) -> None:
    """Count the distinct values of a window by their set."""
    if not is_call(function, "count") or node.args.get("over") is None:
        return
    assert isinstance(function, exp.Anonymous)
    if not any(isinstance(item, exp.Distinct) for item in function.expressions):
        return
    values = [each for item in function.expressions for each in item.expressions]
    if len(function.expressions) != 1 or len(values) != 1:
        raise UnsupportedError("count(DISTINCT ..) OVER is supported with one value only.")
    function.replace(call("collect_set", values[0]))
    surround(node, lambda inner: exp.Cast(this=call("size", inner), to=exp.DataType.build("bigint")))


RULE = node_rule(__name__, __doc__, windows, exp.Window)
