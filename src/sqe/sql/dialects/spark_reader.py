"""Read policy expressions in Spark's SQL with sqlglot; statements in Spark's SQL reach Spark as they are.

As with Trino's (`sqe.sql.dialects.trino`), a call stays a call by its name, so that what is written out again is what
was read.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

from sqe.sql.dialects.bounded import BoundedParser
from sqe.sql.dialects.trino import typed_literal

_OWN_GRAMMAR = ("CAST", "TRY_CAST", "EXTRACT", "TRIM", "POSITION", "SUBSTRING")


class SqeSparkParser(BoundedParser, SparkParser):
    """sqlglot's parser without its functions."""

    STRICT_CAST = True  # a CAST that fails is an error under ANSI rules, which the engine uses
    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        name: SparkParser.FUNCTION_PARSERS[name] for name in _OWN_GRAMMAR
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        name: SparkParser.NO_PAREN_FUNCTION_PARSERS[name] for name in ("ANY", "CASE")
    }
    ARRAY_CONSTRUCTORS: ClassVar[dict[str, Any]] = {}  # `array(1, 2)[0]` is a subscript
    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {
        kind: SparkParser.COLUMN_OPERATORS[kind] for kind in (TokenType.DOT, TokenType.DCOLON)
    }
    TYPE_LITERAL_PARSERS: ClassVar[dict[Any, Any]] = dict.fromkeys(exp.DType, typed_literal)


class SqeSparkReader(Spark):
    """Spark 4.1's SQL."""

    INDEX_OFFSET = 0

    class Tokenizer(Spark.Tokenizer):
        STRING_ESCAPES: ClassVar[list[str]] = ["\\", "'", '"']  # a doubled quote is one too

    Parser = SqeSparkParser
