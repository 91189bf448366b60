"""Refuse a lambda with another number of arguments than the function passes to it: Spark passes the position of an
item to a second one.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.errors import SemanticError
from sqe.sql.trino.rules.rule import Context, node_rule

# The number of arguments of each lambda, by its place in the call.
_LAMBDAS: Mapping[str, Mapping[int, int]] = {
    "all_match": {1: 1},
    "any_match": {1: 1},
    "array_sort": {1: 2},
    "filter": {1: 1},
    "map_filter": {1: 2},
    "map_zip_with": {2: 3},
    "none_match": {1: 1},
    "reduce": {2: 2, 3: 1},
    "transform": {1: 1},
    "transform_keys": {1: 2},
    "transform_values": {1: 2},
    "zip_with": {2: 2},
}


def lambdas(node: exp.Expr, _context: Context) -> exp.Expr | None:
    parent = node.parent
    if not isinstance(parent, exp.Anonymous) or node.index is None:
        return None
    wanted = _LAMBDAS.get(parent.name.lower(), {}).get(node.index)
    if wanted is not None and len(node.expressions) != wanted:
        found = len(node.expressions)
        raise SemanticError(f"Expected a lambda that takes {wanted} argument(s) but got {found}")
    return None


RULE = node_rule(__name__, __doc__, lambdas, exp.Lambda)
