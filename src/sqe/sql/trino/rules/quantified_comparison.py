"""Replace `= ANY (query)` by IN, and `<> ALL (query)` by NOT IN; Spark has no other comparison with a query's rows."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, is_call, node_rule

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


def quantified_comparison(node: exp.Expr, _context: Context) -> exp.Expr | None:
    right = node.expression
    any_of = isinstance(right, exp.Any) or is_call(right, "some")
    all_of = isinstance(right, exp.All) or is_call(right, "all")
    if not (any_of or all_of):
        return None
    query = right.expressions[0] if isinstance(right, exp.Anonymous) else right.this
    if isinstance(query, exp.Subquery):
        query = query.this
    contained = exp.In(this=node.this, query=exp.Subquery(this=query))
    if isinstance(node, exp.EQ) and any_of:
        return contained
    if isinstance(node, exp.NEQ) and all_of:
        return exp.Not(this=contained)
    raise UnsupportedError(
        "A comparison with ANY or ALL of a query's rows is not supported.",
        hint="Compare with the query's min or max.",
    )


RULE = node_rule(__name__, __doc__, quantified_comparison, *_COMPARISONS)
