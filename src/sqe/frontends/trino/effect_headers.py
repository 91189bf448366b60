"""Encode the effects of a statement on the client's state as headers, which the client stores and sends back."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote_plus

from sqe.frontends.trino import header_names as names
from sqe.frontends.trino.prepared_text import encode
from sqe.service import effects
from sqe.service.effects import Effect

Pairs = list[tuple[str, str]]


def effect_headers(changes: Iterable[Effect]) -> Pairs:
    """Return a header line for each effect: JDBC splits a line at its first equals sign, and at no comma."""
    return [_header(change) for change in changes]


def _header(change: Effect) -> tuple[str, str]:
    match change:
        case effects.SetCatalog(name=name):
            return names.SET_CATALOG, _plain(name)
        case effects.SetSchema(name=name):
            return names.SET_SCHEMA, _plain(name)
        case effects.SetPath(path=path):
            return names.SET_PATH, _plain(path)
        case effects.SetProperty(name=name, value=value):
            return names.SET_SESSION, f"{name}={quote_plus(value)}"
        case effects.ClearProperty(name=name):
            return names.CLEAR_SESSION, name
        case effects.SetTimeZone(zone=zone):
            if zone is None:
                return names.CLEAR_SESSION, names.TIME_ZONE_PROPERTY
            return names.SET_SESSION, f"{names.TIME_ZONE_PROPERTY}={quote_plus(zone)}"
        case effects.SetRole(role=role):
            selected = role.upper() if role.upper() in ("ALL", "NONE") else f'ROLE{{"{role}"}}'
            return names.SET_ROLE, f"system={quote_plus(selected)}"
        case effects.AddPrepared(name=name, sql=sql):
            return names.ADDED_PREPARE, f"{quote_plus(name)}={quote_plus(encode(sql))}"
        case effects.DropPrepared(name=name):
            return names.DEALLOCATED_PREPARE, quote_plus(name)
        case effects.StartTransaction(id=transaction):
            return names.STARTED_TRANSACTION_ID, transaction
        case effects.EndTransaction():
            return names.CLEAR_TRANSACTION_ID, "true"


def _plain(name: str) -> str:
    """Encode only names that a header cannot carry: clients do not decode these headers."""
    return name if name.isascii() and name.isprintable() else quote_plus(name)
