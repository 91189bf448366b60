"""Translate the properties of Trino's Iceberg tables.

`format`, `format_version` and `extra_properties` are table properties in Spark too; `partitioning` and `location` are
clauses. Spark's CREATE TABLE has no sort order: the catalog of the Java part takes it from a property (`SortOrders`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqe.errors import UnsupportedError
from sqe.sql.quote import plain_trino_name, quote_identifier, quote_literal, trino_name, trino_text
from sqe.sql.trino.statements.properties import Value

_TRANSFORM = re.compile(r"\s*(?:(\w+)\s*\(\s*)?(\"(?:[^\"]|\"\")+\"|[\w.]+)\s*(?:,\s*(\d+)\s*)?(\))?\s*")
_SORT = re.compile(
    r"\s*(\"(?:[^\"]|\"\")+\"|\w+)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*", re.IGNORECASE
)
_SORTED_BY = "sqe.sorted-by"
_PARTITIONING = "sqe.partitioning"
_TIMES = {"year": "years", "month": "months", "day": "days", "hour": "hours"}
_SPARK_TRANSFORM = re.compile(r"(\w+)\((?:(\d+), )?(.+)\)")
_SPARK_PARTS = re.compile(r"`(?:[^`]|``)+`|[^.`]+")
_TRANSFORM_NAME = re.compile(r"[a-z_][a-z0-9_.]*")
_SHOWN_SORTS = re.compile(r"(?<= FIRST), |(?<= LAST), ")
_SHOWN_SORT = re.compile(r"([^()]+) (ASC|DESC) NULLS (FIRST|LAST)")
_PLAIN_VALUE = re.compile(r"\d+|true|false")
_KEYS = {
    "format_version": "format-version",
    "compression_codec": "write.parquet.compression-codec",
    "orc_bloom_filter_columns": "write.orc.bloom.filter.columns",
    "max_commit_retry": "commit.retry.num-retries",
    "object_store_layout_enabled": "write.object-storage.enabled",
    "data_location": "write.data.path",
}
_WRITTEN = (
    "format_version",
    "compression_codec",
    "max_commit_retry",
    "object_store_layout_enabled",
    "data_location",
)
# What Spark shows among the properties of a table and Iceberg does not keep there.
STATE = frozenset(
    {
        "comment",
        "current-snapshot-id",
        "format",
        "format-version",
        "identifier-fields",
        "location",
        "owner",
        "provider",
        "sort-order",
    }
)
_SHOWN = STATE | {"write.format.default"} | {_KEYS[name] for name in _WRITTEN}


class SortColumn(NamedTuple):
    """A column of a sort order."""

    name: str
    direction: str  # "asc" or "desc"
    nulls: str  # "first" or "last"


class Transform(NamedTuple):
    """A field of a partitioning."""

    name: str  # Trino's: "identity", "day", "bucket" ...
    column: str
    number: int | None  # of bucket and truncate

    def in_spark(self) -> str:
        """Return it as a part of PARTITIONED BY."""
        column = quote_identifier(self.column)
        if self.name == "identity":
            return column
        if self.number is None:
            return f"{_TIMES[self.name]}({column})"
        return f"{self.name}({self.number}, {column})"


@dataclass(slots=True)
class TableProperties:
    """The properties and clauses of a CREATE TABLE in Spark."""

    partitioning: list[Transform] | None = None
    location: str | None = None
    properties: dict[str, str] = field(default_factory=dict)
    sorted_by: list[SortColumn] | None = None

    def all_properties(self) -> dict[str, str]:
        """Return the properties, with the sort order as one."""
        if not self.sorted_by:
            return self.properties
        return {**self.properties, _SORTED_BY: json.dumps([list(column) for column in self.sorted_by])}


def read_table_properties(given: Iterable[tuple[str, Value]]) -> TableProperties:
    """Translate properties. Raises UnsupportedError for one that Iceberg in Spark does not have."""
    found = TableProperties()
    for key, value in given:
        if key == "format" and isinstance(value, str):
            found.properties["write.format.default"] = value.lower()
        elif key == "partitioning" and isinstance(value, list):
            found.partitioning = [_transform(str(item)) for item in value]
        elif key == "location" and isinstance(value, str):
            found.location = value
        elif key == "sorted_by" and isinstance(value, list):
            found.sorted_by = [_sort_column(str(item)) for item in value]
        elif key == "extra_properties" and isinstance(value, dict):
            found.properties |= {name: str(item) for name, item in value.items()}
        elif key in _KEYS and isinstance(value, str | int | bool | float):
            found.properties[_KEYS[key]] = str(value).lower() if isinstance(value, bool) else str(value)
        else:
            raise UnsupportedError(
                f"The table property '{key}' is not supported.",
                hint="Supported properties: format, partitioning, sorted_by, location, extra_properties, "
                f"{', '.join(sorted(_KEYS))}.",
            )
    return found


def trino_properties(
    partitions: Iterable[str], location: str | None, properties: Mapping[str, str]
) -> dict[str, str]:
    """Return the properties of a table as Trino writes them, from what Spark shows of the table.

    What Trino's definition cannot say is left out, as Trino does: an order by anything but columns.
    """
    found: dict[str, str] = {}
    kind = properties.get("format", "").partition("/")[2].upper()
    if kind:
        found["format"] = trino_text(kind)
    for name in _WRITTEN:
        value = properties.get(_KEYS[name])
        if value is None or (name == "compression_codec" and kind != "PARQUET"):
            continue
        text = value.upper() if name == "compression_codec" else value
        found[name] = value if _PLAIN_VALUE.fullmatch(value) else trino_text(text)
    if location is not None:
        found["location"] = trino_text(location)
    if parts := [trino_text(_trino_transform(part)) for part in partitions]:
        found["partitioning"] = f"ARRAY[{', '.join(parts)}]"
    order = [
        trino_text(f"{plain_trino_name(match[1])} {match[2]} NULLS {match[3]}")
        for match in map(_SHOWN_SORT.fullmatch, _SHOWN_SORTS.split(properties.get("sort-order", "")))
        if match is not None
    ]
    if order:
        found["sorted_by"] = f"ARRAY[{', '.join(order)}]"
    extra = {
        key: value for key, value in properties.items() if key not in _SHOWN and not key.startswith("sqe.")
    }
    if extra:
        keys, values = (", ".join(map(trino_text, each)) for each in (extra.keys(), extra.values()))
        found["extra_properties"] = f"MAP(ARRAY[{keys}], ARRAY[{values}])"
    return dict(sorted(found.items()))


def _trino_transform(text: str) -> str:
    """Return a partition as Trino writes it: `bucket(4, a)` of Spark's is `bucket(a, 4)`."""
    match = _SPARK_TRANSFORM.fullmatch(text)
    if match is None:
        return _trino_column(text)
    function, number, column = match.groups()
    name = {spark: trino for trino, spark in _TIMES.items()}.get(function, function)
    return f"{name}({_trino_column(column)}{'' if number is None else f', {number}'})"


