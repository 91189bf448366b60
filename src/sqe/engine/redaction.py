"""Redact the errors of statements on protected tables: no value, no plan and no policy is left in them.

Spark quotes the value that cannot be cast, the row that breaks a constraint, the operator that it does not accept. On a
protected table these can be what a row filter or a column mask hides. So a message is kept only where it is known to
hold names and types; all others become the kind of the error and Spark's condition. The gateway's log gets no more,
because its readers may not be allowed to read the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqe.engine.spark_errors import HINTS
from sqe.errors import (
    AccessDeniedError,
    AuthenticationError,
    CastError,
    CatalogNotFoundError,
    CatalogUnavailableError,
    ColumnNotFoundError,
    CommitConflictError,
    DataError,
    DivisionByZeroError,
    DuplicateObjectError,
    EngineError,
    FileAccessError,
    FunctionNotFoundError,
    LimitError,
    QueryCanceledError,
    QueryError,
    QueryMemoryError,
    QueryNotFoundError,
    QueryTimeoutError,
    SchemaNotFoundError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    TableNotFoundError,
    TooManyRowsError,
    TypeMismatchError,
    UnsupportedError,
)

# Their messages consist of names and of the gateway's own text.
_KEPT: tuple[type[SqeError], ...] = (
    *(SqlSyntaxError, CatalogNotFoundError, SchemaNotFoundError, TableNotFoundError, ColumnNotFoundError),
    *(FunctionNotFoundError, DuplicateObjectError, AccessDeniedError, AuthenticationError, EngineError),
    *(QueryCanceledError, QueryTimeoutError, QueryNotFoundError, CommitConflictError, TooManyRowsError),
    QueryMemoryError,
)

# Spark's conditions of errors that quote names, types and the user's own expressions. Others print operators.
_KEPT_CONDITIONS = frozenset(
    {
        *("AMBIGUOUS_REFERENCE", "DATATYPE_MISMATCH", "CANNOT_CAST_DATATYPE", "CANNOT_UP_CAST_DATATYPE"),
        *(
            "INCOMPATIBLE_DATA_FOR_TABLE",
            "INSERT_COLUMN_ARITY_MISMATCH",
            "INSERT_PARTITION_COLUMN_ARITY_MISMATCH",
        ),
        *(
            "MISSING_AGGREGATION",
            "MISSING_GROUP_BY",
            "NUM_COLUMNS_MISMATCH",
            "NUM_TABLE_VALUE_ALIASES_MISMATCH",
        ),
        *(
            "WRONG_NUM_ARGS",
            "GROUP_BY_POS_OUT_OF_RANGE",
            "ORDER_BY_POS_OUT_OF_RANGE",
            "DUPLICATE_ASSIGNMENTS",
        ),
        *("ASSIGNMENT_ARITY_MISMATCH", "INVALID_EXTRACT_BASE_FIELD_TYPE", "UNSUPPORTED_FEATURE"),
    }
)

# From the most to the least exact; the first that an error is an instance of.
_SUMMARIES: Mapping[type[SqeError], str] = {
    CastError: "A value cannot be cast",
    DivisionByZeroError: "There is a division by zero",
    DataError: "A value cannot be computed",
    TypeMismatchError: "Types do not go together",
    SemanticError: "The statement is not valid",
    UnsupportedError: "This is not supported",
    FileAccessError: "A file of the table cannot be read",
    CatalogUnavailableError: "The catalog does not answer",
    LimitError: "The statement goes beyond a limit of the engine",
    QueryError: "The statement failed while it ran",
    SqeError: "The statement failed",
}

_WITHHELD = "withheld: it may quote values that a policy hides"
_OURS = "SQE_"  # conditions of the Java part, whose messages are ours
_OF_VALUES = "SQE_VALUE_"  # and those of them that are about a value
_CONDITION = re.compile(
    r"\A\s*(?:[^\n\[]*?\b(?:[a-z_]\w*\.){1,12}[A-Z][\w$]*: )?\[([A-Z][A-Z0-9_]{2,80})(?:\.[A-Z0-9_]{1,80})?\]"
)
_SUGGESTION = "Did you mean "


def redacted(error: SqeError) -> SqeError:
    """Return the same error with nothing in it that a policy may hide. Its code, SQLSTATE and position stay."""
    condition = _condition(error)
    kept = isinstance(error, _KEPT) or _is_known(error, condition)
    message = _first_line(error.message) if kept else _general(error, condition)
    return type(error)(
        message,
        hint=error.hint if kept and _is_safe(error) else None,
        position=error.position,
        query_id=error.query_id,
        detail=f"{condition or 'no condition'} ({_WITHHELD})" if error.detail else None,
        sqlstate=error.sqlstate,
    )


def _is_known(error: SqeError, condition: str | None) -> bool:
    if error.detail is None:  # the gateway raised it, not the engine
        return not isinstance(error, DataError)
    if isinstance(error, StatementTooComplexError):  # the words of the Java part are made of numbers only
        return condition is not None and condition.startswith(_OURS)
    if not isinstance(error, SemanticError | UnsupportedError):
        return False
    if condition is None or condition.startswith(_OF_VALUES):
        return False
    return condition in _KEPT_CONDITIONS or condition.startswith(_OURS)


def _is_safe(error: SqeError) -> bool:
    """Whether the hint is one of the gateway's own, or holds names only."""
    hint = error.hint
    return hint is not None and (
        error.detail is None
        or hint in HINTS.values()
        or hint.startswith(_SUGGESTION)
        or isinstance(error, AccessDeniedError | EngineError | AuthenticationError)
    )


def _general(error: SqeError, condition: str | None) -> str:
    summary = next(text for kind, text in _SUMMARIES.items() if isinstance(error, kind))
    return f"{summary} ({condition})." if condition is not None else f"{summary}."


def _condition(error: SqeError) -> str | None:
    """Return Spark's condition, from the beginning of the text that it came with; further on, it could be a value."""
    found = _CONDITION.match(error.detail or "")
    return found[1] if found else None


def _first_line(message: str) -> str:
    return message.partition("\n")[0]
