"""Translate regular expressions: Trino returns the whole match where Spark returns the first group, and NULL where
Spark returns ''.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import call, function_rule, needs, renamed


def _extract(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2, 3)
    text, pattern, *group = node.expressions
    if not group:
        return call("regexp_substr", text, pattern)
    return call("nullif", call("regexp_extract", text, pattern, *group), "")


def _extract_all(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2, 3)
    text, pattern, *group = node.expressions
    return call("regexp_extract_all", text, pattern, *(group or [exp.Literal.number(0)]))


def _replace(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2, 3)
    text, pattern, *replacement = node.expressions
    if replacement and isinstance(replacement[0], exp.Lambda):
        raise UnsupportedError("regexp_replace with a function is not supported.")
    return call("regexp_replace", text, pattern, *(replacement or [exp.Literal.string("")]))


def _split(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return call("split", *node.expressions, exp.Neg(this=exp.Literal.number(1)))


RULE = function_rule(
    __name__,
    __doc__,
    {
        "regexp_extract": _extract,
        "regexp_extract_all": _extract_all,
        "regexp_position": renamed("regexp_instr"),
        "regexp_replace": _replace,
        "regexp_split": _split,
    },
)
