"""Whether an entry is about what somebody asks for.

What allows is read narrowly, what restricts widely. A grant on a table holds for that very table (by Iceberg's uuid),
be it renamed or not, and for no other that takes its name later. A restriction holds for the table and for the name.
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
    """Whether what is granted holds for the resource; `by_name` where only the name is known and shown."""
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
    """Whether what is written about a place restricts the resource too. `grant` is that of FUTURE TABLES."""
    if place.kind in _OF_ONE_TABLE and place.uuid is not None and place.uuid == resource.uuid:
        return True  # under whatever name, in whatever catalog
    if place.kind in _OF_ONE_TABLE and not _same_name(place, resource):
        return False  # most of them
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


def touches(place: Place, resource: Resource) -> bool:
    """Whether the place is the schema or catalog that is asked about, or lies around or inside of it."""
    if place.catalog.casefold() != resource.catalog.casefold():
        return False
    if resource.kind is Kind.CATALOG or place.kind is ObjectKind.CATALOG:
        return True
    shorter = min(len(place.namespace), len(resource.namespace))
    if place.namespace[:shorter] != resource.namespace[:shorter]:
        return False
    # Around it means a schema that holds it; the tables of a schema say nothing of other schemas in it.
    return len(place.namespace) >= len(resource.namespace) or place.kind is ObjectKind.SCHEMA


def granted_columns(references: Sequence[ColumnReference], columns: Sequence[Column]) -> frozenset[str]:
    """The columns that a grant of columns gives: by field id, or by name where it was given without one."""
    ids = {reference.field_id for reference in references if reference.field_id is not None}
    names = {reference.name.casefold() for reference in references if reference.field_id is None}
    return frozenset(
        column.name
        for column in columns
        if (column.field_id is not None and column.field_id in ids) or column.name.casefold() in names
    )


def restricted_columns(references: Sequence[ColumnReference], columns: Sequence[Column]) -> frozenset[str]:
    """The columns that a restriction means: by field id and by name. Where no columns are known, as it names them."""
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
    """Whether the table was there before FUTURE TABLES were granted."""
    for table in grant.present:
        if table.uuid is not None and resource.uuid is not None:
            if table.uuid == resource.uuid:
                return True
        elif table.name.casefold() == (resource.name or "").casefold():
            return True
    return False


def _folded(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.casefold() for part in parts)
