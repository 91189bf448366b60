"""Move the conditions with subqueries of an inner join to WHERE, where Spark lets a subquery see both sides. Write a
right or full join with LATERAL or UNNEST on TRUE, whose right side sees nothing of the left one but is there for each
of its rows, as an inner or left join without LATERAL.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule

_OF_EACH_ROW = {"RIGHT": None, "FULL": "LEFT"}
"""The joins that a right and a full join are when the right side is there for each row of the left one."""


def join_conditions(node: exp.Expr, _context: Context) -> exp.Expr | None:
    joins: list[exp.Join] = node.args.get("joins") or []
    for place, join in enumerate(joins):
        side = join.side.upper()
        if side in _OF_EACH_ROW and isinstance(join.this, exp.Lateral) and join.args.get("on") == exp.true():
            join.set("side", _OF_EACH_ROW[side])
            join.set("this", _independent(join.this))
        elif not side and not any(other.side.upper() in _OF_EACH_ROW for other in joins[place + 1 :]):
            _moved(node, join)
    return None


def _independent(lateral: exp.Lateral) -> exp.Expr:
    source, alias = lateral.this, lateral.args.get("alias")
    if not isinstance(source, exp.Subquery):
        return exp.Table(this=source, alias=alias)
    source.set("alias", alias)
    return source


def _moved(select: exp.Expr, join: exp.Join) -> None:
    """Move what has a subquery: an inner join keeps the rows for which its condition and WHERE are true."""
    condition = join.args.get("on")
    if condition is None or condition.find(exp.Query) is None or join.kind.upper() == "CROSS":
        return
    conjuncts = list(condition.flatten()) if isinstance(condition, exp.And) else [condition]
    moved = [each for each in conjuncts if each.find(exp.Query) is not None]
    if any(each.find(exp.Placeholder) for each in moved):
        return  # a parameter is identified by its position
    stays = [each for each in conjuncts if each.find(exp.Query) is None]
    join.set("on", exp.and_(*stays) if stays else exp.true())
    where = select.args.get("where")
    select.set("where", exp.Where(this=exp.and_(*moved, *([where.this] if where is not None else []))))


RULE = node_rule(__name__, __doc__, join_conditions, exp.Select)
