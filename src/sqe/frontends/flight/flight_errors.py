"""Translate errors to Flight's, for both Flight servers.

The message is `CODE: text`. For programs there is JSON in Flight's `extra_info`, which is sent in the trailer
`grpc-status-details-bin`.

pyarrow gives a server a class for some of gRPC's codes only. The others come from Python's own exceptions (KeyError is
NOT_FOUND, ValueError INVALID_ARGUMENT, NotImplementedError UNIMPLEMENTED), to whose message pyarrow adds the whole
traceback. `_Untraced` keeps it from doing so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import accumulate, takewhile
from types import TracebackType
from typing import TypeVar

import pyarrow.flight as fl

from sqe import errors
from sqe.errors import AccessDeniedError, LimitError, QueryCanceledError, SqeError, internal_error
from sqe.frontends.flight import wire

_log = logging.getLogger(__name__)

_T = TypeVar("_T")


class ErrorTranslator:
    """Raises `translate(error)` for an SqeError, and an internal error without details for anything else."""

    def __init__(self, translate: Callable[[SqeError], Exception]) -> None:
        self._translate = translate

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, SqeError):
            raise self._translate(error) from None
        if isinstance(error, Exception) and not isinstance(error, fl.FlightError):
            _log.error("a Flight call failed with an internal error", exc_info=error)
            raise self._translate(internal_error()) from None

    def iterate(self, items: Iterator[_T]) -> Iterator[_T]:
        """Translate the errors of an iterator that is read later."""
        with self:
            yield from items


def shell_error(error: SqeError) -> fl.FlightError:
    """Translate for the shell: a Flight error whose extra_info is the complete error."""
    public = f"{error.code}: {error.message}"
    extra = wire.encode_error(error)
    match error:
        case QueryCanceledError():
            return fl.FlightCancelledError(public, extra_info=extra)
        case AccessDeniedError():
            return fl.FlightUnauthorizedError(public, extra_info=extra)
        case LimitError():
            return fl.FlightUnavailableError(public, extra_info=extra)
        case _:
            return fl.FlightServerError(public, extra_info=extra)


class _Untraced(Exception):  # noqa: N818 - its subclasses are named after gRPC's codes
    """An exception that pyarrow cannot format, so that it names its class instead of sending its traceback."""

    @property
    def __suppress_context__(self) -> bool:  # type: ignore[override]  # read-only
        raise RuntimeError("no traceback of this leaves the gateway")


class Unauthenticated(_Untraced, fl.FlightUnauthenticatedError):  # type: ignore[misc]  # pyarrow has no types
    pass


class PermissionDenied(_Untraced, fl.FlightUnauthorizedError):  # type: ignore[misc]
    pass


class Cancelled(_Untraced, fl.FlightCancelledError):  # type: ignore[misc]
    pass


class DeadlineExceeded(_Untraced, fl.FlightTimedOutError):  # type: ignore[misc]
    pass


class Unavailable(_Untraced, fl.FlightUnavailableError):  # type: ignore[misc]
    pass


class Internal(_Untraced, fl.FlightInternalError):  # type: ignore[misc]
    pass


class NotFound(_Untraced, KeyError):  # noqa: N818 - its name is part of the message that clients see
    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError's own text is in quotes


class InvalidArgument(_Untraced, ValueError):  # noqa: N818
    pass


class Unimplemented(_Untraced, NotImplementedError):  # noqa: N818
    pass


# Every class is listed, so that a new one gets its own code: a test compares this with the tree. pyarrow cannot send
# gRPC's ABORTED, ALREADY_EXISTS, FAILED_PRECONDITION and RESOURCE_EXHAUSTED. UNAVAILABLE is for errors that may vanish
# on another try, a commit conflict included; INVALID_ARGUMENT is for those that do not.
CODES: dict[type[SqeError], type[Exception]] = {
    errors.SqeError: Internal,
    errors.ConfigError: Internal,
    errors.UsageError: InvalidArgument,
    errors.SetupError: Unavailable,
    errors.OfflineError: Unavailable,
    errors.ChecksumError: Unavailable,
    errors.BenchmarkError: Internal,
    errors.EngineError: Unavailable,
    errors.EngineStartError: Unavailable,
    errors.EngineLostError: Unavailable,
    errors.GatewayError: Unavailable,
    errors.SessionError: Unavailable,
    errors.AuthenticationError: Unauthenticated,
    errors.IdentityProviderError: Unavailable,  # the credentials were not refused
    errors.QueryError: Internal,
    errors.SqlSyntaxError: InvalidArgument,
    errors.SemanticError: InvalidArgument,
    errors.CatalogNotFoundError: NotFound,
    errors.SchemaNotFoundError: NotFound,
    errors.TableNotFoundError: NotFound,
    errors.ColumnNotFoundError: InvalidArgument,
    errors.FunctionNotFoundError: InvalidArgument,
    errors.DuplicateObjectError: InvalidArgument,
    errors.TypeMismatchError: InvalidArgument,
    errors.DataError: InvalidArgument,
    errors.DivisionByZeroError: InvalidArgument,
    errors.CastError: InvalidArgument,
    errors.UnsupportedError: Unimplemented,
    errors.FileAccessError: InvalidArgument,
    errors.CommitConflictError: Unavailable,
    errors.CatalogUnavailableError: Unavailable,
    errors.AccessDeniedError: PermissionDenied,
    errors.PolicyUnavailableError: PermissionDenied,  # without a decision access is denied
    errors.QueryCanceledError: Cancelled,
    errors.QueryTimeoutError: DeadlineExceeded,
    errors.QueryNotFoundError: NotFound,
    errors.LimitError: InvalidArgument,
    errors.QueryMemoryError: InvalidArgument,  # not UNAVAILABLE, after which clients send the statement again
    errors.StatementTooLargeError: InvalidArgument,
    errors.StatementTooComplexError: InvalidArgument,
    errors.TooManyRowsError: InvalidArgument,
    errors.TooManyQueriesError: Unavailable,
}

_DETAILS = "grpc-status-details-bin"
# Errors are sent in trailers, with the text three times in different escapes, and clients accept 8 kB of trailers.
_MESSAGE_BYTES = 4_800
_HINT_BYTES = 2_000


def error_translator(context: fl.ServerCallContext) -> ErrorTranslator:
    """Return the translator for a call of a Flight SQL client."""

    def translate(error: SqeError) -> Exception:
        error = _shortened(error)
        context.add_trailer(_DETAILS, wire.encode_error(error))
        return _with_code(error)

    return ErrorTranslator(translate)


def error_without_context(error: SqeError) -> Exception:
    """Translate in middleware and in the handshake, which have no call context."""
    error = _shortened(error)
    translated = _with_code(error)
    if isinstance(translated, fl.FlightError):
        translated.extra_info = wire.encode_error(error)
    return translated


def _shortened(error: SqeError) -> SqeError:
    """Return the error with its texts cut to fit into trailers, and without its detail."""
    return type(error)(
        _cut(error.message, _MESSAGE_BYTES),
        hint=_cut(error.hint, _HINT_BYTES) if error.hint else None,
        position=error.position,
        query_id=error.query_id,
        sqlstate=error.sqlstate,
    )


def _cut(text: str, budget: int) -> str:
    """Return the beginning of a text that takes at most `budget` bytes in trailers."""
    costs = accumulate(
        3 if character.isprintable() and character.isascii() else 8 * len(character.encode(errors="replace"))
        for character in text
    )
    length = sum(1 for _ in takewhile(lambda cost: cost <= budget, costs))
    return text if length == len(text) else text[:length] + "..."


def _with_code(error: SqeError) -> Exception:
    text = f"{error.code}: {error.message}" + (f" {error.hint}" if error.hint else "")
    text = text.removesuffix(".")  # pyarrow goes on with ". Detail: ..."
    return CODES[type(error)](text)
