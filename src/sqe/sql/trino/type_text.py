"""Write a type that sqlglot has read as Trino's own text, for the functions that see it in Spark's analyzer."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.errors import TypeMismatchError, UnsupportedError

_NAMES: Mapping[exp.DType, str] = {
    exp.DType.BOOLEAN: "boolean",
    exp.DType.TINYINT: "tinyint",
    exp.DType.SMALLINT: "smallint",
    exp.DType.INT: "integer",
    exp.DType.BIGINT: "bigint",
    exp.DType.FLOAT: "real",
    exp.DType.DOUBLE: "double",
    exp.DType.VARCHAR: "varchar",
    exp.DType.TEXT: "varchar",
    exp.DType.CHAR: "char",
    exp.DType.JSON: "json",
    exp.DType.UUID: "uuid",
    exp.DType.IPADDRESS: "ipaddress",
    exp.DType.VARBINARY: "varbinary",
    exp.DType.BINARY: "varbinary",
    exp.DType.DATE: "date",
    exp.DType.DECIMAL: "decimal",
    exp.DType.TIMESTAMP: "timestamp",
    exp.DType.TIMESTAMPNTZ: "timestamp",
    exp.DType.TIMESTAMPTZ: "timestamp",
    exp.DType.TIMESTAMPLTZ: "timestamp",
    exp.DType.TIME: "time",
    exp.DType.TIMETZ: "time",
    exp.DType.ARRAY: "array",
    exp.DType.MAP: "map",
    exp.DType.HLLSKETCH: "hyperloglog",
    exp.DType.TDIGEST: "tdigest",
}
_ZONED = (exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ, exp.DType.TIMETZ)
_INTERVALS = ("interval day to second", "interval year to month")


def type_text(type_: exp.DataType) -> str:
    """Return Trino's text of a type, in lower case, with the names of fields in double quotes.

    Raises:
        TypeMismatchError: it is no type of Trino's.
        UnsupportedError: Spark has no type like it.
    """
    kind = type_.this
    if kind is exp.DType.STRUCT:
        return f"row({', '.join(_field(item) for item in type_.expressions)})"
    if kind is exp.DType.INTERVAL or isinstance(kind, exp.Interval):
        unit = kind.args.get("unit") if isinstance(kind, exp.Interval) else None
        text = f"interval {unit.sql().lower()}" if unit is not None else "interval"
        if text not in _INTERVALS:
            raise TypeMismatchError(f"Unknown type: {text}")
        return text
    name = _NAMES.get(kind) if isinstance(kind, exp.DType) else None
    if kind is exp.DType.USERDEFINED and isinstance(type_.args.get("kind"), str):
        name = type_.args["kind"]  # as the parser knows it
    if name is None:
        raise UnsupportedError(f"The type {type_.sql('trino').lower()} is not supported.")
    arguments = [
        type_text(item) if isinstance(item, exp.DataType) else item.name for item in type_.expressions
    ]
    zone = " with time zone" if kind in _ZONED else ""
    return f"{name}({', '.join(arguments)}){zone}" if arguments else f"{name}{zone}"


def _field(item: exp.Expr) -> str:
    if isinstance(item, exp.ColumnDef):
        name = item.name.replace('"', '""')
        return f'"{name}" {type_text(item.args["kind"])}'
    assert isinstance(item, exp.DataType)
    return type_text(item)
