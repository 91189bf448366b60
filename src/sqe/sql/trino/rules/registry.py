"""List all rules in the order of their application, and apply them to a tree."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.sql.trino.rules import (
    aggregate_functions,
    array_agg,
    array_functions,
    binary_functions,
    bitwise_functions,
    bounded_text,
    column_names,
    conditional_functions,
    date_formats,
    date_functions,
    date_parts,
    fetch_first,
    integer_division,
    json_casts,
    json_functions,
    like_backslash,
    lower_names,
    math_functions,
    merge_source,
    metadata_tables,
    nested_namespaces,
    null_order,
    quantified_comparison,
    regexp_functions,
    rounding_casts,
    row_values,
    session_functions,
    string_functions,
    subscripts,
    time_zones,
    type_names,
    unnest,
    virtual_tables,
)
from sqe.sql.trino.rules.rule import CallRewrite, Context, Rewrite, Rule

RULES: tuple[Rule, ...] = (
    # names
    lower_names.RULE,
    nested_namespaces.RULE,
    metadata_tables.RULE,
    virtual_tables.RULE,
    session_functions.RULE,
    # relations and clauses
    unnest.RULE,
    row_values.RULE,
    merge_source.RULE,
    null_order.RULE,
    fetch_first.RULE,
    # operators
    integer_division.RULE,
    quantified_comparison.RULE,
    like_backslash.RULE,
    subscripts.RULE,
    # casts: JSON first, because its text is not truncated
    json_casts.RULE,
    rounding_casts.RULE,
    bounded_text.RULE,
    # functions
    array_agg.RULE,
    aggregate_functions.RULE,
    array_functions.RULE,
    binary_functions.RULE,
    bitwise_functions.RULE,
    conditional_functions.RULE,
    date_formats.RULE,
    date_functions.RULE,
    date_parts.RULE,
    json_functions.RULE,
    math_functions.RULE,
    regexp_functions.RULE,
    string_functions.RULE,
    time_zones.RULE,
    type_names.RULE,
    # last, on the root
    column_names.RULE,
)

_BY_FUNCTION: Mapping[str, CallRewrite] = {
    name: made for rule in RULES for name, made in rule.functions.items()
}
_BY_NODE: dict[type[exp.Expr], tuple[Rewrite, ...]] = {}


def _rewrites(kind: type[exp.Expr]) -> tuple[Rewrite, ...]:
    found = _BY_NODE.get(kind)
    if found is None:
        found = tuple(rule.rewrite for rule in RULES if rule.rewrite and issubclass(kind, rule.nodes))
        _BY_NODE[kind] = found
    return found


def apply_rules(tree: exp.Expr, context: Context) -> exp.Expr:
    """Apply all rules to a tree in place, and return its root, which may be a new one. Raises SqeError."""
    for node in reversed(list(tree.walk(bfs=False))):
        current = node
        if type(node) is exp.Anonymous:
            made = _BY_FUNCTION.get(node.name.lower())
            new = made(node) if made is not None else None
            if new is not None:
                tree = _put(current, new, tree)
            continue
        for rewrite in _rewrites(type(node)):
            new = rewrite(current, context)
            if new is not None and new is not current:
                tree = _put(current, new, tree)
                if type(new) is not type(current):
                    break  # the node has another type, and rules for that type are not applied to it
                current = new
    return tree


def _put(old: exp.Expr, new: exp.Expr, tree: exp.Expr) -> exp.Expr:
    if old is tree or old.parent is None:
        new.parent = None
        return new if old is tree else tree
    old.replace(new)
    return tree
