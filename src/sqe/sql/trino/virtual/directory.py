"""List the catalogs, schemas, tables and columns that a client can see, including the virtual tables.

Every catalog has an `information_schema`, and there is a catalog `system`, as in Trino.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from sqe.errors import (
    AccessDeniedError,
    PolicyUnavailableError,
    QueryCanceledError,
    QueryError,
    QueryTimeoutError,
    SchemaNotFoundError,
    TableNotFoundError,
)
from sqe.model.session import SYSTEM_CATALOG
from sqe.sql.trino.virtual.reference import INFORMATION_SCHEMA
from sqe.sql.trino.virtual.source import Source, TableEntry

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NameFilter:
    """A set of names: one, those that satisfy a condition, or all."""

    only: str | None = None
    condition: Callable[[str], bool] | None = None

    def __contains__(self, name: str) -> bool:
        return self.only in (None, name) and (self.condition is None or self.condition(name))


ALL = NameFilter()


@dataclass(frozen=True, slots=True)
class ListingFilter:
    """The catalogs, schemas and tables to list."""

    catalog: NameFilter = ALL
    schema: NameFilter = ALL
    table: NameFilter = ALL


class Directory:
    """Lists what a filter selects. Raises SqeError when any catalog fails."""

    def __init__(
        self,
        source: Source,
        virtual: Mapping[str, Mapping[str, pa.Schema]],
        *,
        schema_must_exist: bool = False,
    ) -> None:
        self._source = source
        self._virtual = virtual  # schema, table, columns
        self._schema_must_exist = schema_must_exist  # the one whose tables are listed

    def catalogs(self, wanted: ListingFilter) -> list[str]:
        names = sorted([*self._source.catalogs(), SYSTEM_CATALOG])
        return [name for name in names if name in wanted.catalog]

    def schemas(self, wanted: ListingFilter) -> Iterator[tuple[str, str]]:
        """Yield catalogs with their schemas."""
        for catalog in self.catalogs(wanted):
            names = list(self._virtual_schemas(catalog))
            if catalog != SYSTEM_CATALOG and wanted.schema.only not in names:
                names += self._source.schemas(catalog)
            yield from ((catalog, name) for name in sorted(set(names)) if name in wanted.schema)

    def tables(self, wanted: ListingFilter) -> Iterator[TableEntry]:
        for catalog, schema in self._schemas_to_list(wanted):
            yield from (entry for entry in self._inside(catalog, schema) if entry.name in wanted.table)

    def columns(self, wanted: ListingFilter) -> Iterator[tuple[str, str, str, pa.Schema]]:
        """Yield catalog, schema and table, each with its columns. A table that cannot be described is left out."""
        for catalog, schema, table in self._tables_to_read(wanted):
            virtual = self._virtual_tables(catalog, schema)
            if virtual is not None:
                if table in virtual:
                    yield catalog, schema, table, virtual[table]
                continue
            try:
                yield catalog, schema, table, self._source.columns(catalog, schema, table)
            except (SchemaNotFoundError, TableNotFoundError):
                continue  # dropped since it was listed, or asked for by a name that is not there
            except (QueryCanceledError, QueryTimeoutError, PolicyUnavailableError):
                raise
            except QueryError as error:
                # A view whose table has changed, a table without its files, or one that the policy denies must not
                # hide all others. It is an error only if the statement asks for it by name.
                if wanted.table.only is not None:
                    raise
                _log.warning("left out of a listing: %s.%s.%s: %s", catalog, schema, table, error.message)

    def comments(self, wanted: ListingFilter) -> Iterator[tuple[str, str, str, str | None]]:
        """Yield catalog, schema and table, each with its comment."""
        for catalog, schema, table in self._tables_to_read(wanted):
            virtual = self._virtual_tables(catalog, schema)
            if virtual is not None:
                if table in virtual:
                    yield catalog, schema, table, None
                continue
            try:
                yield catalog, schema, table, self._source.comment(catalog, schema, table)
            except (SchemaNotFoundError, TableNotFoundError):
                continue  # dropped since it was listed, or asked for by a name that is not there
            except PolicyUnavailableError:
                raise
            except AccessDeniedError:
                continue  # its name may be known, and no more

    def views(self, wanted: ListingFilter) -> Iterator[tuple[TableEntry, str]]:
        """Yield views, each with its query."""
        for entry in self.tables(wanted):
            if entry.kind == "VIEW":
                try:
                    yield entry, self._source.view_definition(entry.catalog, entry.schema, entry.name)
                except TableNotFoundError:
                    continue  # dropped since it was listed
                except PolicyUnavailableError:
                    raise
                except AccessDeniedError:
                    continue  # its name may be known, and no more

    def _tables_to_read(self, wanted: ListingFilter) -> Iterator[tuple[str, str, str]]:
        """Yield the wanted tables; a single table by name is not searched in a listing."""
        schema, table = wanted.schema.only, wanted.table.only
        if schema is None or table is None:
            yield from ((entry.catalog, entry.schema, entry.name) for entry in self.tables(wanted))
        elif schema in wanted.schema and table in wanted.table:
            yield from ((catalog, schema, table) for catalog in self.catalogs(wanted))

    def _schemas_to_list(self, wanted: ListingFilter) -> Iterator[tuple[str, str]]:
        """Yield the wanted schemas; a single schema by name is not searched in a listing."""
        schema = wanted.schema.only
        if schema is None:
            yield from self.schemas(wanted)
        elif schema in wanted.schema:
            yield from ((catalog, schema) for catalog in self.catalogs(wanted))

    def _inside(self, catalog: str, schema: str) -> list[TableEntry]:
        virtual = self._virtual_tables(catalog, schema)
        if virtual is not None:
            return [TableEntry(catalog, schema, name, "TABLE") for name in sorted(virtual)]
        try:
            return self._source.tables(catalog, schema)
        except SchemaNotFoundError:
            if self._schema_must_exist:
                raise SchemaNotFoundError(f"Schema '{schema}' does not exist.") from None
            return []  # dropped since it was listed, or asked for by a name that is not there

    def _virtual_schemas(self, catalog: str) -> tuple[str, ...]:
        return tuple(self._virtual) if catalog == SYSTEM_CATALOG else (INFORMATION_SCHEMA,)

    def _virtual_tables(self, catalog: str, schema: str) -> Mapping[str, pa.Schema] | None:
        """Return the virtual tables of a schema; None for a schema of the source."""
        if catalog == SYSTEM_CATALOG:
            if self._schema_must_exist and schema not in self._virtual:
                raise SchemaNotFoundError(f"Schema '{schema}' does not exist.")
            return self._virtual.get(schema, {})
        return self._virtual[INFORMATION_SCHEMA] if schema == INFORMATION_SCHEMA else None
