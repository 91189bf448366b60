"""Add NULLS LAST: Trino sorts NULLs last in both directions, and Spark sorts them first when ascending."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule


def null_order(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if node.args.get("nulls_first") is None:
        node.set("nulls_first", False)
    return None


RULE = node_rule(__name__, __doc__, null_order, exp.Ordered)
