"""Replace `x[1]`, an item of an array, the value for a key of a map or a field of a row, by a function that sees which
of them it is.

A missing item or key is an error, as in Trino; `element_at` returns NULL for it.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, analyzed, node_rule


def subscripts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if len(node.expressions) != 1 or isinstance(node.expressions[0], exp.Slice):
        raise UnsupportedError("A subscript has one value.")
    return analyzed("subscript", node.this, node.expressions[0])


RULE = node_rule(__name__, __doc__, subscripts, exp.Bracket)
