"""Mark the values that UPDATE and MERGE assign, so that the fields of rows are assigned by their position, and not by
their names as in Spark (`sqe.spark.trino.Assignments`).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, analyzed, node_rule, surround

_PLAIN = (exp.Literal, exp.Null, exp.Boolean, exp.Placeholder, exp.Star)
"""Values that have no fields, or whose type Spark takes from the column."""


def assignments(node: exp.Expr, _context: Context) -> exp.Expr | None:
    for value in list(_values(node)):
        if not isinstance(value, _PLAIN) and not _is_default(value):
            surround(value, lambda inner: analyzed("assigned", inner))
    return None


def _values(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.Update):
        for item in node.expressions:
            if isinstance(item, exp.EQ):
                yield item.expression
        return
    then = node.args.get("then")
    if isinstance(then, exp.Insert) and isinstance(then.expression, exp.Tuple):
        yield from then.expression.expressions


def _is_default(value: exp.Expr) -> bool:
    return isinstance(value, exp.Column) and not value.table and value.name.upper() == "DEFAULT"


RULE = node_rule(__name__, __doc__, assignments, exp.Update, exp.When)
