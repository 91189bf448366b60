"""Describe what a finished statement changes in its client's session state.

Trino's clients keep that state themselves and get the changes in headers; for Flight SQL the gateway keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SetCatalog:
    name: str


@dataclass(frozen=True, slots=True)
class SetSchema:
    name: str


@dataclass(frozen=True, slots=True)
class SetPath:
    path: str


@dataclass(frozen=True, slots=True)
class SetProperty:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ClearProperty:
    name: str


@dataclass(frozen=True, slots=True)
class SetTimeZone:
    zone: str | None  # None: back to the client's own


@dataclass(frozen=True, slots=True)
class SetRole:
    role: str


@dataclass(frozen=True, slots=True)
class AddPrepared:
    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class DropPrepared:
    name: str


@dataclass(frozen=True, slots=True)
class StartTransaction:
    id: str


@dataclass(frozen=True, slots=True)
class EndTransaction:
    pass


Effect = (
    SetCatalog
    | SetSchema
    | SetPath
    | SetProperty
    | ClearProperty
    | SetTimeZone
    | SetRole
    | AddPrepared
    | DropPrepared
    | StartTransaction
    | EndTransaction
)
