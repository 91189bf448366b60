"""Read Trino's SQL with sqlglot, and leave the interpretation to the rules.

sqlglot gives many functions a meaning of its own, which is neither Trino's nor Spark's to the letter. So a call stays
a call by its name here, unless its arguments have a grammar of their own, and `sqe.sql.trino.rules` translates it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.trino import Trino
from sqlglot.parsers.trino import TrinoParser
from sqlglot.tokenizer_core import TokenType

from sqe.sql.dialects.bounded import BoundedParser

TYPED_LITERAL = "typed_literal"
"""The key under which a Cast remembers that it was written as DATE '..' and not as CAST('..' AS date)."""

OFFSET = "offset"
"""The key under which a Placeholder has its offset in the text."""

_OWN_GRAMMAR = ("CAST", "TRY_CAST", "EXTRACT", "TRIM", "LISTAGG", "POSITION", "SUBSTRING")


def typed_literal(parser: Any, literal: exp.Expr, kind: exp.DataType) -> exp.Cast:
    """Parse DATE '..' and its like: the text, with its type."""
    cast: exp.Cast = parser.expression(exp.Cast(this=literal, to=kind))
    cast.meta[TYPED_LITERAL] = True
    return cast


def _parameter(parser: Any) -> exp.Placeholder:
    """Parse a `?` and keep its offset, which decides on the order of the values."""
    found: exp.Placeholder = parser.expression(exp.Placeholder())
    found.meta[OFFSET] = parser._prev.start  # noqa: SLF001  # a parser's functions are its own
    return found


class SqeTrinoParser(BoundedParser, TrinoParser):
    """sqlglot's parser without its functions."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        name: TrinoParser.FUNCTION_PARSERS[name] for name in _OWN_GRAMMAR
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        name: TrinoParser.NO_PAREN_FUNCTION_PARSERS[name] for name in ("ANY", "CASE")
    }
    NO_PAREN_FUNCTIONS: ClassVar[dict[Any, Any]] = {
        **TrinoParser.NO_PAREN_FUNCTIONS,
        TokenType.CURRENT_SCHEMA: exp.CurrentSchema,
    }
    # Not `->` and `->>` on JSON, nor `::`: they are other engines', and an arrow outside of a call is a mistake.
    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {TokenType.DOT: TrinoParser.COLUMN_OPERATORS[TokenType.DOT]}
    TYPE_LITERAL_PARSERS: ClassVar[dict[Any, Any]] = dict.fromkeys(exp.DType, typed_literal)
    PLACEHOLDER_PARSERS: ClassVar[dict[Any, Any]] = {
        TokenType.PLACEHOLDER: _parameter,
    }


class SqeTrino(Trino):
    """Trino's SQL with backticks as another way to quote a name, because Spark's DDL is accepted too."""

    INDEX_OFFSET = (
        0  # subscripts stay as they are written: `sqe.sql.trino.rules.subscripts` knows what they mean
    )
    NUMBERS_CAN_BE_UNDERSCORE_SEPARATED = True

    class Tokenizer(Trino.Tokenizer):
        IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ['"', "`"]
        # `E'..'`, `B'..'` and the like are not Trino's.

    Parser = SqeTrinoParser
