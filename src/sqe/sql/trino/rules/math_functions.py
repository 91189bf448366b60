"""Rename functions on numbers; `greatest` and `least` return NULL when one of their arguments is NULL."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import CallRewrite, call, function_rule, needs, renamed, twice, wrapped


def _extreme(name: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr | None:
        doubtful = [item for item in node.expressions if not isinstance(item, exp.Literal)]
        if not doubtful:
            return None
        twice(*doubtful)
        nulls: list[exp.Expr] = [
            exp.Is(this=wrapped(item.copy()), expression=exp.Null()) for item in doubtful
        ]
        condition = nulls[0]
        for other in nulls[1:]:
            condition = exp.Or(this=condition, expression=other)
        return call("if", condition, exp.Null(), call(name, *node.expressions))

    return rewrite


def _constant(value: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr:
        needs(node, 0)
        return exp.cast(exp.Literal.string(value), exp.DType.DOUBLE)

    return rewrite


def _random(node: exp.Anonymous) -> exp.Expr:
    """Translate `random(n)`, an integer below n, and `random(m, n)`, an integer from m to below n."""
    needs(node, 0, 2)
    bounds = [wrapped(bound) for bound in node.expressions]
    if not bounds:
        return call("rand")
    if len(bounds) == 1:
        return call("floor", exp.Mul(this=call("rand"), expression=bounds[0]))
    low, high = bounds
    twice(low)
    width = exp.Paren(this=exp.Sub(this=high, expression=low.copy()))
    return exp.Paren(
        this=exp.Add(this=low, expression=call("floor", exp.Mul(this=call("rand"), expression=width)))
    )


def _to_base(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    number, radix = node.expressions
    return call("lower", call("conv", number, 10, radix))


def _from_base(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    text, radix = node.expressions
    return exp.cast(call("conv", text, radix, 10), exp.DType.BIGINT)


def _is_infinite(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    infinity = exp.cast(exp.Literal.string("Infinity"), exp.DType.DOUBLE)
    return exp.Paren(this=exp.EQ(this=call("abs", node.expressions[0]), expression=infinity))


RULE = function_rule(
    __name__,
    __doc__,
    {
        "from_base": _from_base,
        "greatest": _extreme("greatest"),
        "infinity": _constant("Infinity"),
        "is_infinite": _is_infinite,
        "is_nan": renamed("isnan"),
        "least": _extreme("least"),
        "nan": _constant("NaN"),
        "rand": _random,
        "random": _random,
        "to_base": _to_base,
    },
)
