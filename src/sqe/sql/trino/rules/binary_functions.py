"""Translate functions on bytes: digests are bytes in Trino and hexadecimal text in Spark."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import CallRewrite, call, function_rule, needs, renamed


def _digest(name: str, *more: int) -> CallRewrite:
    def rewrite(node: exp.Anonymous) -> exp.Expr:
        needs(node, 1)
        return call("unhex", call(name, node.expressions[0], *more))

    return rewrite


RULE = function_rule(
    __name__,
    __doc__,
    {
        "from_base64": renamed("unbase64"),
        "from_hex": renamed("unhex"),
        "md5": _digest("md5"),
        "sha1": _digest("sha1"),
        "sha256": _digest("sha2", 256),
        "sha512": _digest("sha2", 512),
        "to_base64": renamed("base64"),
        "to_hex": renamed("hex"),
    },
)
