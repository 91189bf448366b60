"""All errors that SQE raises, as one tree.

SqeError                       INTERNAL_ERROR          XX000
├── ConfigError                CONFIG_ERROR            F0000   a setting is wrong; names the file and the key
├── UsageError                 USAGE_ERROR             22023   an invalid command line or request
├── SetupError                 SETUP_FAILED            58000   the engine's parts cannot be installed
│   ├── OfflineError           OFFLINE                 08001   a part is missing and there is no network to fetch it
│   └── ChecksumError          CHECKSUM_MISMATCH       58030   a file is not the pinned one
├── BenchmarkError             BENCHMARK_FAILED        58000   a benchmark cannot be run, or its answers are wrong
├── EngineError                ENGINE_ERROR            58000   the Spark process failed, not the statement
│   ├── EngineStartError       ENGINE_START_FAILED     57P03   the engine did not become ready
│   └── EngineLostError        ENGINE_LOST             57P02   the engine ended while a statement ran
├── GatewayError               GATEWAY_UNREACHABLE     08006   the shell cannot reach its gateway
├── SessionError               SESSION_NOT_FOUND       08003   unknown, foreign or closed session
├── AuthenticationError        AUTHENTICATION_FAILED   28000   the credentials are missing, wrong or expired
│   └── IdentityProviderError  IDENTITY_PROVIDER_ERROR 28000   the identity provider does not answer
├── QueryError                 EXECUTION_FAILED        XX000   a statement failed
│   ├── SqlSyntaxError         SYNTAX_ERROR            42601
│   ├── SemanticError          SEMANTIC_ERROR          42000
│   │   ├── CatalogNotFoundError   CATALOG_NOT_FOUND   3D000
│   │   ├── SchemaNotFoundError    SCHEMA_NOT_FOUND    3F000
│   │   ├── TableNotFoundError     TABLE_NOT_FOUND     42P01
│   │   ├── ColumnNotFoundError    COLUMN_NOT_FOUND    42703
│   │   ├── FunctionNotFoundError  FUNCTION_NOT_FOUND  42883
│   │   ├── DuplicateObjectError   ALREADY_EXISTS      42710
│   │   └── TypeMismatchError      TYPE_MISMATCH       42804
│   ├── DataError              DATA_ERROR              22000   a value cannot be computed
│   │   ├── DivisionByZeroError    DIVISION_BY_ZERO    22012
│   │   └── CastError              INVALID_CAST        22018
│   ├── UnsupportedError       NOT_SUPPORTED           0A000
│   ├── FileAccessError        FILE_ERROR              58030   a file named in SQL cannot be read
│   ├── CommitConflictError    COMMIT_CONFLICT         40001   another statement changed the table first
│   ├── CatalogUnavailableError  CATALOG_UNAVAILABLE   08001   the catalog does not answer
│   ├── AccessDeniedError      ACCESS_DENIED           42501
│   │   └── PolicyUnavailableError  POLICY_UNAVAILABLE   42501   a policy engine does not answer, so access is denied
│   ├── QueryCanceledError     QUERY_CANCELED          57014
│   ├── QueryTimeoutError      QUERY_TIMEOUT           57014
│   └── QueryNotFoundError     QUERY_NOT_FOUND         26000   unknown, foreign or forgotten query id
└── LimitError                 LIMIT_EXCEEDED          54000   a configured limit is exceeded
    ├── StatementTooLargeError STATEMENT_TOO_LARGE     54000
    ├── StatementTooComplexError  STATEMENT_TOO_COMPLEX  54001
    ├── TooManyRowsError       TOO_MANY_ROWS           54000
    ├── QueryMemoryError       QUERY_OUT_OF_MEMORY     53200   the engine ended the statement to keep the others alive
    └── TooManyQueriesError    TOO_MANY_QUERIES        53300

`code` is stable and meant for programs, `message` is public and meant for users, `detail` is for the log only and is
never sent to a client. Front ends translate errors to their protocols; `to_dict` and `from_dict` are for SQE's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the statement as the client sent it; both count from 1."""

    line: int
    column: int


