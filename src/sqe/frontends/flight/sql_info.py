"""Answer GetSqlInfo: the properties and features of this server by Flight SQL's ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from sqe import __version__
from sqe.frontends.flight.keywords_and_functions import (
    DATETIME_FUNCTIONS,
    KEYWORDS,
    NUMERIC_FUNCTIONS,
    STRING_FUNCTIONS,
    SYSTEM_FUNCTIONS,
)
from sqe.frontends.flight.metadata import ESCAPE
from sqe.frontends.flight.proto import FlightSql_pb2 as sql

# Drivers rely on the order of the union's members.
_MEMBERS = (
    pa.field("string_value", pa.string(), nullable=False),
    pa.field("bool_value", pa.bool_(), nullable=False),
    pa.field("bigint_value", pa.int64(), nullable=False),
    pa.field("int32_bitmask", pa.int32(), nullable=False),
    pa.field("string_list", pa.list_(pa.field("string_data", pa.string())), nullable=False),
    pa.field(
        "int32_to_int32_list_map",
        pa.map_(pa.int32(), pa.list_(pa.field("$data$", pa.int32()))),
        nullable=False,
    ),
)
_UNION = pa.dense_union(list(_MEMBERS))
SCHEMA = pa.schema(
    [pa.field("info_name", pa.uint32(), nullable=False), pa.field("value", _UNION, nullable=False)]
)


class Big(int):
    """A 64-bit value of the union; a plain int is a 32-bit one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The configured limits."""

    statement_bytes: int
    sessions: int
    session_idle: float  # seconds


Value = str | bool | Big | int | list[str] | dict[int, list[int]]


def _bits(*ordinals: int) -> int:
    return sum(1 << ordinal for ordinal in ordinals)


_NUMBERS = (
    sql.SQL_CONVERT_BIGINT,
    sql.SQL_CONVERT_DECIMAL,
    sql.SQL_CONVERT_FLOAT,
    sql.SQL_CONVERT_INTEGER,
    sql.SQL_CONVERT_NUMERIC,
    sql.SQL_CONVERT_REAL,
    sql.SQL_CONVERT_SMALLINT,
    sql.SQL_CONVERT_TINYINT,
)
_TEXTS = (sql.SQL_CONVERT_CHAR, sql.SQL_CONVERT_VARCHAR, sql.SQL_CONVERT_LONGVARCHAR)
_BYTES = (sql.SQL_CONVERT_BINARY, sql.SQL_CONVERT_VARBINARY, sql.SQL_CONVERT_LONGVARBINARY)
_MOMENTS = (sql.SQL_CONVERT_DATE, sql.SQL_CONVERT_TIMESTAMP)
_INTERVALS = (sql.SQL_CONVERT_INTERVAL_DAY_TIME, sql.SQL_CONVERT_INTERVAL_YEAR_MONTH)

# The target types of CAST by source type.
_CASTS: dict[int, list[int]] = {
    **{kind: sorted({*_NUMBERS, *_TEXTS, sql.SQL_CONVERT_BIT}) for kind in _NUMBERS},
    **{
        kind: sorted({*_NUMBERS, *_TEXTS, *_BYTES, *_MOMENTS, *_INTERVALS, sql.SQL_CONVERT_BIT})
        for kind in _TEXTS
    },
    **{kind: sorted({*_BYTES, *_TEXTS}) for kind in _BYTES},
    **{kind: sorted({*_MOMENTS, *_TEXTS}) for kind in _MOMENTS},
    **{kind: sorted({kind, *_TEXTS}) for kind in _INTERVALS},
    sql.SQL_CONVERT_BIT: sorted({*_NUMBERS, *_TEXTS, sql.SQL_CONVERT_BIT}),
    sql.SQL_CONVERT_TIME: sorted({*_TEXTS, sql.SQL_CONVERT_TIME}),
}

_UNLIMITED = Big(0)  # in JDBC: no limit, or not known


def values(limits: Limits) -> Mapping[int, Value]:
    """Return the values of all ids of the specification."""
    forward = sql.SQL_RESULT_SET_TYPE_FORWARD_ONLY
    read_only = _bits(sql.SQL_RESULT_SET_CONCURRENCY_READ_ONLY)
    return {
        sql.FLIGHT_SQL_SERVER_NAME: "SQE",
        sql.FLIGHT_SQL_SERVER_VERSION: __version__,
        sql.FLIGHT_SQL_SERVER_ARROW_VERSION: pa.__version__,
        sql.FLIGHT_SQL_SERVER_READ_ONLY: False,
        sql.FLIGHT_SQL_SERVER_SQL: True,
        sql.FLIGHT_SQL_SERVER_SUBSTRAIT: False,
        sql.FLIGHT_SQL_SERVER_SUBSTRAIT_MIN_VERSION: "",
        sql.FLIGHT_SQL_SERVER_SUBSTRAIT_MAX_VERSION: "",
        sql.FLIGHT_SQL_SERVER_TRANSACTION: sql.SQL_SUPPORTED_TRANSACTION_NONE,
        sql.FLIGHT_SQL_SERVER_CANCEL: True,
        sql.FLIGHT_SQL_SERVER_BULK_INGESTION: True,
        sql.FLIGHT_SQL_SERVER_INGEST_TRANSACTIONS_SUPPORTED: False,
        sql.FLIGHT_SQL_SERVER_STATEMENT_TIMEOUT: min(int(limits.session_idle * 1000), 2**31 - 1),
        sql.FLIGHT_SQL_SERVER_TRANSACTION_TIMEOUT: 0,
        sql.SQL_DDL_CATALOG: False,
        sql.SQL_DDL_SCHEMA: True,
        sql.SQL_DDL_TABLE: True,
        sql.SQL_IDENTIFIER_CASE: sql.SQL_CASE_SENSITIVITY_CASE_INSENSITIVE,
        sql.SQL_IDENTIFIER_QUOTE_CHAR: '"',
        sql.SQL_QUOTED_IDENTIFIER_CASE: sql.SQL_CASE_SENSITIVITY_CASE_INSENSITIVE,
        sql.SQL_ALL_TABLES_ARE_SELECTABLE: True,
        sql.SQL_NULL_ORDERING: sql.SQL_NULLS_SORTED_AT_END,
        sql.SQL_KEYWORDS: list(KEYWORDS),
        sql.SQL_NUMERIC_FUNCTIONS: list(NUMERIC_FUNCTIONS),
        sql.SQL_STRING_FUNCTIONS: list(STRING_FUNCTIONS),
        sql.SQL_SYSTEM_FUNCTIONS: list(SYSTEM_FUNCTIONS),
        sql.SQL_DATETIME_FUNCTIONS: list(DATETIME_FUNCTIONS),
        sql.SQL_SEARCH_STRING_ESCAPE: ESCAPE,
        sql.SQL_EXTRA_NAME_CHARACTERS: "",
        sql.SQL_SUPPORTS_COLUMN_ALIASING: True,
        sql.SQL_NULL_PLUS_NULL_IS_NULL: True,
        sql.SQL_SUPPORTS_CONVERT: _CASTS,
        sql.SQL_SUPPORTS_TABLE_CORRELATION_NAMES: True,
        sql.SQL_SUPPORTS_DIFFERENT_TABLE_CORRELATION_NAMES: False,
        sql.SQL_SUPPORTS_EXPRESSIONS_IN_ORDER_BY: True,
        sql.SQL_SUPPORTS_ORDER_BY_UNRELATED: True,
        sql.SQL_SUPPORTED_GROUP_BY: _bits(sql.SQL_GROUP_BY_UNRELATED, sql.SQL_GROUP_BY_BEYOND_SELECT),
        sql.SQL_SUPPORTS_LIKE_ESCAPE_CLAUSE: True,
        sql.SQL_SUPPORTS_NON_NULLABLE_COLUMNS: True,
        sql.SQL_SUPPORTED_GRAMMAR: _bits(sql.SQL_MINIMUM_GRAMMAR, sql.SQL_CORE_GRAMMAR),
        sql.SQL_ANSI92_SUPPORTED_LEVEL: _bits(sql.ANSI92_ENTRY_SQL),
        sql.SQL_SUPPORTS_INTEGRITY_ENHANCEMENT_FACILITY: False,
        sql.SQL_OUTER_JOINS_SUPPORT_LEVEL: sql.SQL_FULL_OUTER_JOINS,
        sql.SQL_SCHEMA_TERM: "schema",
        sql.SQL_PROCEDURE_TERM: "procedure",
        sql.SQL_CATALOG_TERM: "catalog",
        sql.SQL_CATALOG_AT_START: True,
        sql.SQL_SCHEMAS_SUPPORTED_ACTIONS: _bits(sql.SQL_ELEMENT_IN_PROCEDURE_CALLS),
        sql.SQL_CATALOGS_SUPPORTED_ACTIONS: _bits(sql.SQL_ELEMENT_IN_PROCEDURE_CALLS),
        sql.SQL_SUPPORTED_POSITIONED_COMMANDS: 0,
        sql.SQL_SELECT_FOR_UPDATE_SUPPORTED: False,
        sql.SQL_STORED_PROCEDURES_SUPPORTED: False,
        sql.SQL_SUPPORTED_SUBQUERIES: _bits(
            sql.SQL_SUBQUERIES_IN_COMPARISONS, sql.SQL_SUBQUERIES_IN_EXISTS, sql.SQL_SUBQUERIES_IN_INS
        ),
        sql.SQL_CORRELATED_SUBQUERIES_SUPPORTED: True,
        sql.SQL_SUPPORTED_UNIONS: _bits(sql.SQL_UNION, sql.SQL_UNION_ALL),
        sql.SQL_MAX_BINARY_LITERAL_LENGTH: _UNLIMITED,
        sql.SQL_MAX_CHAR_LITERAL_LENGTH: _UNLIMITED,
        sql.SQL_MAX_COLUMN_NAME_LENGTH: _UNLIMITED,
        sql.SQL_MAX_COLUMNS_IN_GROUP_BY: _UNLIMITED,
        sql.SQL_MAX_COLUMNS_IN_INDEX: _UNLIMITED,
        sql.SQL_MAX_COLUMNS_IN_ORDER_BY: _UNLIMITED,
        sql.SQL_MAX_COLUMNS_IN_SELECT: _UNLIMITED,
        sql.SQL_MAX_COLUMNS_IN_TABLE: _UNLIMITED,
        sql.SQL_MAX_CONNECTIONS: Big(limits.sessions),
        sql.SQL_MAX_CURSOR_NAME_LENGTH: _UNLIMITED,
        sql.SQL_MAX_INDEX_LENGTH: _UNLIMITED,
        sql.SQL_DB_SCHEMA_NAME_LENGTH: _UNLIMITED,
        sql.SQL_MAX_PROCEDURE_NAME_LENGTH: _UNLIMITED,
        sql.SQL_MAX_CATALOG_NAME_LENGTH: _UNLIMITED,
        sql.SQL_MAX_ROW_SIZE: _UNLIMITED,
        sql.SQL_MAX_ROW_SIZE_INCLUDES_BLOBS: True,
        sql.SQL_MAX_STATEMENT_LENGTH: Big(limits.statement_bytes),
        sql.SQL_MAX_STATEMENTS: _UNLIMITED,
        sql.SQL_MAX_TABLE_NAME_LENGTH: _UNLIMITED,
        sql.SQL_MAX_TABLES_IN_SELECT: _UNLIMITED,
        sql.SQL_MAX_USERNAME_LENGTH: Big(128),
        sql.SQL_DEFAULT_TRANSACTION_ISOLATION: sql.SQL_TRANSACTION_NONE,
        sql.SQL_TRANSACTIONS_SUPPORTED: False,
        sql.SQL_SUPPORTED_TRANSACTIONS_ISOLATION_LEVELS: _bits(sql.SQL_TRANSACTION_NONE),
        sql.SQL_DATA_DEFINITION_CAUSES_TRANSACTION_COMMIT: True,
        sql.SQL_DATA_DEFINITIONS_IN_TRANSACTIONS_IGNORED: False,
        sql.SQL_SUPPORTED_RESULT_SET_TYPES: _bits(forward),
        sql.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_UNSPECIFIED: 0,
        sql.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_FORWARD_ONLY: read_only,
        sql.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_SCROLL_SENSITIVE: 0,
        sql.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_SCROLL_INSENSITIVE: 0,
        sql.SQL_BATCH_UPDATES_SUPPORTED: True,
        sql.SQL_SAVEPOINTS_SUPPORTED: False,
        sql.SQL_NAMED_PARAMETERS_SUPPORTED: False,
        sql.SQL_LOCATORS_UPDATE_COPY: True,
        sql.SQL_STORED_FUNCTIONS_USING_CALL_SYNTAX_SUPPORTED: False,
    }


def table(known: Mapping[int, Value], asked: Iterable[int]) -> pa.Table:
    """Return the rows of the known ids among `asked`; all rows if `asked` is empty."""
    ids = [number for number in dict.fromkeys(asked) if number in known] if asked else sorted(known)
    members: list[list[object]] = [[] for _ in _MEMBERS]
    types: list[int] = []
    offsets: list[int] = []
    for number in ids:
        member = _member(known[number])
        types.append(member)
        offsets.append(len(members[member]))
        members[member].append(_plain(known[number]))
    union = pa.Array.from_buffers(
        _UNION,
        len(ids),
        [None, pa.array(types, pa.int8()).buffers()[1], pa.array(offsets, pa.int32()).buffers()[1]],
        children=[pa.array(items, field.type) for items, field in zip(members, _MEMBERS, strict=True)],
    )
    return pa.table([pa.array(ids, pa.uint32()), union], schema=SCHEMA)


def _member(value: Value) -> int:
    match value:
        case str():
            return 0
        case bool():
            return 1
        case Big():
            return 2
        case int():
            return 3
        case list():
            return 4
        case dict():
            return 5


def _plain(value: Value) -> object:
    match value:
        case dict():
            return list(value.items())
        case Big():
            return int(value)
        case _:
            return value
