"""Replace bitwise functions by Spark's operators."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import CallRewrite, call, function_rule, needs, renamed, wrapped


def _operator(kind: type[exp.Binary]) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr:
        needs(node, 2)
        left, right = node.expressions
        return exp.Paren(this=kind(this=wrapped(left), expression=wrapped(right)))

    return rewrite


def _not(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return exp.BitwiseNot(this=wrapped(node.expressions[0]))


def _bit_count(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return call("bit_count", node.expressions[0])


RULE = function_rule(
    __name__,
    __doc__,
    {
        "bit_count": _bit_count,
        "bitwise_and": _operator(exp.BitwiseAnd),
        "bitwise_and_agg": renamed("bit_and"),
        "bitwise_left_shift": renamed("shiftleft"),
        "bitwise_not": _not,
        "bitwise_or": _operator(exp.BitwiseOr),
        "bitwise_or_agg": renamed("bit_or"),
        "bitwise_right_shift": renamed("shiftrightunsigned"),
        "bitwise_right_shift_arithmetic": renamed("shiftright"),
        "bitwise_xor": _operator(exp.BitwiseXor),
        "bitwise_xor_agg": renamed("bit_xor"),
    },
)
