"""Translate casts of JSON, which is text in Spark: a cast to `json` generates it, and a cast from a JSON value to an
array, a map or a row parses it.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.dialects.spark import spark_type
from sqe.sql.dialects.trino import TYPED_LITERAL
from sqe.sql.trino.rules.known_types import known_type
from sqe.sql.trino.rules.rule import Context, call, is_call, node_rule

_NESTED = (exp.DType.ARRAY, exp.DType.MAP, exp.DType.STRUCT)


def json_casts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Cast)
    if node.meta.get(TYPED_LITERAL):
        return None
    inner = node.this
    if node.to.this is exp.DType.JSON:
        if known_type(inner) in _NESTED:
            return call("to_json", inner)
        return call("to_json", exp.cast(inner, exp.DType.VARIANT))
    if node.to.this in _NESTED and (is_call(inner, "to_json", "get_json_object") or _is_json_literal(inner)):
        return call("from_json", inner, spark_type(node.to))
    return None


def _is_json_literal(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.to.this is exp.DType.JSON


RULE = node_rule(__name__, __doc__, json_casts, exp.Cast, exp.TryCast)
