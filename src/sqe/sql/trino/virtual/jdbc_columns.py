"""`system.jdbc.columns` and `system.jdbc.types`: the columns and types that JDBC's DatabaseMetaData lists."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from sqe.sql.trino import types as trino_types
from sqe.sql.trino.types import TrinoType, trino_type
from sqe.sql.trino.virtual.definition import FLAG, LONG, TEXT, Request, VirtualTable, part
from sqe.sql.trino.virtual.information_schema import comments_of

# java.sql.DatabaseMetaData
_NO_NULLS, _NULLABLE = 0, 1
_NOT_SEARCHABLE, _SEARCHABLE = 0, 3

_COLUMNS = pa.schema(
    [
        ("table_cat", TEXT),
        ("table_schem", TEXT),
        ("table_name", TEXT),
        ("column_name", TEXT),
        ("data_type", LONG),
        ("type_name", TEXT),
        ("column_size", LONG),
        ("buffer_length", LONG),
        ("decimal_digits", LONG),
        ("num_prec_radix", LONG),
        ("nullable", LONG),
        ("remarks", TEXT),
        ("column_def", TEXT),
        ("sql_data_type", LONG),
        ("sql_datetime_sub", LONG),
        ("char_octet_length", LONG),
        ("ordinal_position", LONG),
        ("is_nullable", TEXT),
        ("scope_catalog", TEXT),
        ("scope_schema", TEXT),
        ("scope_table", TEXT),
        ("source_data_type", LONG),
        ("is_autoincrement", TEXT),
        ("is_generatedcolumn", TEXT),
    ]
)
_TYPES = pa.schema(
    [
        ("type_name", TEXT),
        ("data_type", LONG),
        ("precision", LONG),
        ("literal_prefix", TEXT),
        ("literal_suffix", TEXT),
        ("create_params", TEXT),
        ("nullable", LONG),
        ("case_sensitive", FLAG),
        ("searchable", LONG),
        ("unsigned_attribute", FLAG),
        ("fixed_prec_scale", FLAG),
        ("auto_increment", FLAG),
        ("local_type_name", TEXT),
        ("minimum_scale", LONG),
        ("maximum_scale", LONG),
        ("sql_data_type", LONG),
        ("sql_datetime_sub", LONG),
        ("num_prec_radix", LONG),
    ]
)

# The types that a column can have; a type with parameters has the largest ones.
_ALL: tuple[TrinoType, ...] = (
    trino_types.BOOLEAN,
    trino_types.TINYINT,
    trino_types.SMALLINT,
    trino_types.INTEGER,
    trino_types.BIGINT,
    trino_types.REAL,
    trino_types.DOUBLE,
    trino_types.decimal(38, 38),
    trino_types.VARCHAR,
    trino_types.char(65536),
    trino_types.VARBINARY,
    trino_types.DATE,
    trino_types.time(6),
    trino_types.timestamp(6),
    trino_types.timestamp_with_time_zone(6),
    trino_types.INTERVAL_DAY_TO_SECOND,
    trino_types.INTERVAL_YEAR_TO_MONTH,
    trino_types.JSON,
    trino_types.UNKNOWN,
    trino_types.array(trino_types.UNKNOWN),
    trino_types.map_(trino_types.UNKNOWN, trino_types.UNKNOWN),
    trino_types.row(),
)
_NESTED = ("array", "map", "row", "json")
_PARAMETERS = {
    "decimal": "precision,scale",
    "varchar": "length",
    "char": "length",
    "time": "precision",
    "timestamp": "precision",
    "timestamp with time zone": "precision",
}


def _columns(request: Request) -> Iterator[pa.Table]:
    for catalog, schema, table, fields in request.directory.columns(request.wanted):
        types = [trino_type(field.type, field.metadata) for field in fields]
        yield part(
            _COLUMNS,
            len(fields),
            table_cat=catalog,
            table_schem=schema,
            table_name=table,
            column_name=fields.names,
            data_type=[type_.jdbc_type for type_ in types],
            type_name=[type_.text for type_ in types],
            column_size=[type_.precision for type_ in types],
            buffer_length=0,
            decimal_digits=[type_.scale for type_ in types],
            num_prec_radix=[type_.radix for type_ in types],
            nullable=[_NULLABLE if field.nullable else _NO_NULLS for field in fields],
            remarks=comments_of(fields),
            char_octet_length=[type_.octets for type_ in types],
            ordinal_position=list(range(1, len(fields) + 1)),
            is_nullable=["YES" if field.nullable else "NO" for field in fields],
        )


def _types(request: Request) -> Iterator[pa.Table]:  # noqa: ARG001 - the signature of `VirtualTable.fill`
    yield part(
        _TYPES,
        len(_ALL),
        type_name=[type_.name for type_ in _ALL],
        data_type=[type_.jdbc_type for type_ in _ALL],
        precision=[type_.precision for type_ in _ALL],
        create_params=[_PARAMETERS.get(type_.name) for type_ in _ALL],
        nullable=_NULLABLE,
        case_sensitive=[type_.octets is not None for type_ in _ALL],
        searchable=[_NOT_SEARCHABLE if type_.name in _NESTED else _SEARCHABLE for type_ in _ALL],
        fixed_prec_scale=False,
        minimum_scale=0,
        maximum_scale=[type_.scale or 0 for type_ in _ALL],
        num_prec_radix=[type_.radix for type_ in _ALL],
    )


TABLES = (
    VirtualTable("jdbc", "columns", _COLUMNS, _columns, ("table_cat", "table_schem", "table_name")),
    VirtualTable("jdbc", "types", _TYPES, _types),
)
