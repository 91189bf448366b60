"""Write the trees that `sqe.sql.dialects.trino` has read and the rules have changed as Spark 4.1's SQL.

Spelling alone is here: types, literals, quotes, under ANSI rules. What changes the structure of a statement is a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.dialect import groupconcat_sql, trim_sql
from sqlglot.dialects.spark import Spark
from sqlglot.generator import Generator
from sqlglot.generators.spark import SparkGenerator

from sqe.errors import UnsupportedError
from sqe.sql.dialects.trino import TYPED_LITERAL
from sqe.sql.quote import quote_literal
from sqe.sql.trino.lexer import unicode_text

PARAMETER = "sqe_parameter_"
"""Stands for a `?` until the order of all of them has been checked; its number follows."""

_TYPES: Mapping[exp.DType, str] = {
    exp.DType.BOOLEAN: "BOOLEAN",
    exp.DType.TINYINT: "TINYINT",
    exp.DType.SMALLINT: "SMALLINT",
    exp.DType.INT: "INT",
    exp.DType.BIGINT: "BIGINT",
    exp.DType.FLOAT: "FLOAT",
    exp.DType.DOUBLE: "DOUBLE",
    exp.DType.VARCHAR: "STRING",
    exp.DType.CHAR: "STRING",
    exp.DType.TEXT: "STRING",
    exp.DType.JSON: "STRING",
    exp.DType.UUID: "STRING",
    exp.DType.IPADDRESS: "STRING",
    exp.DType.VARBINARY: "BINARY",
    exp.DType.BINARY: "BINARY",
    exp.DType.DATE: "DATE",
    exp.DType.TIMESTAMP: "TIMESTAMP_NTZ",
    exp.DType.TIMESTAMPNTZ: "TIMESTAMP_NTZ",
    exp.DType.TIMESTAMPTZ: "TIMESTAMP",
    exp.DType.TIMESTAMPLTZ: "TIMESTAMP",
    exp.DType.VARIANT: "VARIANT",
}
_MAX_FRACTION = 6
_NO_SECONDS = re.compile(r"\A(\s*[\d-]+[ T]\d{1,2}:\d{2})(?![\d:])")

_NEGATED_INSIDE = (exp.In, exp.Like, exp.Between, exp.Escape)


def spark_type(type_: exp.DataType) -> str:
    """Write a type of Trino's as Spark's.

    Raises:
        UnsupportedError: Spark has none that is like it.
    """
    kind = type_.this
    arguments = type_.expressions
    if kind in _TYPES:
        return _TYPES[kind]
    if kind is exp.DType.DECIMAL:
        numbers = ", ".join(argument.name for argument in arguments)
        return f"DECIMAL({numbers})" if numbers else "DECIMAL(38, 0)"
    if kind is exp.DType.TIME:
        precision = arguments[0].name if arguments else ""
        return f"TIME({min(int(precision), _MAX_FRACTION)})" if precision.isdigit() else "TIME"
    if kind is exp.DType.ARRAY and len(arguments) == 1:
        return f"ARRAY<{spark_type(arguments[0])}>"
    if kind is exp.DType.MAP and len(arguments) == 2:
        return f"MAP<{spark_type(arguments[0])}, {spark_type(arguments[1])}>"
    if kind is exp.DType.STRUCT:
        return f"STRUCT<{', '.join(_field(item, number) for number, item in enumerate(arguments, 1))}>"
    if kind is exp.DType.INTERVAL or isinstance(kind, exp.Interval):
        span = kind if isinstance(kind, exp.Interval) else None
        unit = span.args.get("unit") if span is not None else None
        return f"INTERVAL {unit.sql().upper()}" if unit is not None else "INTERVAL"
    raise UnsupportedError(f"The type {type_.sql('trino').lower()} is not supported.")


def _field(item: exp.Expr, number: int) -> str:
    if isinstance(item, exp.ColumnDef):
        name = item.name.replace("`", "``")
        kind = item.args["kind"]
        return f"`{name}`: {spark_type(kind)}" if item.this.quoted else f"{name}: {spark_type(kind)}"
    assert isinstance(item, exp.DataType)
    return f"col{number}: {spark_type(item)}"


class SqeSparkGenerator(SparkGenerator):
    """sqlglot's for Spark, without its own translations of functions and relations: the rules have done that."""

    WRAP_DERIVED_VALUES = True
    EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[type[exp.Expr]]] = set()  # Spark has them everywhere
    RESERVED_KEYWORDS: ClassVar[set[str]] = {
        "anti",
        "semi",
        "minus",
    }  # plain names for Trino, no aliases for Spark
    TRANSFORMS: ClassVar[dict[Any, Callable[..., str]]] = {
        **Generator.TRANSFORMS,
        exp.GroupConcat: groupconcat_sql,
        exp.IntDiv: lambda self, e: self.binary(e, "DIV"),
        exp.NullSafeEQ: lambda self, e: self.binary(e, "IS NOT DISTINCT FROM"),
        exp.NullSafeNEQ: lambda self, e: self.binary(e, "IS DISTINCT FROM"),
        exp.StrPosition: lambda self, e: f"POSITION({self.sql(e, 'substr')} IN {self.sql(e, 'this')})",
        exp.Trim: trim_sql,
    }

    def placeholder_sql(self, expression: exp.Placeholder) -> str:
        return f"{PARAMETER}{expression.meta['number']}"

    def literal_sql(self, expression: exp.Literal) -> str:
        return quote_literal(expression.name) if expression.is_string else expression.name

    def datatype_sql(self, expression: exp.DataType) -> str:
        return spark_type(expression)

    def cast_sql(self, expression: exp.Cast, safe_prefix: str | None = None) -> str:
        literal = expression.this
        if expression.meta.get(TYPED_LITERAL) and isinstance(literal, exp.Literal):
            return self._typed_literal(literal.name, expression.to)
        to = self.sql(expression, "to")
        return f"{safe_prefix or ''}CAST({self.sql(literal)} AS {to})"

    def trycast_sql(self, expression: exp.TryCast) -> str:
        return self.cast_sql(expression, safe_prefix="TRY_")

    def _typed_literal(self, text: str, to: exp.DataType) -> str:
        """Write DATE '..' and its like, for the types that have such a literal in Spark."""
        kind = to.this
        if kind in (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ):
            # Spark wants seconds when there is a zone.
            text = _NO_SECONDS.sub(r"\1:00", text)
            return f"{spark_type(to)} {quote_literal(text.strip())}"
        if kind is exp.DType.DATE:
            return f"DATE {quote_literal(text)}"
        if kind is exp.DType.TIME:
            return f"TIME {quote_literal(text)}"
        if kind is exp.DType.DECIMAL and not to.expressions:
            digits = text.strip().lstrip("+-").replace(".", "").lstrip("0")
            scale = len(text.strip().partition(".")[2])
            return f"CAST({quote_literal(text)} AS DECIMAL({max(len(digits), scale, 1)}, {scale}))"
        if spark_type(to) == "STRING":
            return quote_literal(text)
        return f"CAST({quote_literal(text)} AS {spark_type(to)})"

    def ordered_sql(self, expression: exp.Ordered) -> str:
        descending = expression.args.get("desc")
        direction = " DESC" if descending else " ASC" if descending is False else ""
        if expression.args.get("nulls_first"):
            direction += " NULLS FIRST"
        elif not descending:  # last is Spark's own choice when descending
            direction += " NULLS LAST"
        return f"{self.sql(expression, 'this')}{direction}"

    def not_sql(self, expression: exp.Not) -> str:
        """Write `x NOT IN (..)` and not `NOT x IN (..)`: the form in which it was most likely written."""
        inner = expression.this
        if isinstance(inner, exp.Is):
            return f"{self.sql(inner, 'this')} IS NOT {self.sql(inner, 'expression')}"
        if isinstance(inner, _NEGATED_INSIDE):
            subject = inner.this.this if isinstance(inner, exp.Escape) else inner.this
            left = self.sql(subject)
            return f"{left} NOT{self.sql(inner).removeprefix(left)}"
        return super().not_sql(expression)

    def bracket_sql(self, expression: exp.Bracket) -> str:
        return f"{self.sql(expression, 'this')}[{self.expressions(expression, flat=True)}]"

    def array_sql(self, expression: exp.Array) -> str:
        return f"array({self.expressions(expression, flat=True)})"

    def unnest_sql(self, expression: exp.Unnest) -> str:
        raise UnsupportedError("UNNEST is supported in FROM only.")

    def values_sql(self, expression: exp.Values, values_as_table: bool = True) -> str:
        alias = self.sql(expression, "alias")
        if not alias or not isinstance(expression.parent, exp.SetOperation | exp.Subquery | None):
            return super().values_sql(expression, values_as_table)
        # A statement of its own: the names of its columns stand before ORDER BY.
        rows = self.expressions(expression, flat=True)
        return self.query_modifiers(expression, f"VALUES {rows} AS {alias}")

    def hexstring_sql(self, expression: exp.HexString, binary_function_repr: str | None = None) -> str:
        return f"X'{expression.name}'"

    def unicodestring_sql(self, expression: exp.UnicodeString) -> str:
        escape = expression.args.get("escape")
        return quote_literal(
            unicode_text(expression.name, escape.name if isinstance(escape, exp.Expr) else "\\")
        )

    def version_sql(self, expression: exp.Version) -> str:
        return Generator.version_sql(self, expression)

    def unsupported(self, message: str) -> None:
        raise UnsupportedError(f"This cannot be said in Spark's SQL: {message}.")


class SqeSpark(Spark):
    """Spark 4.1's SQL, for writing only."""

    INDEX_OFFSET = 0
    Generator = SqeSparkGenerator
