"""Rename functions on arrays."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import call, function_rule, needs, renamed


def _none_match(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return exp.Not(this=call("exists", *node.expressions))


RULE = function_rule(
    __name__,
    __doc__,
    {
        "all_match": renamed("forall"),
        "any_match": renamed("exists"),
        "none_match": _none_match,
    },
)
