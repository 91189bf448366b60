"""Resolve the names in statements about access as other statements of the same session do."""

from __future__ import annotations

from sqe.errors import CatalogNotFoundError, SemanticError
from sqe.model.session import Dialect
from sqe.policy.governance.statement_context import StatementContext, TableName
from sqe.sql import namespace


def table_name(parts: tuple[str, ...], context: StatementContext) -> TableName:
    """Return the full name of a table. Raises SemanticError."""
    *holders, name = parts
    if not holders:
        catalog, place = context.place()
        return TableName(_known(catalog, context), place, name)
    catalog, inside = _split(tuple(holders), context)
    return TableName(catalog, inside, name)


def schema_name(parts: tuple[str, ...], context: StatementContext) -> tuple[str, tuple[str, ...]]:
    """Return the catalog and the namespace of a schema. Raises SemanticError."""
    catalog, inside = _split(parts, context)
    if not inside:
        raise SemanticError(
            f"'{parts[0]}' is a catalog.", hint=f"Write CATALOG {parts[0]}, or name a schema."
        )
    return catalog, inside


def catalog_name(name: str, context: StatementContext) -> str:
    """Return the catalog's name as the session spells it. Raises CatalogNotFoundError."""
    return _known(name, context)


def _split(parts: tuple[str, ...], context: StatementContext) -> tuple[str, tuple[str, ...]]:
    """Split the parts before a table's name into the catalog and the namespace."""
    if context.dialect is Dialect.TRINO:
        if len(parts) > 2:
            raise SemanticError(
                f"Too many parts in the name {'.'.join(parts)}.",
                hint='Write a schema of several parts as one: lake."a.b".t',
            )
        catalog = parts[0] if len(parts) == 2 else context.place()[0]
        return _known(catalog, context), namespace.split(parts[-1])
    if _find(parts[0], context) is not None:  # as in Spark: the name of a catalog means the catalog
        return _known(parts[0], context), parts[1:]
    return _known(context.place()[0], context), parts


def _known(name: str, context: StatementContext) -> str:
    found = _find(name, context)
    if found is None:
        raise CatalogNotFoundError(
            f"The catalog '{name}' does not exist.",
            hint=f"There are: {', '.join(sorted(context.catalogs()))}.",
        )
    return found


def _find(name: str, context: StatementContext) -> str | None:
    return next((known for known in context.catalogs() if known.lower() == name.lower()), None)
