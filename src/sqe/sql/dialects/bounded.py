"""Bound the work of sqlglot's parsers.

sqlglot tries one reading of a text, goes back, and tries another. Where such places are nested, each level doubles the
work: `varchar(varchar(varchar(...` is read as a type and then as a call, at every level. So this parser counts the
tokens that it reads again, and refuses a statement that needs far more of them than it has tokens.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.parser import Parser

from sqe.errors import StatementTooComplexError

_AT_LEAST = 20_000  # tokens; a tenth of a second or two
_FOR_EACH_TOKEN = 20


class BoundedParser(Parser):
    """Mix this in before a dialect's own parser."""

    _reread = 0

    def _retreat(self, index: int) -> None:
        if index < self._index:
            self._reread += self._index - index
            if self._reread > _AT_LEAST + _FOR_EACH_TOKEN * self._tokens_size:
                raise StatementTooComplexError(
                    "The statement is too complex to be read.",
                    hint="Nest fewer calls, types and parentheses in each other.",
                )
        super()._retreat(index)

    def _parse_types(self, check_func: bool = False, *arguments: Any, **options: Any) -> exp.Expr | None:
        # In the place of a value, `ARRAY[..]`, `MAP(..)` and `ROW(..)` are calls, and no type is worth a try.
        if check_func and self._curr.token_type in self.NESTED_TYPE_TOKENS:
            return None
        return super()._parse_types(check_func, *arguments, **options)
