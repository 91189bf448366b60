"""A cast from a number with a fraction to an integer rounds in Trino and cuts off in Spark, so that it is rounded
first.

Only where the number is sure to have a fraction: a literal, a cast, or a function such as avg.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, call, node_rule
from sqe.sql.trino.rules.sure_types import is_fraction, is_integer, sure_type


def rounding_casts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Cast)
    if is_integer(sure_type(node)) and is_fraction(sure_type(node.this)):
        node.set("this", call("round", node.this))
    return None


RULE = node_rule(__name__, __doc__, rounding_casts, exp.Cast, exp.TryCast)
