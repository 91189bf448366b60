"""Translate JSON functions: `json_parse` validates and normalizes text, and paths use Spark's `get_json_object`."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import call, function_rule, needs, text_of


def _parse(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("to_json", call("parse_json", node.expressions[0]))


def _extract(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    text, path = node.expressions
    constant = text_of(path)
    if constant is not None:
        path = exp.Literal.string(constant.removeprefix("lax ").removeprefix("strict "))
    return call("get_json_object", text, path)


def _format(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    inner: exp.Expr = node.expressions[0]
    return inner


def _size(node: exp.Anonymous) -> exp.Expr:
    needs(node, 2)
    return call("json_array_length", call("get_json_object", *node.expressions))


def _refused(node: exp.Anonymous) -> exp.Expr:
    raise UnsupportedError(f"The function {node.name.lower()} is not supported.")


RULE = function_rule(
    __name__,
    __doc__,
    {
        "json_extract": _extract,
        "json_extract_scalar": _extract,
        "json_format": _format,
        "json_parse": _parse,
        "json_query": _extract,
        "json_size": _size,
        "json_value": _extract,
        "json_exists": _refused,
        "json_table": _refused,
    },
)
