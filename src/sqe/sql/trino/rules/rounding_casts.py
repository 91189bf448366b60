"""Round numbers with a fraction before a cast to an integer: Trino's cast rounds, and Spark's truncates.

This applies where the text shows that the number has a fraction: a literal, a cast, or a function such as avg.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.known_types import is_fraction, is_integer, known_type
from sqe.sql.trino.rules.rule import Context, call, node_rule


def rounding_casts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Cast)
    if is_integer(known_type(node)) and is_fraction(known_type(node.this)):
        node.set("this", call("round", node.this))
    return None


RULE = node_rule(__name__, __doc__, rounding_casts, exp.Cast, exp.TryCast)
