"""Write a column type that Spark has in its DDL as Trino's."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqe.errors import SemanticError
from sqe.sql.column_type import ColumnType, column_type
from sqe.sql.trino import types as trino_types
from sqe.sql.trino.types import TrinoType

_DIGITS = 6  # of a second, in Spark
_PLAIN: Mapping[str, TrinoType] = {
    "boolean": trino_types.BOOLEAN,
    "tinyint": trino_types.TINYINT,
    "smallint": trino_types.SMALLINT,
    "int": trino_types.INTEGER,
    "bigint": trino_types.BIGINT,
    "float": trino_types.REAL,
    "double": trino_types.DOUBLE,
    "string": trino_types.VARCHAR,
    "binary": trino_types.VARBINARY,
    "date": trino_types.DATE,
    "timestamp": trino_types.timestamp_with_time_zone(_DIGITS),
    "timestamp_ntz": trino_types.timestamp(_DIGITS),
    "variant": trino_types.JSON,
    "void": trino_types.UNKNOWN,
}


def trino_column_type(text: str) -> str:
    """Return Trino's text for a type; one that Trino does not have stays as it is.

    Example:
        >>> trino_column_type("array<struct<street:string,no:int>>")
        'array(row(street varchar, no integer))'
    """
    try:
        found = _translate(column_type(text))
    except SemanticError:
        return text
    return found.text if found is not None else text


def _translate(type_: ColumnType) -> TrinoType | None:
    if type_.name in _PLAIN:
        return _PLAIN[type_.name]
    numbers = [int(number) for number in re.findall(r"\d+", type_.suffix)]
    match type_.name:
        case "decimal":
            precision, scale = (*numbers, *((10, 0)[len(numbers) :]))
            return trino_types.decimal(precision, scale)
        case "char" if numbers:
            return trino_types.char(numbers[0])
        case "varchar" if numbers:
            return trino_types.varchar(numbers[0])
        case "time":
            return trino_types.time(numbers[0] if numbers else _DIGITS)
        case "interval":
            months = "YEAR" in type_.suffix or "MONTH" in type_.suffix
            return trino_types.INTERVAL_YEAR_TO_MONTH if months else trino_types.INTERVAL_DAY_TO_SECOND
    return _nested(type_)


def _nested(type_: ColumnType) -> TrinoType | None:
    inner = [_translate(item) for item in (*type_.items, *(kind for _, kind in type_.fields))]
    known = [item for item in inner if item is not None]
    if len(known) < len(inner):
        return None
    match type_.name:
        case "array":
            return trino_types.array(known[0])
        case "map":
            return trino_types.map_(known[0], known[1])
        case "struct":
            return trino_types.row(*zip((name for name, _ in type_.fields), known, strict=True))
    return None
