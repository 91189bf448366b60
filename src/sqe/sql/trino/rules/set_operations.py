"""Name the operands of UNION, INTERSECT and EXCEPT, so that Spark's analyzer gives their columns Trino's common types
(`sqe.spark.trino.SetOperations`) and not its own.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule

OPERAND = "sqe_set_operand"
_COLUMNS = "sqe_set_columns"  # which no query has, so that the analyzer waits for the common types


def set_operations(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.SetOperation)
    if _is_recursive(node):
        return None  # Spark wants such a UNION as it is
    for key in ("this", "expression"):
        operand = node.args[key]
        # Those on the left are in each other, as deep as there are operations.
        if not (key == "this" and isinstance(operand, exp.SetOperation)):
            node.set(key, _named(operand))
    return None


def _is_recursive(node: exp.SetOperation) -> bool:
    top: exp.Expr = node
    while isinstance(top.parent, exp.SetOperation | exp.Subquery):
        top = top.parent
    query = top.parent
    return isinstance(query, exp.CTE) and bool(query.parent and query.parent.args.get("recursive"))


def _named(operand: exp.Expr) -> exp.Expr:
    alias = exp.TableAlias(this=exp.to_identifier(OPERAND))
    plain = isinstance(operand, exp.Subquery) and not any(
        operand.args.get(key) for key in operand.args if key != "this"
    )
    inner = operand.this if plain else operand
    source = exp.Subquery(this=inner, alias=alias)
    return exp.Select(expressions=[exp.column(_COLUMNS)], from_=exp.From(this=source))


RULE = node_rule(__name__, __doc__, set_operations, exp.SetOperation)
