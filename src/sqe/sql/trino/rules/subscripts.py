"""Replace `x[1]`, an item of an array or the value for a key of a map, by `element_at`, which counts from 1 as Trino
does.

Trino's own `element_at` returns NULL for a missing item, as Spark's `try_element_at` does. The n-th field of a
`ROW(..)` literal is Spark's field `coln`.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, call, is_call, node_rule


def subscripts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if len(node.expressions) != 1 or isinstance(node.expressions[0], exp.Slice):
        raise UnsupportedError("A subscript has one value.")
    inner, index = node.this, node.expressions[0]
    row = inner.this if isinstance(inner, exp.Paren) else inner
    if is_call(row, "struct") and isinstance(index, exp.Literal) and not index.is_string:
        return exp.Dot(this=row, expression=exp.to_identifier(f"col{index.name}"))
    return call("element_at", inner, index)


RULE = node_rule(__name__, __doc__, subscripts, exp.Bracket)
