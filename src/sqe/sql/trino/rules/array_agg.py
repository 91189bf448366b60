"""Translate `array_agg`, which keeps NULLs, can be ordered, and is NULL for no rows, unlike Spark's `collect_list`.

Each value is collected inside a struct, and an ORDER BY sorts the collected array.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import aggregate_root, call, function_rule, needs, surround


def _array_agg(node: exp.Anonymous) -> None:
    needs(node, 1)
    value = node.expressions[0]
    order = value.expressions if isinstance(value, exp.Order) else []
    value = value.this if isinstance(value, exp.Order) else value
    distinct = isinstance(value, exp.Distinct)
    if distinct and len(value.expressions) != 1:
        raise UnsupportedError("array_agg takes one value.")
    _collect(node, value.expressions[0] if distinct else value, order, distinct=distinct)


def _set_agg(node: exp.Anonymous) -> None:
    needs(node, 1)
    _collect(node, node.expressions[0], [], distinct=True)


def _collect(node: exp.Anonymous, value: exp.Expr, order: list[exp.Expr], *, distinct: bool) -> None:
    whole = aggregate_root(node)
    keys = [_named(item.this, f"k{number}") for number, item in enumerate(order)]
    structs = call("struct", _named(value, "v"), *keys)
    # The values of a window come in its order, which a set would lose.
    ordered = distinct and isinstance(whole, exp.Window)
    collected = call("collect_set" if distinct and not ordered else "collect_list", structs)
    node.replace(collected)

    def around(inner: exp.Expr) -> exp.Expr:
        rows: exp.Expr = call("nullif", call("array_distinct", inner) if ordered else inner, call("array"))
        if order:
            rows = call("array_sort", rows, _comparison(order))
        return call("transform", rows, _lambda(_field("e", "v"), "e"))

    surround(collected if whole is node else whole, around)


def _comparison(order: list[exp.Expr]) -> exp.Lambda:
    """Return a lambda that compares two structs by their keys, with NULLs where the ORDER BY puts them."""
    cases = exp.Case()
    for number, item in enumerate(order):
        left, right = _field("l", f"k{number}"), _field("r", f"k{number}")
        null = -1 if item.args.get("nulls_first") else 1
        before = 1 if item.args.get("desc") else -1
        steps: list[tuple[exp.Expr, int]] = [
            (exp.GT(this=_is_null(left), expression=_is_null(right)), null),
            (exp.LT(this=_is_null(left), expression=_is_null(right)), -null),
            (exp.LT(this=left, expression=right), before),
            (exp.GT(this=left.copy(), expression=right.copy()), -before),
        ]
        for condition, result in steps:
            cases = cases.when(condition, _number(result), copy=False)
    return _lambda(cases.else_(_number(0), copy=False), "l", "r")


def _is_null(node: exp.Expr) -> exp.Expr:
    return call("isnull", node.copy())


def _number(value: int) -> exp.Expr:
    return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))


def _lambda(body: exp.Expr, *names: str) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(name) for name in names])


def _field(row: str, name: str) -> exp.Expr:
    return exp.Dot(this=exp.to_identifier(row), expression=exp.to_identifier(name))


def _named(value: exp.Expr, name: str) -> exp.Expr:
    return exp.Alias(this=value, alias=exp.to_identifier(name))


RULE = function_rule(__name__, __doc__, {"array_agg": _array_agg, "set_agg": _set_agg})
