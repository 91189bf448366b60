"""Return Trino's names of types from `typeof`."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import call, function_rule, needs

# In this order, on the result of Spark's typeof.
_NAMES = (
    (r"\btimestamp\b(?!_)", "timestamp(6) with time zone"),
    (r"\btimestamp_ntz\b", "timestamp(6)"),
    (r"\bint\b", "integer"),
    (r"\bstring\b", "varchar"),
    (r"\bfloat\b", "real"),
    (r"\bbinary\b", "varbinary"),
    (r"\bvoid\b", "unknown"),
    (r"\bstruct<", "row("),
    (r"<", "("),
    (r">", ")"),
    (r":", " "),
)


def _typeof(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    named = call("typeof", node.expressions[0])
    for pattern, name in _NAMES:
        named = call("regexp_replace", named, pattern, name)
    return named


RULE = function_rule(__name__, __doc__, {"typeof": _typeof})
