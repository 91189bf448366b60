"""Answer GetXdbcTypeInfo: the supported SQL types, as JDBC and ODBC describe them."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from sqe.frontends.flight.proto import FlightSql_pb2 as sql

SCHEMA = pa.schema(
    [
        pa.field("type_name", pa.string(), nullable=False),
        pa.field("data_type", pa.int32(), nullable=False),
        pa.field("column_size", pa.int32()),
        pa.field("literal_prefix", pa.string()),
        pa.field("literal_suffix", pa.string()),
        pa.field("create_params", pa.list_(pa.field("item", pa.string(), nullable=False))),
        pa.field("nullable", pa.int32(), nullable=False),
        pa.field("case_sensitive", pa.bool_(), nullable=False),
        pa.field("searchable", pa.int32(), nullable=False),
        pa.field("unsigned_attribute", pa.bool_()),
        pa.field("fixed_prec_scale", pa.bool_(), nullable=False),
        pa.field("auto_increment", pa.bool_()),
        pa.field("local_type_name", pa.string()),
        pa.field("minimum_scale", pa.int32()),
        pa.field("maximum_scale", pa.int32()),
        pa.field("sql_data_type", pa.int32(), nullable=False),
        pa.field("datetime_subcode", pa.int32()),
        pa.field("num_prec_radix", pa.int32()),
        pa.field("interval_precision", pa.int32()),
    ]
)

# Those of java.sql.Types that XdbcDataType lacks.
_BOOLEAN, _ARRAY, _JAVA_OBJECT, _STRUCT, _TIMESTAMP_WITH_TIMEZONE = 16, 2003, 2000, 2002, 2014

_TEXT_LENGTH = 2**31 - 1
_MICROS = 6


@dataclass(frozen=True, slots=True)
class _Type:
    name: str
    data_type: int
    size: int | None = None
    prefix: str | None = None
    suffix: str | None = None
    params: tuple[str, ...] | None = None
    searchable: int = sql.SEARCHABLE_BASIC
    scales: tuple[int, int] | None = None
    radix: int | None = None
    generic: int | None = None  # sql_data_type, if it differs from data_type
    subcode: int | None = None
    interval: int | None = None


def _number(name: str, data_type: int, digits: int, radix: int = 10) -> _Type:
    scales = (0, 0) if radix == 10 else None
    return _Type(name, data_type, digits, scales=scales, radix=radix)


def _moment(name: str, data_type: int, size: int, subcode: int, digits: int, literal: str) -> _Type:
    params = ("precision",) if digits else None
    return _Type(
        name,
        data_type,
        size,
        f"{literal} '",
        "'",
        params,
        scales=(0, digits),
        generic=sql.XDBC_DATETIME,
        subcode=subcode,
    )


_TYPES = (
    _Type("boolean", _BOOLEAN, 1),
    _number("tinyint", sql.XDBC_TINYINT, 3),
    _number("smallint", sql.XDBC_SMALLINT, 5),
    _number("integer", sql.XDBC_INTEGER, 10),
    _number("bigint", sql.XDBC_BIGINT, 19),
    _number("real", sql.XDBC_REAL, 24, radix=2),
    _number("double", sql.XDBC_DOUBLE, 53, radix=2),
    _Type("decimal", sql.XDBC_DECIMAL, 38, params=("precision", "scale"), scales=(0, 38), radix=10),
    _Type("char", sql.XDBC_CHAR, _TEXT_LENGTH, "'", "'", ("length",), sql.SEARCHABLE_FULL),
    _Type("varchar", sql.XDBC_VARCHAR, _TEXT_LENGTH, "'", "'", ("length",), sql.SEARCHABLE_FULL),
    _Type("varbinary", sql.XDBC_VARBINARY, _TEXT_LENGTH, "X'", "'"),
    _moment("date", sql.XDBC_DATE, 10, sql.XDBC_SUBCODE_DATE, 0, "DATE"),
    _moment("time", sql.XDBC_TIME, 15, sql.XDBC_SUBCODE_TIME, _MICROS, "TIME"),
    _moment("timestamp", sql.XDBC_TIMESTAMP, 26, sql.XDBC_SUBCODE_TIMESTAMP, _MICROS, "TIMESTAMP"),
    _moment(
        "timestamp with time zone",
        _TIMESTAMP_WITH_TIMEZONE,
        59,
        sql.XDBC_SUBCODE_TIMESTAMP_WITH_TIMEZONE,
        _MICROS,
        "TIMESTAMP",
    ),
    _Type(
        "interval year to month",
        _JAVA_OBJECT,
        generic=sql.XDBC_INTERVAL,
        subcode=sql.XDBC_SUBCODE_INTERVAL_YEAR_TO_MONTH,
        interval=9,
    ),
    _Type(
        "interval day to second",
        _JAVA_OBJECT,
        scales=(_MICROS, _MICROS),
        generic=sql.XDBC_INTERVAL,
        subcode=sql.XDBC_SUBCODE_INTERVAL_DAY_TO_SECOND,
        interval=9,
    ),
    _Type("json", _JAVA_OBJECT, searchable=sql.SEARCHABLE_NONE),
    _Type("array", _ARRAY, searchable=sql.SEARCHABLE_NONE),
    _Type("map", _JAVA_OBJECT, searchable=sql.SEARCHABLE_NONE),
    _Type("row", _STRUCT, searchable=sql.SEARCHABLE_NONE),
)


def types(data_type: int | None) -> pa.Table:
    """Return all types, or those of one number, in the specification's order."""
    chosen = sorted(
        (item for item in _TYPES if data_type is None or item.data_type == data_type),
        key=lambda item: (item.data_type, item.name),
    )
    return pa.Table.from_pylist([_row(item) for item in chosen], schema=SCHEMA)


def _row(item: _Type) -> dict[str, object]:
    numeric = item.radix is not None
    return {
        "type_name": item.name,
        "data_type": item.data_type,
        "column_size": item.size,
        "literal_prefix": item.prefix,
        "literal_suffix": item.suffix,
        "create_params": list(item.params) if item.params else None,
        "nullable": sql.NULLABILITY_NULLABLE,
        "case_sensitive": item.searchable == sql.SEARCHABLE_FULL,
        "searchable": item.searchable,
        "unsigned_attribute": False if numeric else None,
        "fixed_prec_scale": False,
        "auto_increment": False if numeric else None,
        "local_type_name": item.name,
        "minimum_scale": item.scales[0] if item.scales else None,
        "maximum_scale": item.scales[1] if item.scales else None,
        "sql_data_type": item.generic if item.generic is not None else item.data_type,
        "datetime_subcode": item.subcode,
        "num_prec_radix": item.radix,
        "interval_precision": item.interval,
    }
