"""Call functions that take a lambda where the types of its variables are known, and rename those of arrays."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import CallRewrite, analyzed, function_rule, needs


def _none_match(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return exp.Not(this=analyzed("exists", *node.expressions))


def _with_lambda(name: str) -> CallRewrite:
    """Return the rewrite of a function that takes a lambda, whose variables have Trino's types."""

    def rewrite(node: exp.Anonymous) -> exp.Expr | None:
        lambdas = any(isinstance(argument, exp.Lambda) for argument in node.expressions)
        return analyzed(name, *node.expressions) if lambdas else None

    return rewrite


RULE = function_rule(
    __name__,
    __doc__,
    {
        "all_match": _with_lambda("forall"),
        "any_match": _with_lambda("exists"),
        "array_sort": lambda node: analyzed("array_sort", *node.expressions),
        "filter": _with_lambda("filter"),
        "map_filter": _with_lambda("map_filter"),
        "map_zip_with": _with_lambda("map_zip_with"),
        "none_match": _none_match,
        "transform": _with_lambda("transform"),
        "transform_keys": _with_lambda("transform_keys"),
        "transform_values": _with_lambda("transform_values"),
        "zip_with": _with_lambda("zip_with"),
    },
)
