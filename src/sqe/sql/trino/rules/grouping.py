"""Replace `grouping(a, b)`: Spark's takes one column. The last one is the lowest bit, and the type is integer."""

from __future__ import annotations

from functools import reduce

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Rule, call

_MOST = 31  # bits of an integer


def grouping(node: exp.Anonymous) -> exp.Expr | None:
    if not 0 < len(node.expressions) <= _MOST:
        raise UnsupportedError(f"grouping takes 1 to {_MOST} columns.")
    bits: list[exp.Expr] = [exp.cast(call("grouping", column), exp.DType.INT) for column in node.expressions]
    return reduce(
        lambda high, low: exp.Paren(this=exp.Add(this=call("shiftleft", high, 1), expression=low)), bits
    )


RULE = Rule("grouping", __doc__ or "", functions={"grouping": grouping})
