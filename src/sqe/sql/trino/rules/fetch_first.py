"""Replace `FETCH FIRST n ROWS ONLY` by LIMIT, and remove `LIMIT ALL`."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule


def fetch_first(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Fetch):
        options = node.args.get("limit_options")
        if options is not None and (options.args.get("with_ties") or options.args.get("percent")):
            raise UnsupportedError(
                "FETCH FIRST .. WITH TIES is not supported.", hint="Use rank() in a subquery."
            )
        return exp.Limit(expression=node.args.get("count") or exp.Literal.number(1))
    if node.expression.name.upper() == "ALL" and not isinstance(node.expression, exp.Literal):
        node.pop()
    return None


RULE = node_rule(__name__, __doc__, fetch_first, exp.Fetch, exp.Limit)
