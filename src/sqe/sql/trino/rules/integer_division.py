"""`7 / 2` is 3 in Trino and 3.5 in Spark, so that a division of integers becomes `DIV`.

Only where both sides are sure to be integers: literals, casts, and functions such as count. Between columns the
division stays as it is and has a fraction.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule
from sqe.sql.trino.rules.sure_types import is_integer, sure_type


def integer_division(node: exp.Expr, _context: Context) -> exp.Expr | None:
    left, right = sure_type(node.this), sure_type(node.expression)
    if not (is_integer(left) and is_integer(right)):
        return exp.Div(this=node.this, expression=node.expression)  # without what sqlglot thinks of it
    division = exp.IntDiv(this=node.this, expression=node.expression)
    if exp.DType.BIGINT in (left, right):
        return division
    return exp.cast(division, exp.DType.INT)


RULE = node_rule(__name__, __doc__, integer_division, exp.Div)
