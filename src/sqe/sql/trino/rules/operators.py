"""Replace operators by functions that see the types of their operands: `a / b` of two integers is an integer, NaN
equals nothing, and a number does not become text.

Spark resolves such a function in its analyzer into its own operator where that means the same (`spark-guard`,
`sqe.spark.trino`).
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, Rule, analyzed

_NAMES: Mapping[type[exp.Expr], str] = {
    exp.Add: "add",
    exp.Sub: "subtract",
    exp.Mul: "multiply",
    exp.Div: "divide",
    exp.Mod: "modulus",
    exp.EQ: "eq",
    exp.NEQ: "ne",
    exp.LT: "lt",
    exp.LTE: "le",
    exp.GT: "gt",
    exp.GTE: "ge",
    exp.NullSafeEQ: "not_distinct",
    exp.DPipe: "concat",
}


def operators(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Between):
        return analyzed("between", node.this, node.args["low"], node.args["high"])
    if isinstance(node, exp.In):
        if node.args.get("query") is not None or not node.expressions:
            return None
        if any(isinstance(item, exp.Query) for item in node.expressions):
            return None
        return analyzed("in", node.this, *node.expressions)
    if isinstance(node, exp.NullSafeNEQ):
        return exp.Not(this=analyzed("not_distinct", node.this, node.expression))
    if isinstance(node.parent, exp.PropertyEQ | exp.Update) and isinstance(node, exp.EQ):
        return None  # an assignment
    return analyzed(_NAMES[type(node)], node.this, node.expression)


RULE = Rule("operators", __doc__ or "", operators, (*_NAMES, exp.NullSafeNEQ, exp.Between, exp.In))
