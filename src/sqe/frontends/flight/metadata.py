"""Flight SQL metadata: catalogs, schemas, tables and columns. Key metadata is always empty: Iceberg has no keys."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import pyarrow as pa

from sqe.errors import (
    PolicyUnavailableError,
    QueryCanceledError,
    QueryError,
    QueryTimeoutError,
    TableNotFoundError,
)
from sqe.frontends.flight.columns import described
from sqe.frontends.flight.proto import FlightSql_pb2
from sqe.service.listing import Listing
from sqe.sql.like import like
from sqe.sql.trino.virtual.source import TableEntry

_log = logging.getLogger(__name__)

ESCAPE = "\\"  # also reported by SqlInfo
TYPES = ("TABLE", "VIEW")

_TEXT = pa.string()


def _schema(*columns: tuple[str, pa.DataType, bool]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, nullable=nullable) for name, kind, nullable in columns])


CATALOGS = _schema(("catalog_name", _TEXT, False))
SCHEMAS = _schema(("catalog_name", _TEXT, True), ("db_schema_name", _TEXT, False))
TABLES = _schema(
    ("catalog_name", _TEXT, True),
    ("db_schema_name", _TEXT, True),
    ("table_name", _TEXT, False),
    ("table_type", _TEXT, False),
)
TABLES_WITH_SCHEMA = TABLES.append(pa.field("table_schema", pa.binary(), nullable=False))
TABLE_TYPES = _schema(("table_type", _TEXT, False))
PRIMARY_KEYS = _schema(
    ("catalog_name", _TEXT, True),
    ("db_schema_name", _TEXT, True),
    ("table_name", _TEXT, False),
    ("column_name", _TEXT, False),
    ("key_name", _TEXT, True),
    ("key_sequence", pa.int32(), False),
)
FOREIGN_KEYS = _schema(
    ("pk_catalog_name", _TEXT, True),
    ("pk_db_schema_name", _TEXT, True),
    ("pk_table_name", _TEXT, False),
    ("pk_column_name", _TEXT, False),
    ("fk_catalog_name", _TEXT, True),
    ("fk_db_schema_name", _TEXT, True),
    ("fk_table_name", _TEXT, False),
    ("fk_column_name", _TEXT, False),
    ("key_sequence", pa.int32(), False),
    ("fk_key_name", _TEXT, True),
    ("pk_key_name", _TEXT, True),
    ("update_rule", pa.uint8(), False),
    ("delete_rule", pa.uint8(), False),
)


def tables_schema(command: FlightSql_pb2.CommandGetTables) -> pa.Schema:
    return TABLES_WITH_SCHEMA if command.include_schema else TABLES


def catalogs(listing: Listing) -> pa.Table:
    return pa.table([sorted(listing.catalogs())], schema=CATALOGS)


def schemas(listing: Listing, command: FlightSql_pb2.CommandGetDbSchemas) -> pa.Table:
    """List schemas. Raises SqeError, such as for a catalog that cannot be listed."""
    found = sorted(_schemas(listing, command))
    return pa.table([[catalog for catalog, _ in found], [schema for _, schema in found]], schema=SCHEMAS)


def tables(listing: Listing, command: FlightSql_pb2.CommandGetTables) -> pa.Table:
    """List tables. Raises SqeError, such as for a catalog that cannot be listed."""
    wanted = _pattern(command, "table_name_filter_pattern")
    kinds = set(command.table_types) or set(TYPES)
    found = [
        entry
        for catalog, schema in _schemas(listing, command)
        for entry in listing.tables(catalog, schema)
        if entry.kind in kinds and wanted(entry.name)
    ]
    found.sort(key=lambda entry: (entry.catalog, entry.schema, entry.name, entry.kind))
    if not command.include_schema:
        return _rows(found, TABLES)
    described_tables = [
        (entry, columns) for entry in found if (columns := _columns(listing, entry)) is not None
    ]
    return _rows(
        [entry for entry, _ in described_tables],
        TABLES_WITH_SCHEMA,
        [columns.serialize().to_pybytes() for _, columns in described_tables],
    )


def table_types() -> pa.Table:
    return pa.table([sorted(TYPES)], schema=TABLE_TYPES)


def no_keys(schema: pa.Schema) -> pa.Table:
    """Return an empty table: Iceberg has no enforced keys."""
    return schema.empty_table()


def _schemas(
    listing: Listing, command: FlightSql_pb2.CommandGetDbSchemas | FlightSql_pb2.CommandGetTables
) -> Iterator[tuple[str, str]]:
    wanted = _pattern(command, "db_schema_filter_pattern")
    for catalog in listing.catalogs():
        # An empty name asks for schemas without a catalog, of which there are none.
        if command.HasField("catalog") and command.catalog.lower() != catalog.lower():
            continue
        for schema in listing.schemas(catalog):
            if wanted(schema):
                yield catalog, schema


def _pattern(command: object, field: str) -> Callable[[str], bool]:
    """Return the predicate of a filter pattern; without a pattern it accepts every name."""
    if not command.HasField(field):  # type: ignore[attr-defined]  # protobuf has no types
        return lambda name: True
    return like(getattr(command, field), ESCAPE)


def _columns(listing: Listing, entry: TableEntry) -> pa.Schema | None:
    """Return the columns of a table; None if it was dropped since it was listed."""
    try:
        columns = listing.columns(entry.catalog, entry.schema, entry.name)
    except TableNotFoundError:
        return None
    except (QueryCanceledError, QueryTimeoutError, PolicyUnavailableError):
        raise
    except QueryError as error:
        # A view whose tables have changed, or that reads what this user may not see, is listed without columns, and
        # must not fail the whole listing.
        _log.warning("%s.%s.%s has no columns: %s", entry.catalog, entry.schema, entry.name, error.message)
        columns = pa.schema([])
    return described(columns, catalog=entry.catalog, schema=entry.schema, table=entry.name)


def _rows(found: list[TableEntry], schema: pa.Schema, *more: list[bytes]) -> pa.Table:
    columns = [
        [entry.catalog for entry in found],
        [entry.schema for entry in found],
        [entry.name for entry in found],
        [entry.kind for entry in found],
    ]
    return pa.table([*columns, *more], schema=schema)
