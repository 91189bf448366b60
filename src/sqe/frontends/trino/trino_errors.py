"""Map the gateway's errors to Trino's error codes, and write them as Trino's clients read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqe import errors
from sqe.errors import SqeError, UsageReason

USER = "USER_ERROR"
INTERNAL = "INTERNAL_ERROR"
RESOURCES = "INSUFFICIENT_RESOURCES"
EXTERNAL = "EXTERNAL"


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One of Trino's standard error codes."""

    name: str
    number: int
    type: str


GENERIC_USER_ERROR = ErrorCode("GENERIC_USER_ERROR", 0, USER)
PERMISSION_DENIED = ErrorCode("PERMISSION_DENIED", 4, USER)
NOT_FOUND = ErrorCode("NOT_FOUND", 5, USER)
_INTERNAL_ERROR = ErrorCode("GENERIC_INTERNAL_ERROR", 65536, INTERNAL)
_NO_ENGINE = ErrorCode("NO_NODES_AVAILABLE", 65541, INTERNAL)
_CATALOG = ErrorCode("ICEBERG_CATALOG_ERROR", 0x0504_000D, EXTERNAL)  # as in its Iceberg connector

# Every class is here, so that a new one does not get the code of another: a test compares this with the tree.
CODES: dict[type[SqeError], ErrorCode] = {
    errors.SqeError: _INTERNAL_ERROR,
    errors.ConfigError: ErrorCode("CONFIGURATION_INVALID", 65559, INTERNAL),
    errors.UsageError: GENERIC_USER_ERROR,
    errors.SetupError: _NO_ENGINE,
    errors.OfflineError: _NO_ENGINE,
    errors.ChecksumError: _NO_ENGINE,
    errors.BenchmarkError: _INTERNAL_ERROR,
    errors.EngineError: ErrorCode("REMOTE_TASK_ERROR", 65542, INTERNAL),
    errors.EngineStartError: _NO_ENGINE,
    errors.EngineLostError: ErrorCode("REMOTE_HOST_GONE", 65558, INTERNAL),
    errors.GatewayError: _INTERNAL_ERROR,
    errors.SessionError: ErrorCode("SERVER_SHUTTING_DOWN", 65545, INTERNAL),
    errors.AuthenticationError: PERMISSION_DENIED,
    errors.IdentityProviderError: PERMISSION_DENIED,
    errors.QueryError: _INTERNAL_ERROR,
    errors.SqlSyntaxError: ErrorCode("SYNTAX_ERROR", 1, USER),
    errors.SemanticError: GENERIC_USER_ERROR,
    errors.CatalogNotFoundError: ErrorCode("CATALOG_NOT_FOUND", 44, USER),
    errors.SchemaNotFoundError: ErrorCode("SCHEMA_NOT_FOUND", 45, USER),
    errors.TableNotFoundError: ErrorCode("TABLE_NOT_FOUND", 46, USER),
    errors.ColumnNotFoundError: ErrorCode("COLUMN_NOT_FOUND", 47, USER),
    errors.FunctionNotFoundError: ErrorCode("FUNCTION_NOT_FOUND", 6, USER),
    errors.DuplicateObjectError: ErrorCode("ALREADY_EXISTS", 12, USER),
    errors.TypeMismatchError: ErrorCode("TYPE_MISMATCH", 58, USER),
    errors.DataError: ErrorCode("INVALID_FUNCTION_ARGUMENT", 7, USER),
    errors.DivisionByZeroError: ErrorCode("DIVISION_BY_ZERO", 8, USER),
    errors.CastError: ErrorCode("INVALID_CAST_ARGUMENT", 9, USER),
    errors.UnsupportedError: ErrorCode("NOT_SUPPORTED", 13, USER),
    errors.FileAccessError: GENERIC_USER_ERROR,
    errors.CommitConflictError: ErrorCode("TRANSACTION_CONFLICT", 17, USER),
    errors.CatalogUnavailableError: _CATALOG,
    errors.AccessDeniedError: PERMISSION_DENIED,
    errors.PolicyUnavailableError: PERMISSION_DENIED,
    errors.QueryCanceledError: ErrorCode("USER_CANCELED", 3, USER),
    errors.QueryTimeoutError: ErrorCode("EXCEEDED_TIME_LIMIT", 131075, RESOURCES),
    errors.QueryNotFoundError: NOT_FOUND,
    errors.LimitError: ErrorCode("GENERIC_INSUFFICIENT_RESOURCES", 131072, RESOURCES),
    errors.StatementTooLargeError: ErrorCode("QUERY_TEXT_TOO_LARGE", 35, USER),
    errors.StatementTooComplexError: ErrorCode("QUERY_REJECTED", 31, USER),
    errors.TooManyRowsError: ErrorCode("QUERY_REJECTED", 31, USER),
    errors.QueryMemoryError: ErrorCode("EXCEEDED_LOCAL_MEMORY_LIMIT", 131079, RESOURCES),
    errors.TooManyQueriesError: ErrorCode("QUERY_QUEUE_FULL", 131074, RESOURCES),
}

