"""Write GROUP BY as Spark does: `GROUP BY ALL a` without ALL, `GROUP BY AUTO` as ALL, the sets of `GROUP BY DISTINCT`
one by one, and `GROUP BY ()` as an aggregate of all rows. Where one of the sets is empty, its row is there when there
are no rows at all, and HAVING comes before windows (`sqe.spark.trino.EmptyGroupingSet`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, product

from sqlglot import exp

from sqe.errors import ColumnNotFoundError, UnsupportedError
from sqe.sql.trino.rules.rule import Context, analyzed, call, node_rule

_MOST_SETS = 2048  # as many as Trino makes
_SETS = (exp.GroupingSets, exp.Cube, exp.Rollup)


def grouping_sets(node: exp.Expr, _context: Context) -> exp.Expr | None:
    group = node.args.get("group")
    if not isinstance(group, exp.Group):
        return None
    elements = group.expressions
    quantifier = group.args.get("all")
    if not elements:
        raise ColumnNotFoundError("Column 'all' cannot be resolved")
    group.set("all", None)
    if len(elements) == 1 and _is_auto(elements[0]):
        group.set("all", True)
        group.set("expressions", [])
        return None
    if all(_is_empty(each) for each in elements):
        node.set("group", None)
        if node.args.get("having") is None:  # which makes one row of no rows, too
            always = exp.GTE(this=call("count", exp.Star()), expression=exp.Literal.number(0))
            node.set("having", exp.Having(this=always))
        return None
    elements = [each for each in elements if not _is_empty(each)]
    group.set("expressions", elements)
    having = node.args.get("having")
    sets = any(isinstance(each, _SETS) for each in elements)
    if all(_has_empty(each) for each in elements) or (sets and having):
        total = analyzed("total")
        condition = exp.And(this=exp.Paren(this=having.this), expression=total) if having else total
        node.set("having", exp.Having(this=condition))
    if quantifier is False and sets:
        once = [exp.Tuple(expressions=list(each)) for each in _distinct(elements)]
        group.set("expressions", [exp.GroupingSets(expressions=once)])
    return None


def _is_auto(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.Column)
        and not node.table
        and isinstance(node.this, exp.Identifier)
        and not node.this.quoted
        and node.name.upper() == "AUTO"
    )


def _is_empty(node: exp.Expr) -> bool:
    """Whether an element of a GROUP BY is one empty set."""
    if isinstance(node, exp.GroupingSets):
        return len(node.expressions) == 1 and _is_empty(node.expressions[0])
    return isinstance(node, exp.Tuple) and not node.expressions


def _has_empty(node: exp.Expr) -> bool:
    """Whether one of the sets that an element makes is empty."""
    if isinstance(node, exp.GroupingSets):
        return any(_has_empty(each) for each in node.expressions)
    return isinstance(node, exp.Cube | exp.Rollup) or _is_empty(node)


def _distinct(elements: Sequence[exp.Expr]) -> Iterable[list[exp.Expr]]:
    """Return the sets that the elements make together, each of them once."""
    found: dict[frozenset[str], list[exp.Expr]] = {}
    parts = [_sets(each) for each in elements]
    count = 1
    for part in parts:
        count *= len(part)
    if count > _MOST_SETS:
        raise UnsupportedError(f"GROUP BY has {count} grouping sets, more than {_MOST_SETS}.")
    bare = {column.name.lower() for part in parts for each in part for column in each if _is_bare(column)}
    for chosen in product(*parts):
        columns = {_key(column, bare): column for each in chosen for column in each}
        found.setdefault(frozenset(columns), [column.copy() for column in columns.values()])
    return found.values()


def _is_bare(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and not node.table


def _key(node: exp.Expr, bare: AbstractSet[str]) -> str:
    """Return the same text for `t.a` and `a`: the name alone is that of one column, or an error."""
    if isinstance(node, exp.Column) and node.name.lower() in bare:
        return node.name.lower()
    return node.sql()


def _sets(node: exp.Expr) -> list[list[exp.Expr]]:
    if isinstance(node, exp.GroupingSets):
        return [each for item in node.expressions for each in _sets(item)]
    parts = [_columns(each) for each in node.expressions]
    if isinstance(node, exp.Rollup):
        return [_joined(parts[:length]) for length in range(len(parts), -1, -1)]
    if isinstance(node, exp.Cube):
        if len(parts) > _MOST_SETS.bit_length():
            raise UnsupportedError("CUBE has too many columns.")
        return [
            _joined(chosen) for length in range(len(parts), -1, -1) for chosen in combinations(parts, length)
        ]
    return [_columns(node)]


def _joined(parts: Iterable[list[exp.Expr]]) -> list[exp.Expr]:
    return [column for part in parts for column in part]


def _columns(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    return [node.this] if isinstance(node, exp.Paren) else [node]


RULE = node_rule(__name__, __doc__, grouping_sets, exp.Select)
