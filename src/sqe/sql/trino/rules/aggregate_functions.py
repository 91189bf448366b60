"""Rename aggregate functions; `any_value` and `arbitrary` return a value that is not NULL."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import aggregate_root, call, function_rule, needs, renamed, surround


def _any_value(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("any_value", node.expressions[0], exp.true())


def _map_agg(node: exp.Anonymous) -> None:
    needs(node, 2)
    whole = aggregate_root(node)
    pairs = call("collect_list", call("struct", *node.expressions))
    node.replace(pairs)
    surround(pairs if whole is node else whole, lambda inner: call("map_from_entries", inner))


def _percentile(node: exp.Anonymous) -> None:
    if len(node.expressions) != 2:
        raise UnsupportedError("approx_percentile with weights or an accuracy is not supported.")


def _extreme_by(node: exp.Anonymous) -> None:
    if len(node.expressions) != 2:
        raise UnsupportedError(f"{node.name.lower()} of several values is not supported.")


RULE = function_rule(
    __name__,
    __doc__,
    {
        "any_value": _any_value,
        "approx_distinct": renamed("approx_count_distinct"),
        "approx_percentile": _percentile,
        "arbitrary": _any_value,
        "map_agg": _map_agg,
        "max_by": _extreme_by,
        "min_by": _extreme_by,
    },
)
