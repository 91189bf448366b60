"""Compute keys of ORDER BY that Spark takes in a SELECT only, such as window functions and subqueries, below it."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.column_names import named_columns
from sqe.sql.trino.rules.rule import Context, node_rule


def order_keys(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Select)
    order = node.args.get("order")
    if order is None or node.args.get("distinct") is not None:
        return None
    if not any(key.find(exp.Window, exp.Query) for key in order.expressions):
        return None
    query = node.copy()  # the original has to stay where it is replaced
    moved = {key: query.args[key] for key in ("order", "limit", "offset") if query.args.get(key) is not None}
    for key in moved:
        query.set(key, None)
    hidden: list[exp.Identifier] = []
    columns = list(named_columns(query.expressions))
    places: list[exp.Expr] = []
    for place, key in enumerate(moved["order"].expressions):
        expression = key.this
        if isinstance(expression, exp.Literal):
            places.append(key)
            continue
        name = exp.to_identifier(f"sqe_key_{place}")
        hidden.append(name)
        columns.append(exp.Alias(this=_written(expression, node), alias=name))
        key.set("this", exp.Column(this=name.copy()))
        places.append(key)
    query.set("expressions", columns)
    source = exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("sqe_ordered")))
    star = exp.Star(except_=[name.copy() for name in hidden])
    made = exp.Select(expressions=[star], from_=exp.From(this=source))
    for key, value in moved.items():
        made.set(key, value)
    return made


def _written(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """Replace names of the result's columns in a key by what they stand for."""
    aliases = {item.alias.lower(): item.this for item in select.expressions if isinstance(item, exp.Alias)}

    def replaced(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table and node.name.lower() in aliases:
            found: exp.Expr = aliases[node.name.lower()].copy()
            return found
        return node

    made: exp.Expr = key.copy().transform(replaced)
    return made


RULE = node_rule(__name__, __doc__, order_keys, exp.Select)
