"""Truncate text in `CAST(x AS varchar(3))`, and also pad it in casts to `char(3)`; Spark's cast does neither."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.dialects.trino import TYPED_LITERAL
from sqe.sql.trino.rules.rule import Context, call, node_rule, surround


def bounded_text(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Cast)
    kind, sizes = node.to.this, node.to.expressions
    if kind not in (exp.DType.VARCHAR, exp.DType.CHAR) or node.meta.get(TYPED_LITERAL):
        return None
    if not sizes and kind is exp.DType.VARCHAR:
        return None
    length = sizes[0].name if sizes else "1"  # `char` alone is one character
    if not length.isdigit():
        raise UnsupportedError(f"The length {length} of a type is not a number.")
    size = int(length)
    if kind is exp.DType.VARCHAR:
        surround(node, lambda inner: call("left", inner, size))
    else:
        surround(node, lambda inner: call("rpad", inner, size, " "))
    return None


RULE = node_rule(__name__, __doc__, bounded_text, exp.Cast, exp.TryCast)
