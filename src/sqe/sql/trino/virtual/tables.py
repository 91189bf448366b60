"""Look up virtual tables by name, and produce their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import pyarrow as pa

from sqe.errors import CatalogNotFoundError, SchemaNotFoundError, TableNotFoundError
from sqe.model.query import QueryInfo
from sqe.model.session import SYSTEM_CATALOG
from sqe.sql.quote import quote_name
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual import information_schema, jdbc_columns, jdbc_empty, jdbc_names, metadata, runtime
from sqe.sql.trino.virtual.definition import Request, VirtualTable
from sqe.sql.trino.virtual.directory import Directory, NameFilter
from sqe.sql.trino.virtual.reference import INFORMATION_SCHEMA, VirtualReference
from sqe.sql.trino.virtual.source import Source

_TABLES: Mapping[tuple[str, str], VirtualTable] = MappingProxyType(
    {
        (table.schema, table.name): table
        for family in (information_schema, jdbc_columns, jdbc_empty, jdbc_names, metadata, runtime)
        for table in family.TABLES
    }
)
# The columns that `SELECT *` shows, by schema and table.
_COLUMNS: Mapping[str, Mapping[str, pa.Schema]] = MappingProxyType(
    {
        schema: {
            table.name: table.visible(frozenset()) for table in _TABLES.values() if table.schema == schema
        }
        for schema in sorted({table.schema for table in _TABLES.values()})
    }
)


def rows(reference: VirtualReference, source: Source, scope: Scope, queries: Sequence[QueryInfo]) -> pa.Table:
    """Return the rows of a virtual table, at least those that the reference needs. Raises SqeError."""
    table = _table(reference, scope)
    wanted = table.wanted(reference)
    if table.schema == INFORMATION_SCHEMA:
        catalog = _catalog(reference, source, scope)
        if catalog not in wanted.catalog:
            return columns(reference, scope).empty_table()
        wanted = replace(wanted, catalog=NameFilter(catalog))
    visible = columns(reference, scope)
    directory = Directory(source, _COLUMNS, schema_must_exist=reference.named_schema)
    parts = list(table.fill(Request(directory, wanted, scope, queries)))
    return pa.concat_tables([table.columns.empty_table(), *parts]).select(visible.names)


def columns(reference: VirtualReference, scope: Scope) -> pa.Schema:
    """Return the columns of a virtual table, without listing anything. Raises SqeError."""
    return _table(reference, scope).visible(reference.mentions)


def is_virtual_schema(catalog: str, schema: str) -> bool:
    """Return whether the gateway provides a schema, so that a client can USE it.

    Example:
        >>> is_virtual_schema("iceberg", "information_schema"), is_virtual_schema("iceberg", "jdbc")
        (True, False)
    """
    if catalog.lower() == SYSTEM_CATALOG:
        return schema.lower() in _COLUMNS
    return schema.lower() == INFORMATION_SCHEMA


def _table(reference: VirtualReference, scope: Scope) -> VirtualTable:
    catalog = reference.catalog if reference.catalog is not None else scope.catalog
    schema = reference.schema.lower()
    if catalog is None:
        raise CatalogNotFoundError(
            "The statement names no catalog, and the session has none.", hint="Write catalog.schema.table."
        )
    if not is_virtual_schema(catalog, schema):
        raise SchemaNotFoundError(f"The schema {quote_name(catalog, reference.schema)} cannot be found.")
    table = _TABLES.get((schema, reference.table.lower()))
    if table is None:
        name = quote_name(catalog, reference.schema, reference.table)
        raise TableNotFoundError(
            f"The table or view {name} cannot be found.",
            hint=f"There are: {', '.join(sorted(_COLUMNS[schema]))}.",
        )
    return table


def _catalog(reference: VirtualReference, source: Source, scope: Scope) -> str:
    """Return the catalog of an `information_schema`, spelled as in the listing."""
    wanted = reference.catalog if reference.catalog is not None else scope.catalog
    names = (SYSTEM_CATALOG, *source.catalogs())
    found = next((name for name in names if wanted is not None and name.lower() == wanted.lower()), None)
    if found is None:
        raise CatalogNotFoundError(
            f"The catalog '{wanted}' does not exist.", hint=f"There are: {', '.join(sorted(names))}."
        )
    return found
