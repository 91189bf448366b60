"""Replace CASE by a function that sees the types of its values: a number and text have no type in common."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, analyzed, node_rule


def cases(node: exp.Expr, _context: Context) -> exp.Expr | None:
    operand = node.this
    if operand is not None and operand.find(exp.Placeholder, exp.Query):
        return None  # it would be there for each WHEN
    parts: list[exp.Expr] = []
    for each in node.args["ifs"]:
        parts.append(each.this if operand is None else analyzed("eq", operand.copy(), each.this))
        parts.append(each.args["true"])
    default = node.args.get("default")
    return analyzed("case", *parts, *([default] if default is not None else []))


RULE = node_rule(__name__, __doc__, cases, exp.Case)
