"""`system.metadata`: catalogs, comments of tables, and the available properties of tables."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from sqe.model.session import SYSTEM_CATALOG
from sqe.sql.trino.virtual.definition import TEXT, Request, VirtualTable, listed, nothing, part
from sqe.sql.trino.virtual.directory import ListingFilter

_CATALOGS = pa.schema([("catalog_name", TEXT), ("connector_id", TEXT), ("connector_name", TEXT)])
_TABLE_COMMENTS = pa.schema(
    [("catalog_name", TEXT), ("schema_name", TEXT), ("table_name", TEXT), ("comment", TEXT)]
)
_MATERIALIZED_VIEWS = pa.schema(
    [
        ("catalog_name", TEXT),
        ("schema_name", TEXT),
        ("name", TEXT),
        ("storage_catalog", TEXT),
        ("storage_schema", TEXT),
        ("storage_table", TEXT),
        ("freshness", TEXT),
        ("last_fresh_time", pa.timestamp("us", tz="UTC")),
        ("comment", TEXT),
        ("definition", TEXT),
    ]
)
_PROPERTIES = pa.schema(
    [
        ("catalog_name", TEXT),
        ("property_name", TEXT),
        ("default_value", TEXT),
        ("type", TEXT),
        ("description", TEXT),
    ]
)


def _catalogs(request: Request) -> Iterator[pa.Table]:
    names = request.directory.catalogs(ListingFilter())
    connectors = [SYSTEM_CATALOG if name == SYSTEM_CATALOG else "iceberg" for name in names]
    yield part(_CATALOGS, len(names), catalog_name=names, connector_id=names, connector_name=connectors)


def _table_comments(request: Request) -> Iterator[pa.Table]:
    yield listed(_TABLE_COMMENTS, request.directory.comments(request.wanted))


TABLES = (
    VirtualTable("metadata", "catalogs", _CATALOGS, _catalogs),
    VirtualTable(
        "metadata",
        "table_comments",
        _TABLE_COMMENTS,
        _table_comments,
        ("catalog_name", "schema_name", "table_name"),
    ),
    VirtualTable("metadata", "materialized_views", _MATERIALIZED_VIEWS, nothing),
    VirtualTable("metadata", "analyze_properties", _PROPERTIES, nothing),
    VirtualTable("metadata", "column_properties", _PROPERTIES, nothing),
    VirtualTable("metadata", "materialized_view_properties", _PROPERTIES, nothing),
    VirtualTable("metadata", "schema_properties", _PROPERTIES, nothing),
    VirtualTable("metadata", "table_properties", _PROPERTIES, nothing),
)
