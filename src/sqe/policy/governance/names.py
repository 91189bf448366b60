"""What a name in a statement about access means, as other statements of the same session would read it."""

from __future__ import annotations

from sqe.errors import CatalogNotFoundError, SemanticError
from sqe.model.session import Dialect
from sqe.policy.governance.surroundings import Surroundings, TableName
from sqe.sql import namespace


def table_name(parts: tuple[str, ...], around: Surroundings) -> TableName:
    """The full name of a table. Raises SemanticError."""
    *holders, name = parts
    if not holders:
        catalog, place = around.place()
        return TableName(_known(catalog, around), place, name)
    catalog, inside = _split(tuple(holders), around)
    return TableName(catalog, inside, name)


def schema_name(parts: tuple[str, ...], around: Surroundings) -> tuple[str, tuple[str, ...]]:
    """The catalog and the namespace of a schema. Raises SemanticError."""
    catalog, inside = _split(parts, around)
    if not inside:
        raise SemanticError(
            f"'{parts[0]}' is a catalog.", hint=f"Write CATALOG {parts[0]}, or name a schema."
        )
    return catalog, inside


def catalog_name(name: str, around: Surroundings) -> str:
    """A catalog as the session spells it. Raises CatalogNotFoundError."""
    return _known(name, around)


def _split(parts: tuple[str, ...], around: Surroundings) -> tuple[str, tuple[str, ...]]:
    """Which catalog, and which namespace in it, the parts before a table's name are."""
    if around.dialect is Dialect.TRINO:
        if len(parts) > 2:
            raise SemanticError(
                f"Too many parts in the name {'.'.join(parts)}.",
                hint='Write a schema of several parts as one: lake."a.b".t',
            )
        catalog = parts[0] if len(parts) == 2 else around.place()[0]
        return _known(catalog, around), namespace.split(parts[-1])
    if _find(parts[0], around) is not None:  # as Spark: what is a catalog's name means the catalog
        return _known(parts[0], around), parts[1:]
    return _known(around.place()[0], around), parts


def _known(name: str, around: Surroundings) -> str:
    found = _find(name, around)
    if found is None:
        raise CatalogNotFoundError(
            f"The catalog '{name}' does not exist.",
            hint=f"There are: {', '.join(sorted(around.catalogs()))}.",
        )
    return found


def _find(name: str, around: Surroundings) -> str | None:
    return next((known for known in around.catalogs() if known.lower() == name.lower()), None)
