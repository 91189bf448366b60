"""Replace the division of integers by `DIV`: `7 / 2` is 3 in Trino and 3.5 in Spark.

This applies where the text shows that both sides are integers: literals, casts, and functions such as count. Between
columns the division stays unchanged and has a fraction.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.known_types import is_integer, known_type
from sqe.sql.trino.rules.rule import Context, node_rule


def integer_division(node: exp.Expr, _context: Context) -> exp.Expr | None:
    left, right = known_type(node.this), known_type(node.expression)
    if not (is_integer(left) and is_integer(right)):
        return exp.Div(this=node.this, expression=node.expression)  # without sqlglot's flags for the dialect
    division = exp.IntDiv(this=node.this, expression=node.expression)
    if exp.DType.BIGINT in (left, right):
        return division
    return exp.cast(division, exp.DType.INT)


RULE = node_rule(__name__, __doc__, integer_division, exp.Div)