class SqeError(Exception):
    """An error that SQE reports to a user or a program."""

    code: ClassVar[str] = "INTERNAL_ERROR"
    sqlstate: str = "XX000"  # the class's default; an instance may have a more exact one

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        position: Position | None = None,
        query_id: str | None = None,
        detail: str | None = None,
        sqlstate: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.position = position
        self.query_id = query_id
        self.detail = detail
        if sqlstate is not None:
            self.sqlstate = sqlstate

    @property
    def located_message(self) -> str:
        """The message behind its position, as `line 1:3: ...`, for readers to whom the position is not shown."""
        if self.position is None:
            return self.message
        return f"line {self.position.line}:{self.position.column}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything that may leave the process."""
        return {
            "code": self.code,
            "sqlstate": self.sqlstate,
            "message": self.message,
            "hint": self.hint,
            "line": self.position.line if self.position else None,
            "column": self.position.column if self.position else None,
            "query_id": self.query_id,
        }


def internal_error(detail: str | None = None) -> SqeError:
    """Return the error for an unexpected exception; `detail` is for the log only."""
    hint = "The gateway's log has the details."
    return SqeError("The gateway failed with an internal error.", hint=hint, detail=detail)


class ConfigError(SqeError):
    code = "CONFIG_ERROR"
    sqlstate = "F0000"


class UsageReason(Enum):
    """Why a request makes no sense, for protocols that have a code for it."""

    SESSION_PROPERTY = "SESSION_PROPERTY"  # unknown, or a value that it cannot have
    PREPARED_STATEMENT = "PREPARED_STATEMENT"  # not found
    PARAMETERS = "PARAMETERS"  # more or fewer values than the statement has parameters
    AUTOCOMMIT = "AUTOCOMMIT"  # a change in a transaction


class UsageError(SqeError):
    code = "USAGE_ERROR"
    sqlstate = "22023"
    reason: UsageReason | None = None  # stays in the gateway

    @classmethod
    def of(cls, reason: UsageReason, message: str, *, hint: str | None = None) -> UsageError:
        """Return the error with its reason."""
        error = cls(message, hint=hint)
        error.reason = reason
        return error


class SetupError(SqeError):
    code = "SETUP_FAILED"
    sqlstate = "58000"


class OfflineError(SetupError):
    code = "OFFLINE"
    sqlstate = "08001"


class ChecksumError(SetupError):
    code = "CHECKSUM_MISMATCH"
    sqlstate = "58030"


class BenchmarkError(SqeError):
    """A benchmark that cannot be run, or whose answers are wrong."""

    code = "BENCHMARK_FAILED"
    sqlstate = "58000"


class EngineError(SqeError):
    code = "ENGINE_ERROR"
    sqlstate = "58000"


class EngineStartError(EngineError):
    code = "ENGINE_START_FAILED"
    sqlstate = "57P03"


class EngineLostError(EngineError):
    code = "ENGINE_LOST"
    sqlstate = "57P02"


class GatewayError(SqeError):
    code = "GATEWAY_UNREACHABLE"
    sqlstate = "08006"


class SessionError(SqeError):
    code = "SESSION_NOT_FOUND"
    sqlstate = "08003"


class AuthenticationError(SqeError):
    code = "AUTHENTICATION_FAILED"
    sqlstate = "28000"
    # Whether the client's own credentials were wrong, which counts as a failed login. An attribute and not a class: a
    # class has a code, and the code must not tell a client why it was refused.
    wrong_credentials: bool = False


class IdentityProviderError(AuthenticationError):
    code = "IDENTITY_PROVIDER_ERROR"


class QueryError(SqeError):
    code = "EXECUTION_FAILED"
    sqlstate = "XX000"


