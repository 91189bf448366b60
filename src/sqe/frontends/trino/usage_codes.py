"""Which of Trino's codes a statement gets that makes no sense in its client's session."""

from __future__ import annotations

from sqe.errors import SqeError, UsageError
from sqe.frontends.trino.trino_errors import (
    INVALID_PARAMETER_USAGE,
    INVALID_SESSION_PROPERTY,
    NOT_FOUND,
    ErrorCode,
)
from sqe.service.conversation import ClientContext
from sqe.sql import session_statement as statements


def usage_code(error: SqeError, text: str, context: ClientContext) -> ErrorCode | None:
    """A code that says more than the error's class; None when there is none."""
    if type(error) is not UsageError:
        return None
    match statements.read(text):
        case statements.SetSession() | statements.ResetSession():
            return INVALID_SESSION_PROPERTY
        case statements.Execute(name=name) | statements.Deallocate(name=name) if name not in context.prepared:
            return NOT_FOUND
        case statements.Execute() | statements.ExecuteImmediate() | None:
            return INVALID_PARAMETER_USAGE
        case _:
            return None