# Where Spark's SQLSTATE says more than our class.
_BY_SQLSTATE: dict[str, ErrorCode] = {
    "42P06": ErrorCode("SCHEMA_ALREADY_EXISTS", 49, USER),
    "42P07": ErrorCode("TABLE_ALREADY_EXISTS", 50, USER),
    "42711": ErrorCode("COLUMN_ALREADY_EXISTS", 51, USER),
    "23502": ErrorCode("CONSTRAINT_VIOLATION", 16, USER),
    "22003": ErrorCode("NUMERIC_VALUE_OUT_OF_RANGE", 19, USER),
}


_BY_REASON: dict[UsageReason, ErrorCode] = {
    UsageReason.SESSION_PROPERTY: ErrorCode("INVALID_SESSION_PROPERTY", 14, USER),
    UsageReason.PREPARED_STATEMENT: NOT_FOUND,
    UsageReason.PARAMETERS: ErrorCode("INVALID_PARAMETER_USAGE", 80, USER),
    UsageReason.AUTOCOMMIT: ErrorCode("AUTOCOMMIT_WRITE_CONFLICT", 25, USER),
}


_RAISED_BY_USER = "P0001"  # Spark's SQLSTATE of raise_error() and assert_true()


def code_of(error: SqeError) -> ErrorCode:
    if type(error) is errors.QueryError and error.sqlstate == _RAISED_BY_USER:
        return GENERIC_USER_ERROR
    if isinstance(error, errors.UsageError) and error.reason is not None:
        return _BY_REASON[error.reason]
    if isinstance(error, errors.DuplicateObjectError | errors.DataError):
        return _BY_SQLSTATE.get(error.sqlstate, CODES[type(error)])
    return CODES[type(error)]


def error_json(error: SqeError) -> dict[str, Any]:
    """Return the `error` of a page; its message begins with the position, as Trino's do."""
    code = code_of(error)
    info = {"code": code.number, "name": code.name, "type": code.type}
    message = f"{error.message} {error.hint}" if error.hint else error.message
    failure: dict[str, Any] = {
        "type": "io.trino.sql.parser.ParsingException"
        if isinstance(error, errors.SqlSyntaxError)
        else "io.trino.spi.TrinoException",
        "message": message,
        "suppressed": [],
        "stack": [],
        "errorInfo": info,
    }
    fields: dict[str, Any] = {
        "sqlState": error.sqlstate,
        "errorCode": code.number,
        "errorName": code.name,
        "errorType": code.type,
    }
    if error.position is not None:
        line, column = max(1, error.position.line), max(1, error.position.column)
        message = failure["message"] = f"line {line}:{column}: {message}"
        failure["errorLocation"] = fields["errorLocation"] = {"lineNumber": line, "columnNumber": column}
    return {"message": message, **fields, "failureInfo": failure}
