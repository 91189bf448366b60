"""Replace `grouping(a, b)`: Spark's takes one column. The last one is the lowest bit, and the type is integer. Without
grouping sets it is 0.
"""

from __future__ import annotations

from functools import reduce

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Rule, call

_SETS = ("grouping_sets", "cube", "rollup")
_MOST = 31  # bits of an integer


def grouping(node: exp.Anonymous) -> exp.Expr | None:
    if not 0 < len(node.expressions) <= _MOST:
        raise UnsupportedError(f"grouping takes 1 to {_MOST} columns.")
    if _is_plain(node):
        return exp.Literal.number(0)
    bits: list[exp.Expr] = [exp.cast(call("grouping", column), exp.DType.INT) for column in node.expressions]
    return reduce(
        lambda high, low: exp.Paren(this=exp.Add(this=call("shiftleft", high, 1), expression=low)), bits
    )


def _is_plain(node: exp.Anonymous) -> bool:
    """Return whether each of the columns is one that the query groups by, in the only way."""
    select = node.find_ancestor(exp.Select)
    group = select.args.get("group") if select is not None else None
    if not isinstance(group, exp.Group) or any(group.args.get(key) for key in _SETS):
        return False
    return all(column in group.expressions for column in node.expressions)


RULE = Rule("grouping", __doc__ or "", functions={"grouping": grouping})
