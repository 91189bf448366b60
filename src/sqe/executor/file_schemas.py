"""Check that data files hold the columns that a plan reads, in the types that it expects.

DuckDB finds columns by the ids of fields and casts what it finds. Iceberg's readers do the same only for files that an
Iceberg writer made: a file without ids, or with another type behind an id, can mean other values to each of them.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

_KEPT = 50_000  # files whose schemas a worker remembers; they never change
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_MICROS = re.compile(r"\bTIMESTAMP_MICROS\b|\bMICROS=MicroSeconds\b")
# What DuckDB says of a column in a file, for each type of a plan: its own name of the type, and those of Parquet.
_PHYSICAL = {
    "BOOLEAN": ("BOOLEAN", {"BOOLEAN"}),
    "INTEGER": ("INTEGER", {"INT32"}),
    "BIGINT": ("BIGINT", {"INT64"}),
    "FLOAT": ("FLOAT", {"FLOAT"}),
    "DOUBLE": ("DOUBLE", {"DOUBLE"}),
    "VARCHAR": ("VARCHAR", {"BYTE_ARRAY"}),
    "BLOB": ("BLOB", {"BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}),
    "DATE": ("DATE", {"INT32"}),
    "TIMESTAMP": ("TIMESTAMP", {"INT64"}),
    "TIMESTAMPTZ": ("TIMESTAMP WITH TIME ZONE", {"INT64"}),
}
_DECIMALS = {"INT32", "INT64", "FIXED_LEN_BYTE_ARRAY", "BYTE_ARRAY"}
_READ = """
SELECT elements, list(file_name) FROM (
  SELECT file_name, list([
    CAST(field_id AS VARCHAR), type, duckdb_type, CAST(num_children AS VARCHAR),
    concat_ws(' ', converted_type, logical_type)
  ] ORDER BY column_id) AS elements
  FROM parquet_schema($files) GROUP BY file_name
) GROUP BY elements
"""


class UnexpectedFileError(Exception):
    """A file that Spark has to read."""


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of a file."""

    id: int | None
    physical: str | None  # Parquet's type; None for a group
    type: str  # DuckDB's
    annotation: str

    def holds(self, expected: str) -> bool:
        """Return whether all readers find the values of type `expected` in this column."""
        decimal = _DECIMAL.fullmatch(expected)
        if decimal is not None:
            found = _DECIMAL.fullmatch(self.type)
            return (
                found is not None
                and int(found[1]) <= int(decimal[1])
                and found[2] == decimal[2]
                and self.physical in _DECIMALS
            )
        if expected == "BIGINT" and self.type == "INTEGER":
            return self.physical == "INT32"
        if expected not in _PHYSICAL:
            return False
        name, physical = _PHYSICAL[expected]
        if expected.startswith("TIMESTAMP") and not _MICROS.search(self.annotation):
            return False  # Iceberg's readers take milliseconds and nanoseconds for microseconds
        return self.type == name and self.physical in physical


FileSchema = tuple[FileColumn, ...]


def top_columns(elements: Sequence[Sequence[str | None]]) -> FileSchema:
    """Return the columns of a file from its schema, which is a tree in preorder: id, types, children, annotations."""
    columns: list[FileColumn] = []
    position = 1  # after the root
    while position < len(elements):
        field_id, physical, name, _, annotation = elements[position]
        columns.append(
            FileColumn(None if field_id is None else int(field_id), physical, name or "", annotation or "")
        )
        position = _after(elements, position)
    return tuple(columns)


def _after(elements: Sequence[Sequence[str | None]], position: int) -> int:
    """Return the position after an element and all that is in it."""
    open_elements = 1
    while open_elements:
        open_elements += int(elements[position][3] or 0) - 1
        position += 1
    return position


def check(schema: FileSchema, columns: Iterable[dict[str, Any]]) -> None:
    """Raise UnexpectedFileError unless a file has these columns, or may lack them."""
    by_id: dict[int, FileColumn] = {}
    for column in schema:
        # DuckDB looks for ids up to the first column without one; Iceberg reads a file without ids by position.
        if column.id is None or column.id in by_id:
            raise UnexpectedFileError("columns without ids of their own")
        by_id[column.id] = column
    for expected in columns:
        found = by_id.get(expected["id"])
        if found is None:
            if expected["required"]:
                raise UnexpectedFileError("a column is missing")
        elif not found.holds(expected["type"]):
            raise UnexpectedFileError("a column of another type")


class FileSchemas:
    """Reads the schemas of files, and remembers them: a data file of Iceberg never changes."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], FileSchema] = OrderedDict()

    def check(self, database: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> None:
        """Check the files of a plan. Raises UnexpectedFileError, duckdb.Error."""
        if not request["scans"]:
            return
        # With the size: a writer that is not Iceberg's may use a name again.
        files = list(zip(request["files"], request["sizes"], strict=True))
        self._read(database, [file for file in files if file not in self._known])
        for scan in request["scans"]:
            for schema in {self._known[files[number]] for number in scan["files"]}:
                check(schema, scan["columns"])
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)

    def _read(self, database: duckdb.DuckDBPyConnection, files: list[tuple[str, int]]) -> None:
        if not files:
            return
        sizes = dict(files)
        for elements, names in database.execute(_READ, {"files": list(sizes)}).fetchall():
            schema = top_columns(elements)
            self._known.update({(name, sizes[name]): schema for name in names})
        if any(file not in self._known for file in files):
            raise UnexpectedFileError("a file without a schema")
