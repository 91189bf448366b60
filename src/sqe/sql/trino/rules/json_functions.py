"""Refuse `json_table`: Spark has no function like it."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import function_rule


def _refused(node: exp.Anonymous) -> exp.Expr:
    raise UnsupportedError(f"The function {node.name.lower()} is not supported.")


RULE = function_rule(__name__, __doc__, {"json_table": _refused})
