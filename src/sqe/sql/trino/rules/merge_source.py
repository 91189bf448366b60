"""Move the column names of a MERGE's source into a subquery, because Spark does not support them there."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule


def merge_source(node: exp.Expr, _context: Context) -> exp.Expr | None:
    source = node.args["using"]
    alias = source.args.get("alias")
    if alias is None or not alias.columns:
        return None
    if alias.this is None:
        raise UnsupportedError("The source of a MERGE needs a name.")
    outer = exp.TableAlias(this=alias.this.copy())
    inner = exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))
    node.set("using", exp.Subquery(this=inner, alias=outer))
    return None


RULE = node_rule(__name__, __doc__, merge_source, exp.Merge)
