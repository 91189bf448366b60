"""Translate the properties of Trino's Iceberg tables.

`format`, `format_version` and `extra_properties` are table properties in Spark too; `partitioning` and `location` are
clauses, and `sorted_by` is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqe.errors import UnsupportedError
from sqe.sql.quote import quote_identifier, quote_literal
from sqe.sql.trino.statements.properties import Value

_TRANSFORM = re.compile(r"\s*(?:(\w+)\s*\(\s*)?(\"(?:[^\"]|\"\")+\"|[\w.]+)\s*(?:,\s*(\d+)\s*)?(\))?\s*")
_TIMES = {"year": "years", "month": "months", "day": "days", "hour": "hours"}
_KEYS = {
    "format_version": "format-version",
    "compression_codec": "write.parquet.compression-codec",
    "orc_bloom_filter_columns": "write.orc.bloom.filter.columns",
    "max_commit_retry": "commit.retry.num-retries",
    "object_store_layout_enabled": "write.object-storage.enabled",
    "data_location": "write.data.path",
}


@dataclass(slots=True)
class TableProperties:
    """The properties and clauses of a CREATE TABLE in Spark."""

    partitions: list[str] = field(default_factory=list)  # Spark's transforms
    location: str | None = None
    properties: dict[str, str] = field(default_factory=dict)
    sorted: bool = False


def read_table_properties(given: Iterable[tuple[str, Value]]) -> TableProperties:
    """Translate properties. Raises UnsupportedError for one that Iceberg in Spark does not have."""
    found = TableProperties()
    for key, value in given:
        if key == "format" and isinstance(value, str):
            found.properties["write.format.default"] = value.lower()
        elif key == "partitioning" and isinstance(value, list):
            found.partitions = [_transform(str(item)) for item in value]
        elif key == "location" and isinstance(value, str):
            found.location = value
        elif key == "sorted_by" and isinstance(value, list):
            raise UnsupportedError(
                "The property 'sorted_by' is not supported.",
                hint="Create the table without it, then use ALTER TABLE .. WRITE ORDERED BY ..",
            )
        elif key == "extra_properties" and isinstance(value, dict):
            found.properties |= {name: str(item) for name, item in value.items()}
        elif key in _KEYS and isinstance(value, str | int | bool | float):
            found.properties[_KEYS[key]] = str(value).lower() if isinstance(value, bool) else str(value)
        else:
            raise UnsupportedError(
                f"The table property '{key}' is not supported.",
                hint="Supported properties: format, partitioning, location, extra_properties, "
                f"{', '.join(sorted(_KEYS))}.",
            )
    return found


def _transform(text: str) -> str:
    match = _TRANSFORM.fullmatch(text)
    if match is None or (match.group(1) is None) != (match.group(4) is None):
        raise UnsupportedError(f"The partitioning '{text}' is not supported.")
    function, column, number, _ = match.groups()
    quoted = quote_identifier(column[1:-1].replace('""', '"') if column[0] == '"' else column)
    if function is None:
        return quoted
    name = function.lower()
    if name in _TIMES and number is None:
        return f"{_TIMES[name]}({quoted})"
    if name in ("bucket", "truncate") and number is not None:
        return f"{name}({number}, {quoted})"
    raise UnsupportedError(f"The partitioning '{text}' is not supported.")


def property_list(properties: dict[str, str]) -> str:
    """Return `('a' = 'b')`, the list after TBLPROPERTIES."""
    return (
        "("
        + ", ".join(f"{quote_literal(key)} = {quote_literal(value)}" for key, value in properties.items())
        + ")"
    )
