"""Write policy expressions as Spark's SQL for the guard, which parses them in an engine that users share."""

from __future__ import annotations

import re

from sqlglot import exp

from sqe.errors import SemanticError, SqlSyntaxError
from sqe.sql.column_type import ColumnType
from sqe.sql.dialects.spark import SqeSpark, SqeSparkGenerator
from sqe.sql.quote import quote_literal

_EXACT_TYPE = "exact_type"
_HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F]{2})*")


def exact_type(kind: ColumnType) -> exp.DataType:
    """Return a column's own type as a node that is written as it is, and not as a type of Trino's."""
    made = exp.DataType(this=exp.DType.UNKNOWN)
    made.meta[_EXACT_TYPE] = str(kind)
    return made


def policy_literal(text: str) -> str:
    r"""Quote untrusted text. The result never has a `${`: under some settings Spark substitutes those even in strings.

    Raises:
        SemanticError: it has half of a character, which no stored value has.

    Example:
        >>> print(policy_literal("it's ${me}"))
        'it\'s \u0024{me}'
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise SemanticError("A text with half of a character (a surrogate) cannot be compared.") from None
    return quote_literal(text).replace("${", "\\u0024{")


class _Generator(SqeSparkGenerator):
    def literal_sql(self, expression: exp.Literal) -> str:
        return policy_literal(expression.name) if expression.is_string else expression.name

    def rawstring_sql(self, expression: exp.RawString) -> str:
        return policy_literal(expression.name)

    def hexstring_sql(self, expression: exp.HexString, binary_function_repr: str | None = None) -> str:
        if not _HEXADECIMAL.fullmatch(expression.name):
            raise SqlSyntaxError("The text between X' and ' is not made of pairs of hexadecimal digits.")
        return super().hexstring_sql(expression, binary_function_repr)

    def datatype_sql(self, expression: exp.DataType) -> str:
        exact = expression.meta.get(_EXACT_TYPE)
        return exact if isinstance(exact, str) else super().datatype_sql(expression)

    def var_sql(self, expression: exp.Var) -> str:
        if not expression.name.isidentifier():
            raise SqlSyntaxError(f"mismatched input '{expression.name}'")
        return expression.name


class PolicyWriter(SqeSpark):
    Generator = _Generator