class SqlSyntaxError(QueryError):
    code = "SYNTAX_ERROR"
    sqlstate = "42601"


class SemanticError(QueryError):
    code = "SEMANTIC_ERROR"
    sqlstate = "42000"


class CatalogNotFoundError(SemanticError):
    code = "CATALOG_NOT_FOUND"
    sqlstate = "3D000"


class SchemaNotFoundError(SemanticError):
    code = "SCHEMA_NOT_FOUND"
    sqlstate = "3F000"


class TableNotFoundError(SemanticError):
    code = "TABLE_NOT_FOUND"
    sqlstate = "42P01"


class ColumnNotFoundError(SemanticError):
    code = "COLUMN_NOT_FOUND"
    sqlstate = "42703"


class FunctionNotFoundError(SemanticError):
    code = "FUNCTION_NOT_FOUND"
    sqlstate = "42883"


class DuplicateObjectError(SemanticError):
    code = "ALREADY_EXISTS"
    sqlstate = "42710"


class TypeMismatchError(SemanticError):
    code = "TYPE_MISMATCH"
    sqlstate = "42804"


class DataError(QueryError):
    code = "DATA_ERROR"
    sqlstate = "22000"


class DivisionByZeroError(DataError):
    code = "DIVISION_BY_ZERO"
    sqlstate = "22012"


class CastError(DataError):
    code = "INVALID_CAST"
    sqlstate = "22018"


class UnsupportedError(QueryError):
    code = "NOT_SUPPORTED"
    sqlstate = "0A000"


class FileAccessError(QueryError):
    code = "FILE_ERROR"
    sqlstate = "58030"


class CommitConflictError(QueryError):
    code = "COMMIT_CONFLICT"
    sqlstate = "40001"


class CatalogUnavailableError(QueryError):
    code = "CATALOG_UNAVAILABLE"
    sqlstate = "08001"


class AccessDeniedError(QueryError):
    code = "ACCESS_DENIED"
    sqlstate = "42501"


class PolicyUnavailableError(AccessDeniedError):
    code = "POLICY_UNAVAILABLE"


class QueryCanceledError(QueryError):
    code = "QUERY_CANCELED"
    sqlstate = "57014"


class QueryTimeoutError(QueryError):
    code = "QUERY_TIMEOUT"
    sqlstate = "57014"


class QueryNotFoundError(QueryError):
    code = "QUERY_NOT_FOUND"
    sqlstate = "26000"


class LimitError(SqeError):
    code = "LIMIT_EXCEEDED"
    sqlstate = "54000"


class StatementTooLargeError(LimitError):
    code = "STATEMENT_TOO_LARGE"
    sqlstate = "54000"


class StatementTooComplexError(LimitError):
    code = "STATEMENT_TOO_COMPLEX"
    sqlstate = "54001"


class TooManyRowsError(LimitError):
    code = "TOO_MANY_ROWS"
    sqlstate = "54000"


class QueryMemoryError(LimitError):
    code = "QUERY_OUT_OF_MEMORY"
    sqlstate = "53200"


class TooManyQueriesError(LimitError):
    code = "TOO_MANY_QUERIES"
    sqlstate = "53300"


def tree(root: type[SqeError] = SqeError) -> Iterator[type[SqeError]]:
    """Yield `root` and everything below it, parents first."""
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


_BY_CODE: Mapping[str, type[SqeError]] = {error.code: error for error in tree()}


def from_dict(fields: Mapping[str, Any]) -> SqeError:
    """Rebuild the error that `to_dict` described; an unknown code becomes a plain SqeError."""
    line, column = fields.get("line"), fields.get("column")
    return _BY_CODE.get(str(fields.get("code")), SqeError)(
        str(fields.get("message")),
        hint=fields.get("hint"),
        position=Position(int(line), int(column)) if line and column else None,
        query_id=fields.get("query_id"),
        sqlstate=fields.get("sqlstate"),
    )
