"""Get and set session options: `catalog`, `schema`, `time_zone`, and the session properties that have effect."""

from __future__ import annotations

from dataclasses import replace

from sqe.errors import UsageError
from sqe.frontends.flight.proto import Flight_pb2
from sqe.frontends.flight.session import FlightSession
from sqe.model.zones import canonical
from sqe.service import properties
from sqe.service.client_statement import ClientContext

CATALOG, SCHEMA, TIME_ZONE = "catalog", "schema", "time_zone"

_Result = Flight_pb2.SetSessionOptionsResult
_Value = Flight_pb2.SessionOptionValue


class _OptionError(Exception):
    def __init__(self, value: _Result.ErrorValue) -> None:
        super().__init__(value)
        self.value = value


def set_options(session: FlightSession, request: Flight_pb2.SetSessionOptionsRequest) -> _Result:
    """Set the valid options, and report an error for each other one."""
    result = _Result()
    context = session.context
    for name in sorted(request.session_options):
        try:
            context = _with(session, context, name.lower(), _text(request.session_options[name]))
        except _OptionError as wrong:
            result.errors[name].value = wrong.value
    session.change(context)
    return result


def get_options(session: FlightSession) -> Flight_pb2.GetSessionOptionsResult:
    context = session.context
    given = {
        **{item.name: context.properties.get(item.name, item.default) for item in properties.PROPERTIES},
        CATALOG: session.catalog,
        SCHEMA: session.schema,
        TIME_ZONE: context.time_zone,
    }
    result = Flight_pb2.GetSessionOptionsResult()
    for name, value in given.items():
        if value is None:
            result.session_options[name].SetInParent()
        else:
            result.session_options[name].string_value = value
    return result


def _with(session: FlightSession, context: ClientContext, name: str, value: str | None) -> ClientContext:
    """Return the context with one option set; None clears it."""
    match name:
        case "catalog":
            # The schema stays: drivers set the two one by one, in any order.
            return replace(context, catalog=_catalog(session, value))
        case "schema":
            return replace(context, schema=value or None)
        case "time_zone":
            return replace(context, time_zone=_zone(value))
    if name not in (item.name for item in properties.PROPERTIES):
        raise _OptionError(_Result.INVALID_NAME)
    kept = {key: text for key, text in context.properties.items() if key != name}
    if value is None:
        return replace(context, properties=kept)
    try:
        properties.check(name, value)
    except UsageError:
        raise _OptionError(_Result.INVALID_VALUE) from None
    return replace(context, properties={**kept, name: value})


def _catalog(session: FlightSession, value: str | None) -> str | None:
    if not value:
        return session.base.current_catalog
    known = {item.name.lower(): item.name for item in session.base.catalogs}
    if value.lower() not in known:
        raise _OptionError(_Result.INVALID_VALUE)
    return known[value.lower()]


def _zone(value: str | None) -> str | None:
    if not value:
        return None
    zone = canonical(value)
    if zone is None:
        raise _OptionError(_Result.INVALID_VALUE)
    return zone


def _text(value: _Value) -> str | None:
    """Return a value as text; None if there is none."""
    match value.WhichOneof("option_value"):
        case None:
            return None
        case "string_value":
            return str(value.string_value)
        case "bool_value":
            return str(value.bool_value).lower()
        case "int64_value":
            return str(value.int64_value)
        case "double_value":
            return str(value.double_value)
        case _:
            raise _OptionError(_Result.INVALID_VALUE)
