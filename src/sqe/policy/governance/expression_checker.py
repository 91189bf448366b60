"""Check the expressions of row filters and masks in statements: syntax, columns, functions and types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import pyarrow as pa

from sqe.errors import AccessDeniedError, Position, SemanticError, SqeError, TypeMismatchError
from sqe.model.decision import Column, Expression
from sqe.model.identity import Principal
from sqe.policy.binding import TAGGED, BoundExpression, bind, candidates
from sqe.policy.governance.statement_context import StatementContext
from sqe.sql.policy import expression as policy_expression
from sqe.sql.policy.masks import HASH_FUNCTION, SHARED_HASH_FUNCTION
from sqe.sql.policy.statement_types import ExpressionText
from sqe.sql.quote import quote_identifier

Result = TypeVar("Result")

_SOURCE = "grants: this statement"
# The types to try for a column where no table is known.
_ANY_TYPE = ("string", "bigint", "double", "boolean", "date", "timestamp", "binary")


class ExpressionChecker:
    """Checks the expressions of one statement."""

    def __init__(self, author: Principal, context: StatementContext, *, admin: bool, keyed: bool) -> None:
        self._author = author
        self._context = context
        self._admin = admin
        self._keyed = keyed

    def row_filter(self, text: ExpressionText, columns: Sequence[Column]) -> BoundExpression:
        """Check a row filter for one table. Raises SqeError, with the position in the statement."""
        expression = self._expression(text, one_table=True)
        rendered = _placed(
            text, lambda: policy_expression.render(expression, self._author, columns, keyed=self._keyed)
        )
        kind = self._described(text, f"({rendered})", columns)
        if not pa.types.is_boolean(kind) and not pa.types.is_null(kind):
            raise TypeMismatchError(
                f"A row filter has to be a condition; this one has the type {kind}.", position=text.position
            )
        return bind(text.text, self._context.dialect, columns)

    def mask(self, text: ExpressionText, column: Column, columns: Sequence[Column]) -> BoundExpression:
        """Check a mask for one column of a table. Raises SqeError, with the position in the statement."""
        expression = self._expression(text, one_table=True)
        rendered = _placed(
            text,
            lambda: policy_expression.render_mask(
                expression, self._author, column, columns, keyed=self._keyed
            ),
        )
        self._described(text, f"CAST(({rendered}) AS {column.type})", columns)
        return bind(text.text, self._context.dialect, columns)

    def filter_of_many(self, text: ExpressionText) -> BoundExpression:
        """Check a row filter for all tables of a schema or catalog, as far as possible without their types."""
        expression = self._expression(text, one_table=False)
        names = candidates(text.text, self._context.dialect)

        def check(kind: str) -> None:
            columns = [Column(name, kind) for name in names]
            policy_expression.render(expression, self._author, columns, keyed=self._keyed)

        _placed(text, lambda: _any_of(check))
        return BoundExpression(text.text, self._context.dialect)

    def mask_of_tag(self, text: ExpressionText) -> BoundExpression:
        """Check a mask for the columns with a tag, which are called `value` in it."""
        expression = self._expression(text, one_table=False)

        def check(kind: str) -> None:
            column = Column(TAGGED, kind)
            policy_expression.render_mask(expression, self._author, column, [column], keyed=self._keyed)

        _placed(text, lambda: _any_of(check))
        return BoundExpression(text.text, self._context.dialect)

    def _expression(self, text: ExpressionText, *, one_table: bool) -> Expression:
        expression = Expression(text.text, self._context.dialect, _SOURCE)
        if _placed(text, lambda: policy_expression.has_subquery(expression)) and not self._admin:
            raise AccessDeniedError(
                "Only an administrator may write a policy that reads other tables.",
                position=text.position,
            )
        if _placed(text, lambda: policy_expression.shares_key(expression)):
            self._check_shared_key(text, one_table=one_table)
        return expression

    def _check_shared_key(self, text: ExpressionText, *, one_table: bool) -> None:
        """Refuse a named key where users could have their own values hashed under it, and so guess hidden values."""
        if not self._admin:
            raise AccessDeniedError(
                "Only an administrator may use a key of mask_hash by its name.",
                hint="Use mask_hash with the column alone, which has its own key.",
                position=text.position,
            )
        if not one_table:
            raise SemanticError(
                "A named key of mask_hash can be used in a policy on one table only.",
                hint="Name the table: users who may tag columns or create tables could otherwise guess values.",
                position=text.position,
            )

    def _described(self, text: ExpressionText, rendered: str, columns: Sequence[Column]) -> pa.DataType:
        """Return the type that Spark gives the expression over a row of the table's types; the table is not read."""
        # The guard's own functions exist in policies only; these have the same argument and result types.
        rendered = rendered.replace(f"{HASH_FUNCTION}(", "md5(").replace(
            f"{SHARED_HASH_FUNCTION}(", "concat("
        )
        row = ", ".join(
            f"CAST(NULL AS {column.type}) AS {quote_identifier(column.name)}" for column in columns
        )
        source = f" FROM (SELECT {row})" if columns else ""
        try:
            return self._context.describe(f"SELECT {rendered} AS checked{source}").field(0).type
        except SqeError as error:  # its position is one in the generated query
            raise type(error)(
                error.message, hint=error.hint, position=text.position, detail=error.detail
            ) from error


def _any_of(check: Callable[[str], None]) -> None:
    """Pass if the check passes for any type; raise the error for text otherwise."""
    first: SqeError | None = None
    for kind in _ANY_TYPE:
        try:
            check(kind)
        except SqeError as error:
            first = first or error
        else:
            return
    assert first is not None
    raise first


def _placed(text: ExpressionText, work: Callable[[], Result]) -> Result:
    """Run `work`; an error gets its position in the whole statement."""
    try:
        return work()
    except SqeError as error:
        position = _moved(text.position, error.position)
        raise type(error)(error.message, hint=error.hint, position=position, detail=error.detail) from error


def _moved(start: Position, inside: Position | None) -> Position:
    if inside is None:
        return start
    if inside.line == 1:
        return Position(start.line, start.column + inside.column - 1)
    return Position(start.line + inside.line - 1, inside.column)
