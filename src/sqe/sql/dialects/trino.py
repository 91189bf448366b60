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

from sqe.sql.dialects import trino_json
from sqe.sql.dialects.bounded import BoundedParser

TYPED_LITERAL = "typed_literal"
"""The key under which a Cast remembers that it was written as DATE '..' and not as CAST('..' AS date)."""

OFFSET = "offset"
"""The key under which a Placeholder has its offset in the text."""

_OWN_TYPES = ("color", "p4hyperloglog", "qdigest", "setdigest")
"""Names of types that sqlglot does not know."""

_OWN_GRAMMAR = ("CAST", "TRY_CAST", "EXTRACT", "TRIM", "LISTAGG", "POSITION", "SUBSTRING")


_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET)
_BEHIND_VALUES = (
    TokenType.UNION,
    TokenType.INTERSECT,
    TokenType.EXCEPT,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
    TokenType.OFFSET,
    TokenType.FETCH,
)
"""What makes a query of the rows of VALUES that stand before it."""


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


def _plus(parser: Any) -> exp.Expr | None:
    """Parse a plus sign, which Trino has for some types alone; that of a plain number says nothing."""
    operand: exp.Expr | None = parser._parse_unary()  # noqa: SLF001
    if operand is None or (isinstance(operand, exp.Literal) and operand.is_int):
        return operand
    signed: exp.Expr = parser.expression(exp.Anonymous(this="trino_plus", expressions=[operand]))
    return signed


class SqeTrinoParser(BoundedParser, TrinoParser):
    """sqlglot's parser without its functions."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        **{name: TrinoParser.FUNCTION_PARSERS[name] for name in _OWN_GRAMMAR},
        **trino_json.PARSERS,
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        name: TrinoParser.NO_PAREN_FUNCTION_PARSERS[name] for name in ("ANY", "CASE")
    }
    NO_PAREN_FUNCTIONS: ClassVar[dict[Any, Any]] = {
        **TrinoParser.NO_PAREN_FUNCTIONS,
        TokenType.CURRENT_SCHEMA: exp.CurrentSchema,
    }
    UNARY_PARSERS: ClassVar[dict[Any, Any]] = {**TrinoParser.UNARY_PARSERS, TokenType.PLUS: _plus}
    # Not `->` and `->>` on JSON, nor `::`: they are other engines', and an arrow outside of a call is a mistake.
    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {TokenType.DOT: TrinoParser.COLUMN_OPERATORS[TokenType.DOT]}
    TYPE_LITERAL_PARSERS: ClassVar[dict[Any, Any]] = dict.fromkeys(exp.DType, typed_literal)
    PLACEHOLDER_PARSERS: ClassVar[dict[Any, Any]] = {
        TokenType.PLACEHOLDER: _parameter,
    }

    def _parse_types(self, check_func: bool = False, *arguments: Any, **options: Any) -> exp.Expr | None:
        named = not check_func and options.get("allow_identifiers", True)
        if not named or self._curr.token_type != TokenType.VAR or self._curr.text.lower() not in _OWN_TYPES:
            kind = super()._parse_types(check_func, *arguments, **options)
            if not check_func and isinstance(kind, exp.DataType) and self._behind(TokenType.R_BRACKET):
                self.raise_error("Invalid expression / Unexpected token", self._prev)  # `int[]`
            return kind
        name = self._curr.text.lower()
        self._advance()
        inner: list[exp.Expr | None] = []
        if self._match(TokenType.L_PAREN):
            inner = self._parse_csv(self._parse_types)
            self._match_r_paren()
        return exp.DataType(this=exp.DType.USERDEFINED, kind=name, expressions=inner)

    def _parse_derived_table_values(self, allow_value_synonym: bool = False) -> exp.Values | None:
        """Parse the rows of VALUES; `(VALUES 1 UNION VALUES 2)` and `(VALUES 1 LIMIT 1)` are queries."""
        if self._match_pair(TokenType.L_PAREN, TokenType.VALUES, advance=False) and self._values_go_on():
            return None
        return super()._parse_derived_table_values(allow_value_synonym)

    def _values_go_on(self) -> bool:
        """Return whether more than rows stands in the parentheses that begin here."""
        depth = 0
        for token in self._tokens[self._index :]:
            kind = token.token_type
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth == 0:
                return False
            if depth == 1 and kind in _BEHIND_VALUES:
                return True
        return False

    def _parse_wrapped_select(self, table: bool = False) -> exp.Expr | None:
        values = super()._parse_derived_table_values() if table and self._is_at(TokenType.VALUES) else None
        if values is None:
            return super()._parse_wrapped_select(table)
        return self._parse_query_modifiers(self._parse_set_operations(self._values_to_select(values)))

    def _parse_table(self, *arguments: Any, **options: Any) -> exp.Expr | None:
        """Parse a table of FROM; VALUES stands in parentheses there."""
        if self._is_at(TokenType.VALUES):
            self.raise_error("Invalid expression / Unexpected token", self._curr)
        return super()._parse_table(*arguments, **options)

    def _behind(self, kind: TokenType) -> bool:
        found: Any = self._prev
        return found is not None and found.token_type is kind

    def _is_at(self, kind: TokenType) -> bool:
        found: Any = self._curr
        return found is not None and found.token_type is kind

    def _parse_join(self, *arguments: Any, **options: Any) -> exp.Join | None:
        """Parse a join, which has ON or USING unless it says otherwise."""
        listed = self._is_at(TokenType.COMMA)
        join: exp.Join | None = super()._parse_join(*arguments, **options)
        if join is None or listed or join.args.get("on") is not None or join.args.get("using"):
            return join
        if (join.args.get("kind") or "").upper() != "CROSS" and not join.args.get("method"):
            self.raise_error("Expected ON or USING")
        return join


# Trino's names of types, and the words of its grammar that are types in other products.
_TYPES = frozenset(
    {
        "ARRAY", "BIGINT", "BOOLEAN", "CHAR", "DATE", "DECIMAL", "DOUBLE", "DOUBLE PRECISION", "HYPERLOGLOG",
        "INT", "INTEGER", "INTERVAL", "IPADDRESS", "IPPREFIX", "JSON", "MAP", "REAL", "ROW", "SMALLINT", "TDIGEST",
        "TIME", "TIMESTAMP", "TINYINT", "UNKNOWN", "UUID", "VARBINARY", "VARCHAR",
        "NULL", "RANGE", "UNION",
    }
)  # fmt: skip


class SqeTrino(Trino):
    """Trino's SQL with backticks as another way to quote a name, because Spark's DDL is accepted too."""

    INDEX_OFFSET = (
        0  # subscripts stay as they are written: `sqe.sql.trino.rules.subscripts` knows what they mean
    )
    NUMBERS_CAN_BE_UNDERSCORE_SEPARATED = True

    class Tokenizer(Trino.Tokenizer):
        IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ['"', "`"]
        # `E'..'`, `B'..'` and the like are not Trino's.

        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            word: kind
            for word, kind in Trino.Tokenizer.KEYWORDS.items()
            if kind not in TrinoParser.TYPE_TOKENS or word in _TYPES
        }

    Parser = SqeTrinoParser
