"""Rename functions on arrays and maps."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import call, function_rule, needs, renamed


def _none_match(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return exp.Not(this=call("exists", *node.expressions))


def _map(node: exp.Anonymous) -> exp.Expr:
    needs(node, 0, 2)
    return call("map_from_arrays", *node.expressions) if node.expressions else call("map")


RULE = function_rule(
    __name__,
    __doc__,
    {
        "all_match": renamed("forall"),
        "any_match": renamed("exists"),
        "contains": renamed("array_contains"),
        "element_at": renamed("try_element_at"),
        "map": _map,
        "none_match": _none_match,
        "repeat": renamed("array_repeat"),
        "split_to_map": renamed("str_to_map"),
        "zip": renamed("arrays_zip"),
    },
)