def _trino_column(text: str) -> str:
    """Return the name of a column, of which Spark quotes the parts that need it."""
    parts = [part[1:-1].replace("``", "`") if part[0] == "`" else part for part in _SPARK_PARTS.findall(text)]
    name = ".".join(parts)
    return name if _TRANSFORM_NAME.fullmatch(name) else trino_name(name)


def sort_clause(columns: list[SortColumn]) -> str:
    """Return what follows the name in ALTER TABLE."""
    if not columns:
        return "WRITE UNORDERED"
    keys = (f"{quote_identifier(name)} {direction} NULLS {nulls}" for name, direction, nulls in columns)
    return f"WRITE ORDERED BY {', '.join(keys)}"


def _sort_column(text: str) -> SortColumn:
    match = _SORT.fullmatch(text)
    if match is None:
        raise UnsupportedError(
            f"The sort order '{text}' is not supported.", hint="Such as 'name' or 'day DESC NULLS LAST'."
        )
    name, direction, nulls = match.groups()
    return SortColumn(_unquoted(name), (direction or "asc").lower(), (nulls or "first").lower())


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name[0] == '"' else name


def _transform(text: str) -> Transform:
    match = _TRANSFORM.fullmatch(text)
    if match is None or (match.group(1) is None) != (match.group(4) is None):
        raise UnsupportedError(f"The partitioning '{text}' is not supported.")
    function, column, number, _ = match.groups()
    name = "identity" if function is None else function.lower()
    numbered = name in ("bucket", "truncate")
    if (name == "identity" and function is not None) or (
        name != "identity" and not numbered and name not in _TIMES
    ):
        raise UnsupportedError(f"The partitioning '{text}' is not supported.")
    if numbered != (number is not None):
        raise UnsupportedError(f"The partitioning '{text}' is not supported.")
    return Transform(name, _unquoted(column), None if number is None else int(number))


def partitioning_property(transforms: list[Transform]) -> dict[str, str]:
    """Return the property by which the catalog of the Java part changes a table's partitioning (`Partitioning`)."""
    return {_PARTITIONING: json.dumps([[part for part in each if part is not None] for each in transforms])}


def property_list(properties: dict[str, str]) -> str:
    """Return `('a' = 'b')`, the list after TBLPROPERTIES."""
    return (
        "("
        + ", ".join(f"{quote_literal(key)} = {quote_literal(value)}" for key, value in properties.items())
        + ")"
    )
