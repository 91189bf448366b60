"""`system.jdbc`: the catalogs, schemas and tables that JDBC's DatabaseMetaData lists."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from sqe.sql.trino.virtual.definition import TEXT, Request, VirtualTable, listed, part
from sqe.sql.trino.virtual.directory import ListingFilter

_CATALOGS = pa.schema([("table_cat", TEXT)])
_SCHEMAS = pa.schema([("table_schem", TEXT), ("table_catalog", TEXT)])
_TABLES = pa.schema(
    [
        ("table_cat", TEXT),
        ("table_schem", TEXT),
        ("table_name", TEXT),
        ("table_type", TEXT),
        ("remarks", TEXT),
        ("type_cat", TEXT),
        ("type_schem", TEXT),
        ("type_name", TEXT),
        ("self_referencing_col_name", TEXT),
        ("ref_generation", TEXT),
    ]
)
_TABLE_TYPES = pa.schema([("table_type", TEXT)])


def _catalogs(request: Request) -> Iterator[pa.Table]:
    names = request.directory.catalogs(ListingFilter())
    yield part(_CATALOGS, len(names), table_cat=names)


def _schemas(request: Request) -> Iterator[pa.Table]:
    schemas = request.directory.schemas(request.wanted)
    yield listed(_SCHEMAS, ((schema, catalog) for catalog, schema in schemas))


def _tables(request: Request) -> Iterator[pa.Table]:
    entries = request.directory.tables(request.wanted)
    yield listed(_TABLES, ((entry.catalog, entry.schema, entry.name, entry.kind) for entry in entries))


def _table_types(request: Request) -> Iterator[pa.Table]:  # noqa: ARG001 - the signature of `VirtualTable.fill`
    yield part(_TABLE_TYPES, 2, table_type=["TABLE", "VIEW"])


TABLES = (
    VirtualTable("jdbc", "catalogs", _CATALOGS, _catalogs),
    VirtualTable("jdbc", "schemas", _SCHEMAS, _schemas, ("table_catalog", "table_schem", "")),
    VirtualTable("jdbc", "tables", _TABLES, _tables, ("table_cat", "table_schem", "table_name")),
    VirtualTable("jdbc", "table_types", _TABLE_TYPES, _table_types),
)
