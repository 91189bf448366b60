"""Match entries with resources and columns.

Grants match narrowly, restrictions widely. A grant on a table holds for that table only (by Iceberg's uuid), also after
a rename, and not for a later table of the same name. A restriction holds for the table and for the name.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqe.model.decision import Column, Kind, Resource
from sqe.policy.grants.entries import ColumnReference, Grant, Place
from sqe.sql.policy.statement_types import ObjectKind

_TABLES = (Kind.TABLE, Kind.VIEW)
_OF_ONE_TABLE = (ObjectKind.TABLE, ObjectKind.VIEW)
_TABLES_OF_SCHEMA = (ObjectKind.ALL_TABLES, ObjectKind.FUTURE_TABLES)


def allows_on(grant: Grant, resource: Resource, *, by_name: bool = False) -> bool:
    """Return whether a grant applies to the resource; `by_name` where only the name is known and shown."""
    place = grant.place
    if place.catalog.casefold() != resource.catalog.casefold():
        return False
    if place.kind in _OF_ONE_TABLE:
        return _is_that_table(place, resource, by_name=by_name)
    if place.kind is ObjectKind.CATALOG:
        return True
    if place.kind is ObjectKind.SCHEMA:
        return resource.namespace[: len(place.namespace)] == place.namespace
    if resource.kind not in _TABLES or resource.namespace != place.namespace:
        return False
    return place.kind is ObjectKind.ALL_TABLES or not _was_present(grant, resource)


def restricts_on(place: Place, resource: Resource, grant: Grant | None = None) -> bool:
    """Return whether a restriction on `place` applies to the resource. `grant` is that of FUTURE TABLES."""
    if place.kind in _OF_ONE_TABLE and place.uuid is not None and place.uuid == resource.uuid:
        return True  # under any name, in any catalog
    if place.kind in _OF_ONE_TABLE and not _same_name(place, resource):
        return False  # a quick exit for most entries
    if place.catalog.casefold() != resource.catalog.casefold():
        return False
    if place.kind is ObjectKind.CATALOG:
        return True
    namespace, own = _folded(resource.namespace), _folded(place.namespace)
    if place.kind is ObjectKind.SCHEMA:
        return namespace[: len(own)] == own
    if resource.kind not in _TABLES or namespace != own:
        return False
    if place.kind in _OF_ONE_TABLE:
        return True
    return place.kind is ObjectKind.ALL_TABLES or grant is None or not _was_present(grant, resource)


def overlaps(place: Place, resource: Resource) -> bool:
    """Return whether the place is the schema or catalog `resource`, contains it, or is inside of it."""
    if place.catalog.casefold() != resource.catalog.casefold():
        return False
    if resource.kind is Kind.CATALOG or place.kind is ObjectKind.CATALOG:
        return True
    shorter = min(len(place.namespace), len(resource.namespace))
    if place.namespace[:shorter] != resource.namespace[:shorter]:
        return False
    # A grant on the tables of a schema does not concern the schemas inside of it.
    return len(place.namespace) >= len(resource.namespace) or place.kind is ObjectKind.SCHEMA


def granted_columns(references: Sequence[ColumnReference], columns: Sequence[Column]) -> frozenset[str]:
    """Return the columns of a grant on columns: by field id, or by name where the entry has no field id."""
    ids = {reference.field_id for reference in references if reference.field_id is not None}
    names = {reference.name.casefold() for reference in references if reference.field_id is None}
    return frozenset(
        column.name
        for column in columns
        if (column.field_id is not None and column.field_id in ids) or column.name.casefold() in names
    )


def restricted_columns(references: Sequence[ColumnReference], columns: Sequence[Column]) -> frozenset[str]:
    """Return the columns of a restriction, by field id and by name; without known columns, the names as written."""
    if not columns:
        return frozenset(reference.name for reference in references)
    ids = {reference.field_id for reference in references if reference.field_id is not None}
    names = {reference.name.casefold() for reference in references}
    return frozenset(
        column.name for column in columns if column.field_id in ids or column.name.casefold() in names
    )


def _is_that_table(place: Place, resource: Resource, *, by_name: bool) -> bool:
    if resource.kind not in _TABLES:
        return False
    if place.uuid is not None and not (by_name and resource.uuid is None):
        return place.uuid == resource.uuid
    return (place.namespace, place.name) == (resource.namespace, resource.name)


def _same_name(place: Place, resource: Resource) -> bool:
    return (resource.name or "").casefold() == (place.name or "").casefold()


def _was_present(grant: Grant, resource: Resource) -> bool:
    """Return whether the table existed before FUTURE TABLES were granted."""
    for table in grant.present:
        if table.uuid is not None and resource.uuid is not None:
            if table.uuid == resource.uuid:
                return True
        elif table.name.casefold() == (resource.name or "").casefold():
            return True
    return False


def _folded(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.casefold() for part in parts)
