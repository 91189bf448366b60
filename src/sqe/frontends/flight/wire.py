"""What the two sides of our Flight protocol agree on.

Header      authorization: Bearer <token>       every call
            x-sqe-session: <session id>         every call but the first

Actions     sqe.session.open    SessionSpec -> {"session"}; the call stays open for as long as the client lives, and
                                the session ends with it, so a client that is killed leaves nothing behind;
                                "stand_in" besides is for `sqe policy test` and its own gateway (stand_in.py)
            sqe.query.submit    {"sql"} -> {"query"}
            sqe.query.status    {"query"} -> QueryStatus
            sqe.query.cancel    {"query"} -> {}
            sqe.gateway.status  {} -> what `sqe engine status` shows
            sqe.gateway.stop    {"drain": seconds} -> {}

DoGet       the ticket is a query id; Arrow batches, once

Errors      a FlightServerError (or a kinder status) whose extra_info is the JSON of `SqeError.to_dict`
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqe.errors import SqeError, UsageError, from_dict
from sqe.frontends.flight import stand_in
from sqe.frontends.flight.stand_in import StandIn
from sqe.model.query import Progress, QueryId, QueryState, QueryStatus
from sqe.model.session import Catalog, Dialect, RestCatalog, SessionSpec, Storage, WarehouseCatalog

AUTHORIZATION = "authorization"
SESSION = "x-sqe-session"

SESSION_OPEN = "sqe.session.open"
QUERY_SUBMIT = "sqe.query.submit"
QUERY_STATUS = "sqe.query.status"
QUERY_CANCEL = "sqe.query.cancel"
GATEWAY_STATUS = "sqe.gateway.status"
GATEWAY_STOP = "sqe.gateway.stop"


def encode(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields).encode()


def decode(data: bytes) -> dict[str, Any]:
    """Read a body. Raises UsageError for anything but a JSON object."""
    try:
        fields = json.loads(data or b"{}")
    except ValueError as error:
        raise UsageError("The request's body is not JSON.") from error
    if not isinstance(fields, dict):
        raise UsageError("The request's body is not a JSON object.")
    return fields


def text(fields: Mapping[str, Any], key: str) -> str:
    """A field that must be there and be text."""
    value = fields.get(key)
    if not isinstance(value, str):
        raise UsageError(f"The request lacks the field '{key}'.")
    return value


def encode_spec(spec: SessionSpec, who: StandIn | None = None) -> bytes:
    fields: dict[str, Any] = {
        "catalogs": [_encode_catalog(item) for item in spec.catalogs],
        "directory": str(spec.directory) if spec.directory else None,
        "dialect": spec.dialect.value,
    }
    return encode(fields if who is None else {**fields, stand_in.FIELD: stand_in.encode(who)})


def decode_spec(data: bytes) -> SessionSpec:
    fields = decode(data)
    directory = fields.get("directory")
    try:
        catalogs = tuple(map(_decode_catalog, fields["catalogs"]))
        dialect = Dialect(fields["dialect"])
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError("The session's catalogs or its dialect cannot be read.") from error
    return SessionSpec(catalogs, Path(directory) if directory else None, dialect)


def decode_stand_in(data: bytes) -> StandIn | None:
    """Whom the client wants to act as; None: itself. Raises UsageError."""
    fields = decode(data).get(stand_in.FIELD)
    if fields is None:
        return None
    if not isinstance(fields, dict):
        raise UsageError("The request does not say whom it acts as.")
    return stand_in.decode(fields)


def _encode_catalog(catalog: Catalog) -> dict[str, Any]:
    if isinstance(catalog, WarehouseCatalog):
        return {"name": catalog.name, "path": str(catalog.path) if catalog.path else None}
    return {**asdict(catalog), "storage": catalog.storage.value}


def _decode_catalog(fields: dict[str, Any]) -> Catalog:
    if "path" in fields:
        return WarehouseCatalog(str(fields["name"]), Path(fields["path"]) if fields["path"] else None)
    options = tuple((str(name), str(value)) for name, value in fields["options"])
    return RestCatalog(**{**fields, "storage": Storage(fields["storage"]), "options": options})


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
        Progress(**fields["progress"]),
        fields["elapsed"],
        fields["note"],
        from_dict(fields["error"]) if fields["error"] else None,
    )


def encode_error(error: SqeError) -> bytes:
    return encode(error.to_dict())


def decode_error(data: bytes) -> SqeError | None:
    """The error in a Flight error's extra_info, or None when it is not one of ours."""
    try:
        fields = json.loads(data)
    except ValueError:
        return None
    return from_dict(fields) if isinstance(fields, dict) and "code" in fields else None
