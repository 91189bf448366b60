"""Rename functions on text."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import call, function_rule, needs, renamed, text_of


def _strpos(node: exp.Anonymous) -> exp.Expr:
    if len(node.expressions) != 2:
        raise UnsupportedError("strpos with the number of an occurrence is not supported.")
    return call("instr", *node.expressions)


def _split(node: exp.Anonymous) -> exp.Expr:
    """Quote the delimiter as a regular expression, which Spark's `split` expects."""
    needs(node, 2, 3)
    text, delimiter, *limit = node.expressions
    constant = text_of(delimiter)
    if constant is not None and "\\E" not in constant:
        quoted: exp.Expr = exp.Literal.string(f"\\Q{constant}\\E")
    else:
        quoted = call("concat", "\\Q", delimiter, "\\E")
    return call("split", text, quoted, *(limit or [exp.Neg(this=exp.Literal.number(1))]))


def _to_utf8(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("encode", node.expressions[0], "UTF-8")


def _from_utf8(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("decode", node.expressions[0], "UTF-8")


RULE = function_rule(
    __name__,
    __doc__,
    {
        "codepoint": renamed("ascii"),
        "format": renamed("format_string"),
        "from_utf8": _from_utf8,
        "index": renamed("instr"),
        "levenshtein_distance": renamed("levenshtein"),
        "split": _split,
        "starts_with": renamed("startswith"),
        "strpos": _strpos,
        "to_utf8": _to_utf8,
    },
)
