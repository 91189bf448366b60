"""Prepare columns for Flight SQL clients.

Field metadata describes what the Arrow type of a column does not, for JDBC and other tools. Year-month intervals become
Arrow's intervals of months, days and nanoseconds, because few libraries can read arrays of the narrower type.
"""

from __future__ import annotations

import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.model.months import MonthsType, readable, readable_schema
from sqe.sql.trino.types import TrinoType, trino_type
from sqe.sql.trino.virtual.source import COMMENT

_PREFIX = "ARROW:FLIGHT:SQL:"
_CHARACTERS = ("varchar", "char")
_INTERVAL = pa.month_day_nano_interval()
_INTERVAL_BYTES = 16


def described(
    columns: pa.Schema, *, catalog: str | None = None, schema: str | None = None, table: str | None = None
) -> pa.Schema:
    """Return the columns with Flight SQL's metadata, in types that clients can read."""
    return pa.schema([_described(column, catalog, schema, table) for column in readable_schema(columns)])


def agreed(planned: pa.Schema, actual: pa.Schema) -> pa.Schema:
    """Return the columns to send, which drivers compare with the planned ones.

    Returns the planned ones if both differ only in nullability, which can change when parameters get values.
    """
    same = planned.names == actual.names and all(
        _loose(one.type) == _loose(other.type) for one, other in zip(planned, actual, strict=True)
    )
    return planned if same else actual


def conformed(batch: pa.RecordBatch, columns: pa.Schema) -> pa.RecordBatch:
    """Convert a batch to these columns; columns that differ only in nullability are not copied."""
    arrays = [
        _conformed(array, column.type) for array, column in zip(readable(batch).columns, columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _conformed(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if isinstance(array.type, MonthsType) and kind == _INTERVAL:
        return _intervals(array.storage)
    return array.cast(kind)


def _intervals(months: pa.Array) -> pa.Array:
    """Convert numbers of months to intervals: months and days of 32 bits and nanoseconds of 64."""
    months = pa.concat_arrays([months.slice(0, 0), months])  # a slice's buffers begin before it
    words = memoryview(bytearray(_INTERVAL_BYTES * len(months))).cast("i")
    if len(months):
        words[:: _INTERVAL_BYTES // 4] = memoryview(months.buffers()[1]).cast("i")[: len(months)]
    return pa.Array.from_buffers(
        _INTERVAL, len(months), [months.buffers()[0], pa.py_buffer(words)], null_count=months.null_count
    )


def _loose(kind: pa.DataType) -> pa.DataType:
    """Return the type with all nested fields nullable."""
    if pa.types.is_map(kind):
        return pa.map_(_loose(kind.key_type), _loose(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(pa.field(kind.value_field.name, _loose(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, _loose(field.type)) for field in kind])
    return kind


def _described(column: pa.Field, catalog: str | None, schema: str | None, table: str | None) -> pa.Field:
    given = column.metadata or {}
    kind = _type(column)
    facts: dict[str, str | int | None] = {
        "CATALOG_NAME": catalog,
        "SCHEMA_NAME": schema,  # as all drivers call it
        "DB_SCHEMA_NAME": schema,  # as the specification calls it
        "TABLE_NAME": table,
        "TYPE_NAME": kind.text if kind else str(column.type),
        "PRECISION": kind.precision if kind else None,
        "SCALE": kind.scale if kind else None,
        "IS_AUTO_INCREMENT": 0,
        "IS_CASE_SENSITIVE": int(kind is not None and kind.name in _CHARACTERS),
        "IS_READ_ONLY": int(table is None),
        "IS_SEARCHABLE": 1,
        "REMARKS": given[COMMENT].decode() if COMMENT in given else None,
    }
    metadata = {
        (_PREFIX + key).encode(): str(value).encode() for key, value in facts.items() if value is not None
    }
    kind_sent = _INTERVAL if isinstance(column.type, MonthsType) else column.type
    return column.with_type(kind_sent).with_metadata({**given, **metadata})


def _type(column: pa.Field) -> TrinoType | None:
    try:
        return trino_type(column.type, column.metadata)
    except UnsupportedError:
        return None  # Arrow has types that SQL lacks, which a client may be able to read
