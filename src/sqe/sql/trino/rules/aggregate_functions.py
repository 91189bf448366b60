"""Translate aggregate functions: maps and the first values in an order are made of collected values, `any_value` and
`arbitrary` return a value that is not NULL, and a digest gets the name of its type.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import (
    CallRewrite,
    Context,
    Rule,
    aggregate_root,
    analyzed,
    call,
    needs,
    surround,
    twice,
)

_DIGESTS = (
    "approx_set",
    "make_set_digest",
    "merge",
    "merge_set_digest",
    "qdigest_agg",
    "tdigest_agg",
)
"""Those whose results have a type that Spark has not, and that follows from the types of their arguments."""


def _any_value(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("any_value", node.expressions[0], exp.true())


def _plain(node: exp.Anonymous, *, distinct: bool = False) -> bool:
    """Refuse an ORDER BY, and a DISTINCT unless it is allowed; return whether there is one."""
    for item in node.expressions:
        if isinstance(item, exp.Order):
            raise UnsupportedError(f"ORDER BY in {node.name.lower()} is not supported.")
    found = any(isinstance(item, exp.Distinct) for item in node.expressions)
    if found and (not distinct or len(node.expressions) != 1):
        raise UnsupportedError(f"DISTINCT in {node.name.lower()} is not supported.")
    return found


def _around(node: exp.Anonymous, new: exp.Expr, around: Callable[[exp.Expr], exp.Expr]) -> None:
    """Replace a call by another, and put something around that together with its FILTER and OVER."""
    whole = aggregate_root(node)
    node.replace(new)
    surround(new if whole is node else whole, around)


def _pairs(name: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> None:
        needs(node, 2)
        _plain(node)
        pairs = call("collect_list", call("struct", *node.expressions))
        _around(node, pairs, lambda inner: analyzed(name, inner))

    return rewrite


def _values(name: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> None:
        needs(node, 1)
        distinct = _plain(node, distinct=True)
        values = node.expressions[0].expressions if distinct else node.expressions
        made = call("collect_set" if distinct else "collect_list", *values)
        _around(node, made, lambda inner: analyzed(name, inner))

    return rewrite


def _extreme(name: str, first: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr | None:
        needs(node, 1, 2)
        if len(node.expressions) == 1:
            return analyzed(name, *node.expressions)
        _plain(node)
        number = _number(node)
        made = call("collect_list", node.expressions[0])
        _around(node, made, lambda inner: analyzed(first, inner, number))
        return None

    return rewrite


def _extreme_by(name: str, first: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr | None:
        needs(node, 2, 3)
        if len(node.expressions) == 2:
            return analyzed(name, *node.expressions)
        _plain(node)
        number = _number(node)
        made = call("collect_list", call("struct", *node.expressions[:2]))
        _around(node, made, lambda inner: analyzed(first, inner, number))
        return None

    return rewrite


def _number(node: exp.Anonymous) -> exp.Expr:
    number: exp.Expr = node.expressions[-1]
    if not isinstance(number, exp.Literal) or number.is_string:
        raise UnsupportedError(f"The number of values of {node.name.lower()} must be written as a number.")
    return number.copy()


def _analyzed(name: str) -> CallRewrite:
    return lambda node: analyzed(name, *node.expressions)


def listagg(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if node.args.get("separator") is None:
        node.set("separator", exp.Literal.string(""))
    return None


def _geometric_mean(node: exp.Anonymous) -> None:
    needs(node, 1)
    _plain(node)
    _around(node, call("avg", analyzed("logarithm", *node.expressions)), lambda inner: call("exp", inner))


def _moment(name: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> None:
        needs(node, 1)
        _plain(node)
        twice(*node.expressions)
        whole = aggregate_root(node)
        count: exp.Expr = call("count", *(item.copy() for item in node.expressions))
        counted = count
        if whole is not node:
            node.replace(count)
            counted = whole.copy()
            count.replace(node)
        _around(node, call(name, *node.expressions), lambda inner: analyzed(name, inner, counted))

    return rewrite


def _bits(name: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr:
        needs(node, 1)
        _plain(node)
        return call(name, exp.cast(node.expressions[0], exp.DType.BIGINT))

    return rewrite


def _digest(name: str) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> None:
        _plain(node, distinct=True)
        _around(node, analyzed(name, *node.expressions), lambda inner: analyzed("digested", inner))

    return rewrite


def _reduce_agg(node: exp.Anonymous) -> None:
    """Reduce the values in their order: the lambda that puts two states together is of no use then."""
    needs(node, 4)
    _plain(node)
    value, state, step, _ = node.expressions
    made = call("collect_list", value)
    _around(node, made, lambda inner: analyzed("reduce_values", inner, state, step))


RULE = Rule(
    "aggregate_functions",
    __doc__ or "",
    listagg,
    (exp.GroupConcat,),
    {
        **{name: _digest(name) for name in _DIGESTS},
        "any_value": _any_value,
        "approx_distinct": _analyzed("approx_distinct"),
        "approx_most_frequent": _analyzed("approx_most_frequent"),
        "approx_percentile": _analyzed("approx_percentile"),
        "arbitrary": _any_value,
        "avg": _analyzed("avg"),
        "bitwise_and_agg": _bits("bit_and"),
        "bitwise_or_agg": _bits("bit_or"),
        "bitwise_xor_agg": _bits("bit_xor"),
        "checksum": _analyzed("checksum"),
        "corr": _analyzed("corr"),
        "covar_pop": _analyzed("covar_pop"),
        "covar_samp": _analyzed("covar_samp"),
        "geometric_mean": _geometric_mean,
        "histogram": _values("collected_histogram"),
        "kurtosis": _moment("kurtosis"),
        "map_agg": _pairs("collected_map"),
        "map_union": _values("collected_union"),
        "max": _extreme("max", "greatest_values"),
        "max_by": _extreme_by("max_by", "greatest_values_by"),
        "min": _extreme("min", "least_values"),
        "min_by": _extreme_by("min_by", "least_values_by"),
        "multimap_agg": _pairs("collected_multimap"),
        "numeric_histogram": _analyzed("numeric_histogram"),
        "reduce_agg": _reduce_agg,
        "skewness": _moment("skewness"),
        "regr_intercept": _analyzed("regr_intercept"),
        "regr_slope": _analyzed("regr_slope"),
        "sum": _analyzed("sum"),
    },
)
