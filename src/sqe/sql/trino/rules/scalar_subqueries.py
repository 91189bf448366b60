"""Make a row of the columns of a subquery that is a value, such as `(SELECT 1, 2)`, and a query of `(VALUES 1)`."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.row_values import values_query
from sqe.sql.trino.rules.rule import Context, analyzed, node_rule


def scalar_subqueries(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if not _is_value(node):
        return None
    query = node.this
    if isinstance(query, exp.Values):
        query = values_query(query)
        node.set("this", query)
    if not isinstance(query, exp.Select) or query.is_star or len(query.expressions) < 2:
        return None
    if any(query.args.get(key) is not None for key in ("order", "distinct")):
        return None
    columns = query.expressions
    if any(isinstance(item, exp.Alias | exp.Column | exp.Dot) for item in columns):
        raise UnsupportedError("A subquery of several columns with names is not supported as a value.")
    query.set("expressions", [exp.alias_(analyzed("row", *columns), "sqe_row")])
    nothing = analyzed("row", *(exp.Null() for _ in columns))  # without a row, each column is NULL
    return analyzed("coalesce", node.copy(), nothing)


def _is_value(node: exp.Expr) -> bool:
    parent = node.parent
    if isinstance(parent, exp.Select):
        return node.arg_key == "expressions"
    if isinstance(parent, exp.Anonymous):
        return parent.name.lower() not in ("all", "some", "any")
    return isinstance(parent, exp.Alias | exp.Binary | exp.Not | exp.Neg | exp.Ordered) and not isinstance(
        parent, exp.SetOperation
    )


RULE = node_rule(__name__, __doc__, scalar_subqueries, exp.Subquery)
