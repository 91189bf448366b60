"""Replace UNNEST by a table function, joined as LATERAL, which sees whether a value is an array, a map or an array of
rows (`sqe.spark.trino.Unnest`).
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, analyzed, node_rule


def unnest(node: exp.Expr, _context: Context) -> exp.Expr | None:
    alias = node.args.get("alias")
    offset = node.args.get("offset")
    if alias is not None and isinstance(offset, exp.Identifier):
        alias.append("columns", offset)
    generator = analyzed("unnest_ordinality" if offset else "unnest", *node.expressions)
    if isinstance(node.parent, exp.Join):
        return exp.Lateral(this=generator, view=False, outer=False, alias=alias)
    return exp.Table(this=generator, alias=alias)


RULE = node_rule(__name__, __doc__, unnest, exp.Unnest)
