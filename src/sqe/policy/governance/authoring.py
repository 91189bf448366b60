"""Expressions of policies when they are written: they parse, use what the table has, and have the right type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import pyarrow as pa

from sqe.errors import AccessDeniedError, Position, SemanticError, SqeError, TypeMismatchError
from sqe.model.decision import Column, Expression
from sqe.model.identity import Principal
from sqe.policy.binding import TAGGED, BoundExpression, bind, candidates
from sqe.policy.governance.surroundings import Surroundings
from sqe.sql.policy import expression as policy_expression
from sqe.sql.policy.masks import HASH_FUNCTION, SHARED_HASH_FUNCTION
from sqe.sql.policy.statement_types import Text
from sqe.sql.quote import quote_identifier

Result = TypeVar("Result")

_SOURCE = "grants: this statement"
# What a column may be where no table is known.
_ANY_TYPE = ("string", "bigint", "double", "boolean", "date", "timestamp", "binary")


class Authoring:
    """Checks the expressions of one statement."""

    def __init__(self, author: Principal, around: Surroundings, *, admin: bool, keyed: bool) -> None:
        self._author = author
        self._around = around
        self._admin = admin
        self._keyed = keyed

    def row_filter(self, text: Text, columns: Sequence[Column]) -> BoundExpression:
        """A filter for the rows of one table. Raises SqeError, with the place in the statement."""
        expression = self._expression(text, one_table=True)
        rendered = _placed(
            text, lambda: policy_expression.render(expression, self._author, columns, keyed=self._keyed)
        )
        kind = self._described(text, f"({rendered})", columns)
        if not pa.types.is_boolean(kind) and not pa.types.is_null(kind):
            raise TypeMismatchError(
                f"A row filter has to be a condition; this one is of the type {kind}.", position=text.position
            )
        return bind(text.text, self._around.dialect, columns)

    def mask(self, text: Text, column: Column, columns: Sequence[Column]) -> BoundExpression:
        """A mask for one column of a table. Raises SqeError, with the place in the statement."""
        expression = self._expression(text, one_table=True)
        rendered = _placed(
            text,
            lambda: policy_expression.render_mask(
                expression, self._author, column, columns, keyed=self._keyed
            ),
        )
        self._described(text, f"CAST(({rendered}) AS {column.type})", columns)
        return bind(text.text, self._around.dialect, columns)

    def filter_of_many(self, text: Text) -> BoundExpression:
        """A filter for tables that are not known yet: as far as it can be checked without their types."""
        expression = self._expression(text, one_table=False)
        names = candidates(text.text, self._around.dialect)

        def check(kind: str) -> None:
            columns = [Column(name, kind) for name in names]
            policy_expression.render(expression, self._author, columns, keyed=self._keyed)

        _placed(text, lambda: _any_of(check))
        return BoundExpression(text.text, self._around.dialect)

    def mask_of_tag(self, text: Text) -> BoundExpression:
        """A mask for columns with a tag, which are called `value` in it."""
        expression = self._expression(text, one_table=False)

        def check(kind: str) -> None:
            column = Column(TAGGED, kind)
            policy_expression.render_mask(expression, self._author, column, [column], keyed=self._keyed)

        _placed(text, lambda: _any_of(check))
        return BoundExpression(text.text, self._around.dialect)

    def _expression(self, text: Text, *, one_table: bool) -> Expression:
        expression = Expression(text.text, self._around.dialect, _SOURCE)
        if _placed(text, lambda: policy_expression.has_subquery(expression)) and not self._admin:
            raise AccessDeniedError(
                "Only an administrator may write a policy that looks into other tables.",
                position=text.position,
            )
        if _placed(text, lambda: policy_expression.shares_key(expression)):
            self._check_shared_key(text, one_table=one_table)
        return expression

    def _check_shared_key(self, text: Text, *, one_table: bool) -> None:
        """Whoever has values of their own hashed under a key can try those of the tables that share it."""
        if not self._admin:
            raise AccessDeniedError(
                "Only an administrator may use a key of mask_hash by its name.",
                hint="mask_hash with the column alone has a key of its own.",
                position=text.position,
            )
        if not one_table:
            raise SemanticError(
                "A key of mask_hash with a name can be used in a policy on one table only.",
                hint="Others may tag columns, or make tables, and could then try values.",
                position=text.position,
            )

    def _described(self, text: Text, rendered: str, columns: Sequence[Column]) -> pa.DataType:
        """The type that Spark gives it, over a row of the table's types: the table itself is not read."""
        # The guard's own functions are for policies only; these take and give the same types.
        rendered = rendered.replace(f"{HASH_FUNCTION}(", "md5(").replace(
            f"{SHARED_HASH_FUNCTION}(", "concat("
        )
        row = ", ".join(
            f"CAST(NULL AS {column.type}) AS {quote_identifier(column.name)}" for column in columns
        )
        source = f" FROM (SELECT {row})" if columns else ""
        try:
            return self._around.describe(f"SELECT {rendered} AS checked{source}").field(0).type
        except SqeError as error:  # its place is one in our own text
            raise type(error)(
                error.message, hint=error.hint, position=text.position, detail=error.detail
            ) from error


def _any_of(check: Callable[[str], None]) -> None:
    """Pass if any type will do; else the error is that of text."""
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


def _placed(text: Text, work: Callable[[], Result]) -> Result:
    """Do it; an error gets its place in the whole statement."""
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
