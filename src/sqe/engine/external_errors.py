"""Map errors of the systems that Spark calls for a user: the gateway's control endpoint, catalogs, object stores.

Iceberg's writers, Hadoop and failed tasks wrap these errors. The rules are therefore matched against every exception
of the chain, and against those that only a stack trace in a message names.
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
_UNRULES_STATE = f"{_ICEBERG}.CommitStateUnknownException"


@dataclass(frozen=True, slots=True)
class Cause:
    """One exception of a chain."""

    classes: Sequence[str]  # its own and those above it
    message: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Maps a Java exception to an error of SQE."""

    java_class: str
    pattern: str | None  # the message must match it
    kind: type[SqeError]
    message: str | None = None  # None: that of the exception
    hint: str | None = None


_LOG_IN = "Log in again."
_TRY_LATER = "Try again in a while; other catalogs still work."

# An earlier rule wins over a later one, wherever in the chain its exception is.
RULES: tuple[Rule, ...] = (
    Rule(f"{_OURS}.LoginEndedException", None, AuthenticationError, hint=_LOG_IN),
    Rule(f"{_OURS}.AccessRefusedException", None, AccessDeniedError),
    Rule(f"{_OURS}.CatalogSilentException", None, CatalogUnavailableError, hint=_TRY_LATER),
    Rule(f"{_OURS}.ProviderSilentException", None, IdentityProviderError, hint="Try again in a while."),
    Rule(
        f"{_OURS}.ControlException", None, EngineError, hint="Open another session, or try again in a while."
    ),
    Rule(
        f"{_ICEBERG}.NotAuthorizedException",
        None,
        AuthenticationError,
        "The catalog rejected the token of your login.",
        hint=_LOG_IN,
    ),
    Rule(f"{_ICEBERG}.ForbiddenException", None, AccessDeniedError),
    # Nessie reports a denied access as a service failure.
    Rule(f"{_ICEBERG}.ServiceFailureException", r"AccessCheckException|AccessDenied", AccessDeniedError),
    Rule(
        f"{_ICEBERG}.ServiceFailureException",
        r"SdkClientException|SdkException|S3Exception|StsException",
        CatalogUnavailableError,
        "The catalog could not reach its object store.",
        hint=_TRY_LATER,
    ),
    Rule(
        f"{_ICEBERG}.ServiceUnavailableException",
        None,
        CatalogUnavailableError,
        "The catalog is unavailable.",
        hint=_TRY_LATER,
    ),
    Rule(
        _S3,
        r"ExpiredToken|(?i:token.*expired|expired.*token)",
        AuthenticationError,
        "The credentials for the files of the table have expired.",
        hint="Run the statement again; it gets new ones.",
    ),
    # The response to a HEAD has no body, so that this is also how an expired token looks.
    Rule(
        _S3,
        r"InvalidAccessKeyId|InvalidToken|SignatureDoesNotMatch|Status Code: (?:400|401)\b",
        AuthenticationError,
        "The object store rejected the credentials for the files of the table; they may have expired.",
        hint="Run the statement again; it gets new ones.",
    ),
    Rule(
        _S3,
        r"Status Code: 403\b",
        AccessDeniedError,
        "The object store denied access to the files of the table.",
    ),
    Rule(_S3, r"Status Code: 404\b", FileAccessError, "A file of the table is missing in the object store."),
    Rule(
        _S3,
        r"Status Code: (?:429|5\d\d)\b",
        FileAccessError,
        "The object store of the table returned a server error.",
        hint="Try again in a while.",
    ),
    Rule(
        _SDK,
        None,
        FileAccessError,
        "The object store of the table cannot be reached.",
        hint="Try again in a while.",
    ),
)

# Iceberg puts these prefixes before a catalog's own message.
_CATALOG_PREFIX = re.compile(r"^(?:Forbidden|Not authorized|Server error): (?:\w+(?:Exception|Error): )?")
_QUOTED = re.compile(r"(?:^|[\s:(])((?:[a-z_]\w*\.){2,12}[A-Z]\w*(?:Exception|Error)): ([^\n]*)")
_READ_LIMIT = 20_000  # of one message


@dataclass(frozen=True, slots=True)
class ExternalError:
    """The class, message and hint of the SQE error for an external error."""

    kind: type[SqeError]
    message: str
    hint: str | None


def external_error(causes: Sequence[Cause]) -> ExternalError | None:
    """Find the external error in a chain of exceptions; None if there is none.

    Args:
        causes: the chain, outermost first.
    """
    found = list(_with_quoted(causes))
    if any(_UNRULES_STATE in cause.classes for cause in found):
        return None  # whether the statement took effect is unknown, which matters more than the reason
    for rule in RULES:
        for cause in found:
            if rule.java_class in cause.classes and re.search(rule.pattern or "", cause.message):
                message = rule.message or _CATALOG_PREFIX.sub("", cause.message).strip() or "Access denied."
                return ExternalError(rule.kind, message, rule.hint)
    return None


def _with_quoted(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Yield the exceptions of the chain, and those that their messages quote."""
    for cause in causes:
        yield cause
        for name, message in _QUOTED.findall(cause.message[:_READ_LIMIT]):
            yield Cause((name,), message)


def cause_chain(errors: Sequence[tuple[Sequence[str], str, int | None]], root: int) -> list[Cause]:
    """Return the chain that begins at index `root`; each error has classes, a message and the index of its cause."""
    found: list[Cause] = []
    seen: set[int] = set()
    at: int | None = root
    while at is not None and at not in seen and 0 <= at < len(errors):
        seen.add(at)
        classes, message, cause = errors[at]
        found.append(Cause(tuple(classes), message))
        at = cause
    return found
