"""`information_schema` of a catalog: its schemas, tables, columns and views."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from sqe.sql.trino.types import trino_type
from sqe.sql.trino.virtual.definition import LONG, TEXT, Request, VirtualTable, listed, nothing, part
from sqe.sql.trino.virtual.reference import INFORMATION_SCHEMA
from sqe.sql.trino.virtual.source import COMMENT

_KEYS = ("table_catalog", "table_schema", "table_name")
_TYPES = {"TABLE": "BASE TABLE", "VIEW": "VIEW"}

_SCHEMATA = pa.schema([("catalog_name", TEXT), ("schema_name", TEXT)])
_TABLES = pa.schema(
    [("table_catalog", TEXT), ("table_schema", TEXT), ("table_name", TEXT), ("table_type", TEXT)]
)
_VIEWS = pa.schema(
    [("table_catalog", TEXT), ("table_schema", TEXT), ("table_name", TEXT), ("view_definition", TEXT)]
)
_COLUMNS = pa.schema(
    [
        ("table_catalog", TEXT),
        ("table_schema", TEXT),
        ("table_name", TEXT),
        ("column_name", TEXT),
        ("ordinal_position", LONG),
        ("column_default", TEXT),
        ("is_nullable", TEXT),
        ("data_type", TEXT),
        ("comment", TEXT),
        ("extra_info", TEXT),
        ("column_comment", TEXT),
    ]
)
_TABLE_PRIVILEGES = pa.schema(
    [
        ("grantor", TEXT),
        ("grantor_type", TEXT),
        ("grantee", TEXT),
        ("grantee_type", TEXT),
        ("table_catalog", TEXT),
        ("table_schema", TEXT),
        ("table_name", TEXT),
        ("privilege_type", TEXT),
        ("is_grantable", TEXT),
        ("with_hierarchy", TEXT),
    ]
)
_ROLES = pa.schema([("role_name", TEXT)])
_APPLICABLE_ROLES = pa.schema(
    [("grantee", TEXT), ("grantee_type", TEXT), ("role_name", TEXT), ("is_grantable", TEXT)]
)


def _schemata(request: Request) -> Iterator[pa.Table]:
    yield listed(_SCHEMATA, request.directory.schemas(request.wanted))


def _tables(request: Request) -> Iterator[pa.Table]:
    entries = request.directory.tables(request.wanted)
    yield listed(
        _TABLES, ((entry.catalog, entry.schema, entry.name, _TYPES[entry.kind]) for entry in entries)
    )


def _views(request: Request) -> Iterator[pa.Table]:
    views = request.directory.views(request.wanted)
    yield listed(_VIEWS, ((view.catalog, view.schema, view.name, definition) for view, definition in views))


def _columns(request: Request) -> Iterator[pa.Table]:
    for catalog, schema, table, fields in request.directory.columns(request.wanted):
        comments = comments_of(fields)
        yield part(
            _COLUMNS,
            len(fields),
            table_catalog=catalog,
            table_schema=schema,
            table_name=table,
            column_name=fields.names,
            ordinal_position=list(range(1, len(fields) + 1)),
            is_nullable=["YES" if field.nullable else "NO" for field in fields],
            data_type=[trino_type(field.type, field.metadata).text for field in fields],
            comment=comments,
            column_comment=comments,
        )


def comments_of(fields: pa.Schema) -> list[str | None]:
    """Return the comments of columns."""
    texts = ((field.metadata or {}).get(COMMENT) for field in fields)
    return [text.decode() if text else None for text in texts]


TABLES = (
    VirtualTable(
        INFORMATION_SCHEMA,
        "columns",
        _COLUMNS,
        _columns,
        _KEYS,
        hidden=frozenset({"comment", "extra_info", "column_comment"}),
    ),
    VirtualTable(INFORMATION_SCHEMA, "tables", _TABLES, _tables, _KEYS),
    VirtualTable(INFORMATION_SCHEMA, "views", _VIEWS, _views, _KEYS),
    VirtualTable(INFORMATION_SCHEMA, "schemata", _SCHEMATA, _schemata, ("catalog_name", "schema_name", "")),
    VirtualTable(INFORMATION_SCHEMA, "table_privileges", _TABLE_PRIVILEGES, nothing),
    VirtualTable(INFORMATION_SCHEMA, "roles", _ROLES, nothing),
    VirtualTable(INFORMATION_SCHEMA, "applicable_roles", _APPLICABLE_ROLES, nothing),
    VirtualTable(INFORMATION_SCHEMA, "enabled_roles", _ROLES, nothing),
)
