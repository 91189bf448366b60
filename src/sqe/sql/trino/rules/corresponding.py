"""Replace `UNION CORRESPONDING` and its like: both queries return the columns that they have in common, in the order of
the first one.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import SemanticError, UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule


def corresponding(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if not node.args.get("by_name"):
        return None
    if node.args.get("on") or (node.args.get("kind") or "INNER").upper() != "INNER" or node.args.get("side"):
        raise UnsupportedError("CORRESPONDING with columns is not supported.")
    left, right = _names(node.this), _names(node.expression)
    common = [name for name in left if name.lower() in {other.lower() for other in right}]
    if not common:
        raise SemanticError("No corresponding columns")
    for key in ("by_name", "kind"):
        node.set(key, None)
    for key in ("this", "expression"):
        query = node.args[key]
        inner = query.this if isinstance(query, exp.Subquery) else query
        source = exp.Subquery(
            this=inner.copy(), alias=exp.TableAlias(this=exp.to_identifier("sqe_corresponding"))
        )
        columns = [exp.column(exp.to_identifier(name, quoted=True)) for name in common]
        node.set(key, exp.Select(expressions=columns, from_=exp.From(this=source)))
    return None


def _names(query: exp.Expr) -> list[str]:
    names = _columns(query)
    if not names or not all(names):
        raise UnsupportedError("CORRESPONDING needs queries whose columns are named.")
    if len({name.lower() for name in names}) != len(names):
        raise SemanticError("Duplicate column names when using CORRESPONDING")
    return names


def _columns(query: exp.Expr) -> list[str]:
    """Return the names of a query's columns; empty where one has none, or none that the text says."""
    while isinstance(query, exp.Subquery | exp.SetOperation):
        query = query.this
    if not isinstance(query, exp.Select):
        return []
    names: list[str] = []
    for item in query.expressions:
        names += _source_columns(query) or [""] if item.is_star else [item.alias_or_name]
    return names


def _source_columns(select: exp.Select) -> list[str]:
    """Return the names of the columns of the one source of a query."""
    clause = select.args.get("from_")
    if clause is None or any(select.args.get(key) for key in ("joins", "laterals")):
        return []
    source = clause.this
    named = [str(name) for name in source.alias_column_names]
    return named or (_columns(source.this) if isinstance(source, exp.Subquery) else [])


RULE = node_rule(__name__, __doc__, corresponding, exp.Union, exp.Intersect, exp.Except)
