"""Translate `regexp_replace` with a function, which gets the groups of each match and returns what to put there."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import analyzed, call, function_rule, needs, twice


def _replace(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2, 3)
    if not isinstance(node.expressions[-1], exp.Lambda) or len(node.expressions) < 3:
        return analyzed("regexp_replace", *node.expressions)
    text, pattern, change = node.expressions
    twice(text, pattern)
    groups = analyzed("regexp_groups", text.copy(), pattern.copy())
    return analyzed("regexp_replaced", text, pattern, call("transform", groups, change))


RULE = function_rule(__name__, __doc__, {"regexp_replace": _replace})
