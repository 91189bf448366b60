"""Add the third argument to `if`, and replace `try` by a cast or an operation that returns NULL for an error."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import call, function_rule, is_call, needs

_OPERATIONS: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Div, "try_divide"),
    (exp.Add, "try_add"),
    (exp.Sub, "try_subtract"),
    (exp.Mul, "try_multiply"),
    (exp.Mod, "try_mod"),
)


def _if(node: exp.Anonymous) -> exp.Expr | None:
    needs(node, 2, 3)
    return call("if", *node.expressions, exp.Null()) if len(node.expressions) == 2 else None


def _try(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    inner = node.expressions[0]
    while isinstance(inner, exp.Paren):
        inner = inner.this
    if isinstance(inner, exp.TryCast):
        return inner
    if isinstance(inner, exp.Cast) and isinstance(inner.this, exp.IntDiv):
        inner = inner.this
    if isinstance(inner, exp.IntDiv):
        # Spark has no DIV that gives NULL; a divisor of NULL does.
        divisor = call("nullif", inner.expression, 0)
        return exp.IntDiv(this=inner.this, expression=divisor)
    if isinstance(inner, exp.Cast):
        return exp.TryCast(this=inner.this, to=inner.to, safe=True)
    for kind, name in _OPERATIONS:
        if isinstance(inner, kind):
            return call(name, inner.this, inner.expression)
    if is_call(inner, "element_at", "to_timestamp", "parse_json", "to_number", "to_binary"):
        assert isinstance(inner, exp.Anonymous)
        return call(f"try_{inner.name.lower()}", *inner.expressions)
    raise UnsupportedError(
        "TRY of this expression is not supported.",
        hint="Use TRY_CAST, or TRY around one operation or cast.",
    )


RULE = function_rule(__name__, __doc__, {"if": _if, "try": _try})
