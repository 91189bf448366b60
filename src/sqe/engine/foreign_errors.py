"""Errors of those whom Spark asks for a user: the gateway itself, the catalog, the store.

They come wrapped: in errors of Iceberg's writers, of Hadoop, of a failed task. The one inside says what it is about, so
the tables are looked through for every exception in the chain, and for those whose names are only in a task's trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqe.errors import (
    AccessDeniedError,
    AuthenticationError,
    CatalogUnavailableError,
    EngineError,
    FileAccessError,
    IdentityProviderError,
    SqeError,
)

_OURS = "sqe.spark.identity"
_ICEBERG = "org.apache.iceberg.exceptions"
_S3 = "software.amazon.awssdk.services.s3.model.S3Exception"
_SDK = "software.amazon.awssdk.core.exception.SdkClientException"
_UNKNOWN_STATE = f"{_ICEBERG}.CommitStateUnknownException"


@dataclass(frozen=True, slots=True)
class Cause:
    """One exception of a chain."""

    classes: Sequence[str]  # its own and those above it
    message: str


@dataclass(frozen=True, slots=True)
class Known:
    java_class: str
    pattern: str | None  # that has to be in its message
    kind: type[SqeError]
    words: str | None = None  # None: its own
    hint: str | None = None


_LOG_IN = "Log in again."
_TRY_LATER = "Try again in a while; other catalogs are not concerned."

# What is above goes before what is below, wherever in the chain it is.
KNOWN: tuple[Known, ...] = (
    Known(f"{_OURS}.LoginEndedException", None, AuthenticationError, hint=_LOG_IN),
    Known(f"{_OURS}.AccessRefusedException", None, AccessDeniedError),
    Known(f"{_OURS}.CatalogSilentException", None, CatalogUnavailableError, hint=_TRY_LATER),
    Known(f"{_OURS}.ProviderSilentException", None, IdentityProviderError, hint="Try again in a while."),
    Known(
        f"{_OURS}.ControlException", None, EngineError, hint="Open another session, or try again in a while."
    ),
    Known(
        f"{_ICEBERG}.NotAuthorizedException",
        None,
        AuthenticationError,
        "The catalog does not accept the token of your login.",
        hint=_LOG_IN,
    ),
    Known(f"{_ICEBERG}.ForbiddenException", None, AccessDeniedError),
    # Nessie's way to say no is a failure of its own.
    Known(f"{_ICEBERG}.ServiceFailureException", r"AccessCheckException|AccessDenied", AccessDeniedError),
    Known(
        f"{_ICEBERG}.ServiceFailureException",
        r"SdkClientException|SdkException|S3Exception|StsException",
        CatalogUnavailableError,
        "The catalog could not reach its store.",
        hint=_TRY_LATER,
    ),
    Known(
        f"{_ICEBERG}.ServiceUnavailableException",
        None,
        CatalogUnavailableError,
        "The catalog is not available now.",
        hint=_TRY_LATER,
    ),
    Known(
        _S3,
        r"ExpiredToken|(?i:token.*expired|expired.*token)",
        AuthenticationError,
        "The credentials for the files of the table have expired.",
        hint="Run the statement again; it gets new ones.",
    ),
    # The answer to a HEAD has no text, so that a token that has expired looks like this.
    Known(
        _S3,
        r"InvalidAccessKeyId|InvalidToken|SignatureDoesNotMatch|Status Code: (?:400|401)\b",
        AuthenticationError,
        "The store does not accept the credentials for the files of the table; they may have expired.",
        hint="Run the statement again; it gets new ones.",
    ),
    Known(
        _S3,
        r"Status Code: 403\b",
        AccessDeniedError,
        "The store refuses access to the files of the table.",
    ),
    Known(_S3, r"Status Code: 404\b", FileAccessError, "A file of the table is not in the store."),
    Known(
        _S3,
        r"Status Code: (?:429|5\d\d)\b",
        FileAccessError,
        "The store that has the files of the table does not answer as it should.",
        hint="Try again in a while.",
    ),
    Known(
        _SDK,
        None,
        FileAccessError,
        "The store that has the files of the table cannot be reached.",
        hint="Try again in a while.",
    ),
)

# Iceberg's beginnings of what a catalog said.
_SAID_BY = re.compile(r"^(?:Forbidden|Not authorized|Server error): (?:\w+(?:Exception|Error): )?")
_TRACED = re.compile(r"(?:^|[\s:(])((?:[a-z_]\w*\.){2,12}[A-Z]\w*(?:Exception|Error)): ([^\n]*)")
_READ_LIMIT = 20_000  # of one message


@dataclass(frozen=True, slots=True)
class Foreign:
    kind: type[SqeError]
    words: str
    hint: str | None


def foreign_error(causes: Sequence[Cause]) -> Foreign | None:
    """What to say about a chain of exceptions, if one of them is from somebody whom Spark asked.

    Args:
        causes: the chain, outermost first.
    """
    found = list(_all(causes))
    if any(_UNKNOWN_STATE in cause.classes for cause in found):
        return None  # that nobody knows whether the statement took effect matters more than why
    for known in KNOWN:
        for cause in found:
            if known.java_class in cause.classes and re.search(known.pattern or "", cause.message):
                words = known.words or _SAID_BY.sub("", cause.message).strip() or "Access was refused."
                return Foreign(known.kind, words, known.hint)
    return None


def _all(causes: Sequence[Cause]) -> Iterator[Cause]:
    """The exceptions of the chain, and those that a message of it tells of."""
    for cause in causes:
        yield cause
        for name, message in _TRACED.findall(cause.message[:_READ_LIMIT]):
            yield Cause((name,), message)


def chain(errors: Sequence[tuple[Sequence[str], str, int | None]], root: int) -> list[Cause]:
    """The chain that begins at `root`: each error with its classes, its message and the place of its cause."""
    found: list[Cause] = []
    seen: set[int] = set()
    at: int | None = root
    while at is not None and at not in seen and 0 <= at < len(errors):
        seen.add(at)
        classes, message, cause = errors[at]
        found.append(Cause(tuple(classes), message))
        at = cause
    return found
