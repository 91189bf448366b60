"""The private Flight protocol between the shell and its gateway: headers, actions and their JSON.

Header      authorization: Bearer <token>       every call
            x-sqe-session: <session id>         every call but the first

Actions     sqe.session.open    OpenRequest -> {"session"}; the call stays open for as long as the client lives, and
                                the session ends with it, so a client that is killed leaves nothing behind
            sqe.query.submit    {"sql"} -> {"query"}
            sqe.query.status    {"query"} -> QueryStatus
            sqe.query.cancel    {"query"} -> {}
            sqe.gateway.status  {} -> what `sqe engine status` shows
            sqe.gateway.stop    {"drain": seconds} -> {}

DoGet       the ticket is a query id; Arrow batches, once

Errors      a FlightServerError (or a more precise status) whose extra_info is the JSON of `SqeError.to_dict`
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

from sqe.errors import SqeError, UsageError, from_dict
from sqe.model.query import Executor, Progress, QueryId, QueryState, QueryStatus
from sqe.model.session import SessionSpec

# The shell imports this module and decodes no requests.
if TYPE_CHECKING:
    from pydantic import TypeAdapter

AUTHORIZATION = "authorization"
SESSION = "x-sqe-session"

SESSION_OPEN = "sqe.session.open"
QUERY_SUBMIT = "sqe.query.submit"
QUERY_STATUS = "sqe.query.status"
QUERY_CANCEL = "sqe.query.cancel"
GATEWAY_STATUS = "sqe.gateway.status"
GATEWAY_STOP = "sqe.gateway.stop"


@dataclass(frozen=True, slots=True)
class Impersonation:
    """The user that `sqe policy test` acts as. Only a gateway that it has started accepts one."""

    user: str
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    trusted: bool = False  # for the setup of a test: no policy applies

    def __post_init__(self) -> None:
        if not self.user:
            raise UsageError("The user to impersonate has no name.")


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """The body of `sqe.session.open`."""

    spec: SessionSpec
    impersonation: Impersonation | None = None

    def encode(self) -> bytes:
        return json.dumps(asdict(self), default=_plain).encode()

    @classmethod
    def decode(cls, data: bytes) -> OpenRequest:
        """Read what `encode` wrote. Raises UsageError."""
        try:
            return _open_request().validate_json(data, strict=True)
        except ValueError as error:
            raise UsageError("The request to open a session is not valid.") from error


@cache
def _open_request() -> TypeAdapter[OpenRequest]:
    from pydantic import TypeAdapter

    return TypeAdapter(OpenRequest)


def _plain(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case frozenset():
            return sorted(value)
        case _:
            return str(value)


def encode(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields).encode()


def decode(data: bytes) -> dict[str, Any]:
    """Read a body. Raises UsageError unless it is a JSON object."""
    try:
        fields = json.loads(data or b"{}")
    except ValueError as error:
        raise UsageError("The request's body is not JSON.") from error
    if not isinstance(fields, dict):
        raise UsageError("The request's body is not a JSON object.")
    return fields


def text(fields: Mapping[str, Any], key: str) -> str:
    """Return a field that is required and text. Raises UsageError."""
    value = fields.get(key)
    if not isinstance(value, str):
        raise UsageError(f"The request lacks the field '{key}'.")
    return value


def encode_status(status: QueryStatus) -> bytes:
    return encode(
        {
            "query": status.query_id,
            "state": status.state.value,
            "progress": asdict(status.progress),
            "elapsed": status.elapsed,
            "note": status.note,
            "error": status.error.to_dict() if status.error else None,
        }
    )


def decode_status(data: bytes) -> QueryStatus:
    fields = decode(data)
    return QueryStatus(
        QueryId(fields["query"]),
        QueryState(fields["state"]),
        Progress(**fields["progress"] | {"executor": Executor(fields["progress"]["executor"])}),
        fields["elapsed"],
        fields["note"],
        from_dict(fields["error"]) if fields["error"] else None,
    )


def encode_error(error: SqeError) -> bytes:
    return encode(error.to_dict())


def decode_error(data: bytes) -> SqeError | None:
    """Return the error in a Flight error's extra_info, or None if it is not one of ours."""
    try:
        fields = json.loads(data)
    except ValueError:
        return None
    return from_dict(fields) if isinstance(fields, dict) and "code" in fields else None
