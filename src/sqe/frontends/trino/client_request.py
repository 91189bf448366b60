"""Read the request for a statement: the client's context in the headers, and the text in the body."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, unquote_plus

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request

from sqe.errors import StatementTooLargeError
from sqe.frontends.trino import header_names as names
from sqe.frontends.trino.encode.fragment import Style
from sqe.frontends.trino.endpoint import Refusal
from sqe.frontends.trino.prepared_text import decode
from sqe.model.zones import canonical
from sqe.service.client_statement import ClientContext

# Bytes of a body that is too long, which the server reads and discards, so that the client gets the answer.
_DISCARDED = 64 * 1024 * 1024
_LONGEST_VALUE = 8192
_LONGEST_NAME = 512
_NO_TRANSACTION = "NONE"
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_PARAMETRIC_DATETIME = "PARAMETRIC_DATETIME"


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """The headers of one request for a statement."""

    context: ClientContext
    style: Style
    encodings: tuple[str, ...]  # of pages that the client accepts, the preferred one first
    info: str | None
    tags: tuple[str, ...]
    trace_token: str | None


def read(headers: Headers, sql_bytes: int) -> ClientRequest:
    """Read the headers. Raises Refusal for a header that is repeated, too long or invalid."""
    properties = {name.lower(): value for name, value in _pairs(headers, names.SESSION)}
    zone = properties.pop(names.TIME_ZONE_PROPERTY, None) or single(headers, names.TIME_ZONE)
    canonical_zone = _zone(zone)
    prepared = {name: decode(value, sql_bytes) for name, value in _pairs(headers, names.PREPARED_STATEMENT)}
    transaction = single(headers, names.TRANSACTION_ID)
    capabilities = {item.upper() for item in _items(headers, names.CLIENT_CAPABILITIES)}
    return ClientRequest(
        ClientContext(
            catalog=_name(headers, names.CATALOG),
            schema=_name(headers, names.SCHEMA),
            properties=properties,
            prepared=prepared,
            transaction=None if transaction == _NO_TRANSACTION else transaction,
            time_zone=canonical_zone,
            source=single(headers, names.SOURCE),
        ),
        Style(canonical_zone, parametric_datetime=_PARAMETRIC_DATETIME in capabilities),
        tuple(item.lower() for item in _items(headers, names.QUERY_DATA_ENCODING)),
        single(headers, names.CLIENT_INFO),
        tuple(_items(headers, names.CLIENT_TAGS)),
        single(headers, names.TRACE_TOKEN),
    )


async def read_statement(request: Request, longest: int) -> str:
    """Read the text of a statement, keeping no more than `longest` bytes.

    Raises:
        StatementTooLargeError: it is longer than `longest` bytes.
        Refusal: the body is not text, empty, or far too long.
    """
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal(415, "Content-Encoding is not supported for statements.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdigit() or int(declared) > _DISCARDED:
        raise Refusal(413, "The statement is too long.", {"Connection": "close"})
    data = bytearray()
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size <= longest:
                data += chunk
            elif size > _DISCARDED:
                raise Refusal(413, "The statement is too long.", {"Connection": "close"})
            else:
                data.clear()
    except ClientDisconnect:
        raise Refusal(400, "The request body is incomplete.") from None
    if size > longest:
        raise StatementTooLargeError(
            f"The statement has {size} bytes, and the limit is {longest} (limits.sql_bytes).",
            hint="Split it, or put the data into a table.",
        )
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Refusal(400, "The statement is not UTF-8.") from None
    if not text.strip():
        raise Refusal(400, "SQL statement is empty")
    return text


def single(headers: Headers, name: str) -> str | None:
    """Return the value of a header that may be sent once; None if it is missing or empty. Raises Refusal."""
    values = {value.strip() for value in headers.getlist(name)}
    if len(values) > 1:
        raise Refusal(400, f"The header {name} was sent more than once.")
    value = values.pop() if values else ""
    if len(value) > _LONGEST_VALUE:
        raise Refusal(400, f"The header {name} is too long.")
    return _text(value, name) or None


def _name(headers: Headers, name: str) -> str | None:
    value = single(headers, name)
    if value is None:
        return None
    # `effect_headers` encodes names that a header cannot carry, and the client sends them back encoded.
    value = unquote(value) if _ENCODED.search(value) else value
    if len(value) > _LONGEST_NAME:
        raise Refusal(400, f"The header {name} is too long.")
    return value


def _zone(zone: str | None) -> str | None:
    if zone is None:
        return None
    found = canonical(zone)
    if found is None:
        raise Refusal(400, f"Time zone not supported: {zone[:100]}")
    return found


def _items(headers: Headers, name: str) -> Iterator[str]:
    """Yield the parts of a list header, on one line or on many."""
    for line in headers.getlist(name):
        for item in line.split(","):
            if item.strip():
                yield _text(item.strip(), name)


def _pairs(headers: Headers, name: str) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    for item in _items(headers, name):
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise Refusal(400, f"The header {name} must be pairs such as name=value.")
        decoded = unquote_plus(key.strip()), unquote_plus(value.strip())
        if seen.setdefault(*decoded) != decoded[1]:
            raise Refusal(400, f"The header {name} names '{decoded[0][:100]}' twice.")
        yield decoded


def _text(value: str, name: str) -> str:
    """Decode a header as UTF-8, although HTTP specifies Latin-1. Raises Refusal for control characters."""
    with contextlib.suppress(UnicodeDecodeError, UnicodeEncodeError):
        value = value.encode("latin-1").decode("utf-8")
    if any(character < " " or character == "\x7f" for character in value):
        raise Refusal(400, f"The header {name} contains control characters.")
    return value


def describe(request: ClientRequest) -> Mapping[str, object]:
    """Return the client's context for pages about a query."""
    return {
        "catalog": request.context.catalog,
        "schema": request.context.schema,
        "source": request.context.source,
        "clientInfo": request.info,
        "clientTags": list(request.tags),
        "traceToken": request.trace_token,
        "timeZone": request.context.time_zone,
    }
