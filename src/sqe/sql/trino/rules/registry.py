"""List all rules in the order of their application, and apply them to a tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from sqe.sql.trino.rules import (
    aggregate_functions,
    analyzer_functions,
    array_agg,
    array_functions,
    assignments,
    cases,
    casts,
    column_names,
    corresponding,
    date_grammar,
    fetch_first,
    grouping,
    grouping_sets,
    interval_literals,
    join_conditions,
    json_functions,
    lambdas,
    lower_names,
    merge_source,
    metadata_tables,
    nested_namespaces,
    null_order,
    operators,
    order_keys,
    quantified_comparison,
    regexp_functions,
    result_names,
    row_values,
    samples,
    scalar_subqueries,
    select_items,
    sequence_table,
    session_functions,
    set_operations,
    stored_zones,
    subscripts,
    teradata_functions,
    text_syntax,
    unicode_functions,
    unnest,
    virtual_tables,
    window_frames,
    windows,
)
from sqe.sql.trino.rules.rule import Context, Rewrite, Rule, nodes_of

_NAMES: tuple[Rule, ...] = (
    sequence_table.RULE,  # first, because its arguments are to be seen as they are written
    lower_names.RULE,
    nested_namespaces.RULE,
    metadata_tables.RULE,
    virtual_tables.RULE,
    session_functions.RULE,
    window_frames.RULE,  # whose frames are to be seen as they are written, too
)
_OTHERS: tuple[Rule, ...] = (
    # relations and clauses
    join_conditions.RULE,
    unnest.RULE,
    row_values.RULE,
    scalar_subqueries.RULE,
    samples.RULE,
    grouping.RULE,
    grouping_sets.RULE,
    result_names.RULE,
    corresponding.RULE,
    merge_source.RULE,
    assignments.RULE,
    null_order.RULE,
    order_keys.RULE,
    fetch_first.RULE,
    select_items.RULE,
    windows.RULE,
    # operators: a comparison with a query's rows first
    quantified_comparison.RULE,
    operators.RULE,
    casts.RULE,
    interval_literals.RULE,
    cases.RULE,
    text_syntax.RULE,
    subscripts.RULE,
    # functions
    lambdas.RULE,
    analyzer_functions.RULE,
    array_agg.RULE,
    aggregate_functions.RULE,
    array_functions.RULE,
    date_grammar.RULE,
    json_functions.RULE,
    regexp_functions.RULE,
    teradata_functions.RULE,
    unicode_functions.RULE,
    # last, on the root
    stored_zones.RULE,
    column_names.RULE,
)

_AT_THE_END: tuple[Rule, ...] = (
    set_operations.RULE,
)  # when the first query of a UNION has named the columns

# Those of the nodes that the rules at the end are about, or that other rules make such nodes of.
_BEFORE_THE_END = (*set_operations.RULE.nodes, *row_values.RULE.nodes)

RULES: tuple[Rule, ...] = (*_NAMES, *_OTHERS, *_AT_THE_END)
_OF_OPERANDS = (operators.RULE, casts.RULE)


class RuleSet:
    """Applies some of the rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._by_function = {name: made for rule in self._rules for name, made in rule.functions.items()}
        self._by_node: dict[type[exp.Expr], tuple[Rewrite, ...]] = {}

    def apply(self, tree: exp.Expr, context: Context) -> exp.Expr:
        """Apply the rules to a tree in place, and return its root, which may be a new one. Raises SqeError."""
        return self.apply_to(nodes_of(tree), tree, context)

    def apply_to(self, nodes: Sequence[exp.Expr], tree: exp.Expr, context: Context) -> exp.Expr:
        """Apply the rules to the nodes of a tree, as `apply` does. Raises SqeError."""
        for node in reversed(nodes):
            if type(node) is exp.Anonymous or self._rewrites(type(node)):
                tree = self._rewrite(node, context, tree)
        return tree

    def _rewrite(self, node: exp.Expr, context: Context, tree: exp.Expr) -> exp.Expr:
        if type(node) is exp.Anonymous:
            made = self._by_function.get(node.name.lower())
            new = made(node) if made is not None else None
            return tree if new is None else _put(node, new, tree)
        current = node
        for rewrite in self._rewrites(type(node)):
            new = rewrite(current, context)
            if new is not None and new is not current:
                tree = _put(current, new, tree)
                if type(new) is not type(current):
                    break  # the node has another type, and rules for that type are not applied to it
                current = new
        return tree

    def _rewrites(self, kind: type[exp.Expr]) -> tuple[Rewrite, ...]:
        found = self._by_node.get(kind)
        if found is None:
            found = tuple(
                rule.rewrite for rule in self._rules if rule.rewrite and issubclass(kind, rule.nodes)
            )
            self._by_node[kind] = found
        return found


_OF_NAMES = RuleSet(_NAMES)
_OF_OTHERS = RuleSet(_OTHERS)
_OF_THE_END = RuleSet(_AT_THE_END)
WITHOUT_OPERANDS = RuleSet(rule for rule in RULES if rule not in _OF_OPERANDS)
"""Leave operators and casts as they are written, for code that looks for them in the tree."""
OF_OPERANDS = RuleSet(_OF_OPERANDS)
"""Translate operators and casts alone."""


def apply_rules(tree: exp.Expr, context: Context) -> exp.Expr:
    """Apply all rules to a tree in place, and return its root, which may be a new one. Raises SqeError."""
    # Names first, in a pass of their own: virtual tables look for conditions as they are written.
    tree = _OF_NAMES.apply(tree, context)
    nodes = nodes_of(tree)
    end = any(isinstance(node, _BEFORE_THE_END) for node in nodes)
    tree = _OF_OTHERS.apply_to(nodes, tree, context)
    return _OF_THE_END.apply(tree, context) if end else tree


def _put(old: exp.Expr, new: exp.Expr, tree: exp.Expr) -> exp.Expr:
    if old is tree or old.parent is None:
        new.parent = None
        return new if old is tree else tree
    old.replace(new)
    return tree
