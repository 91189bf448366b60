"""Replace `EXTRACT(field FROM x)` and `x AT TIME ZONE z` by functions that see the type of their operand."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, analyzed, node_rule


def date_grammar(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Extract):
        return analyzed("extract", node.this.name.lower(), node.expression)
    return analyzed("at_timezone", node.this, node.args["zone"])


RULE = node_rule(__name__, __doc__, date_grammar, exp.Extract, exp.AtTimeZone)
