"""What a client says of itself in the headers of a statement."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, unquote_plus

from starlette.datastructures import Headers

from sqe.frontends.trino import header_names as names
from sqe.frontends.trino.encode.fragment import Style
from sqe.frontends.trino.prepared_text import decode
from sqe.frontends.trino.refusal import Refusal
from sqe.model.zones import canonical
from sqe.service.client_statement import ClientContext

_LONGEST_VALUE = 8192
_LONGEST_NAME = 512
_NO_TRANSACTION = "NONE"
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_PARAMETRIC_DATETIME = "PARAMETRIC_DATETIME"


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """One request for a statement."""

    context: ClientContext
    style: Style
    encodings: tuple[str, ...]  # of pages, which the client offers, the best first
    info: str | None
    tags: tuple[str, ...]
    trace_token: str | None


def read(headers: Headers, sql_bytes: int) -> ClientRequest:
    """Read the headers. Raises Refusal for what is twice there, too long, or makes no sense."""
    properties = dict(_pairs(headers, names.SESSION))
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


def single(headers: Headers, name: str) -> str | None:
    """The value of a header that may be there once; None when it is not, or empty. Raises Refusal."""
    values = {value.strip() for value in headers.getlist(name)}
    if len(values) > 1:
        raise Refusal(400, f"The header {name} is there twice.")
    value = values.pop() if values else ""
    if len(value) > _LONGEST_VALUE:
        raise Refusal(400, f"The header {name} is too long.")
    return _text(value, name) or None


def _name(headers: Headers, name: str) -> str | None:
    value = single(headers, name)
    if value is None:
        return None
    # What `effects` cannot write as it is comes back as it wrote it.
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
    """The parts of a header that is a list, on one line or on many."""
    for line in headers.getlist(name):
        for item in line.split(","):
            if item.strip():
                yield _text(item.strip(), name)


def _pairs(headers: Headers, name: str) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    for item in _items(headers, name):
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise Refusal(400, f"The header {name} has to be pairs such as name=value.")
        decoded = unquote_plus(key.strip()), unquote_plus(value.strip())
        if seen.setdefault(*decoded) != decoded[1]:
            raise Refusal(400, f"The header {name} names '{decoded[0][:100]}' twice.")
        yield decoded


def _text(value: str, name: str) -> str:
    """Headers come as Latin-1; clients mean UTF-8. Raises Refusal for control characters."""
    with contextlib.suppress(UnicodeDecodeError, UnicodeEncodeError):
        value = value.encode("latin-1").decode("utf-8")
    if any(character < " " or character == "\x7f" for character in value):
        raise Refusal(400, f"The header {name} holds control characters.")
    return value


def describe(request: ClientRequest) -> Mapping[str, object]:
    """What pages about a query show of its client."""
    return {
        "catalog": request.context.catalog,
        "schema": request.context.schema,
        "source": request.context.source,
        "clientInfo": request.info,
        "clientTags": list(request.tags),
        "traceToken": request.trace_token,
        "timeZone": request.context.time_zone,
    }
