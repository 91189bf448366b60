"""The definition of a virtual table: its columns, and the function that produces its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sqe.errors import DataError
from sqe.model.query import QueryInfo
from sqe.sql.like import like, only_match
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual.directory import Directory, ListingFilter, NameFilter
from sqe.sql.trino.virtual.reference import Like, VirtualReference

TEXT, LONG, FLAG = pa.string(), pa.int64(), pa.bool_()
TIMESTAMP = pa.timestamp("ms", tz="UTC")


@dataclass(frozen=True, slots=True)
class Request:
    """A statement's request for the rows of a virtual table."""

    directory: Directory
    wanted: ListingFilter
    scope: Scope
    queries: Sequence[QueryInfo]


@dataclass(frozen=True, slots=True)
class VirtualTable:
    """A table with the columns of Trino's table of the same name, in the same order."""

    schema: str
    name: str
    columns: pa.Schema
    fill: Callable[[Request], Iterable[pa.Table]]  # parts with all the columns
    keys: tuple[str, str, str] | tuple[()] = ()  # the columns that hold catalog, schema and table
    hidden: frozenset[str] = frozenset()  # columns that `SELECT *` does not show

    def wanted(self, reference: VirtualReference) -> ListingFilter:
        """Return the filter for the listing that a reference needs."""
        return ListingFilter(
            *(_names(reference.equals.get(key), reference.likes.get(key)) for key in self.keys)
        )

    def visible(self, mentions: frozenset[str] | None) -> pa.Schema:
        """Return the columns for a statement that mentions these; None: it may mention any."""
        if mentions is None:
            return self.columns
        return pa.schema(
            [field for field in self.columns if field.name not in self.hidden or field.name in mentions]
        )


def _names(value: str | None, pattern: Like | None) -> NameFilter:
    if pattern is None:
        return NameFilter(value)
    try:
        return NameFilter(value if value is not None else only_match(*pattern), like(*pattern))
    except DataError:
        return NameFilter(value)  # Spark refuses the pattern, and reports its position in the statement


def nothing(request: Request) -> Iterable[pa.Table]:  # noqa: ARG001 - the signature of `VirtualTable.fill`
    """Return no rows, for tables of things that SQE does not have."""
    return ()


def part(columns: pa.Schema, length: int, **values: Any) -> pa.Table:
    """Build some rows of a table: a list is a column, any other value is repeated, and missing columns are null."""
    unknown = values.keys() - set(columns.names)
    assert not unknown, f"no columns: {unknown}"
    return pa.table(
        [_column(values.get(field.name), field.type, length) for field in columns], schema=columns
    )


def listed(columns: pa.Schema, rows: Iterable[Sequence[Any]]) -> pa.Table:
    """Build rows of a table from the values of its first columns; the other columns are null."""
    found = list(rows)
    values = dict(zip(columns.names, map(list, zip(*found, strict=True)), strict=False))
    return part(columns, len(found), **values)


def _column(value: Any, type_: pa.DataType, length: int) -> pa.Array:
    if isinstance(value, list):
        return pa.array(value, type_)
    if value is None:
        return pa.nulls(length, type_)
    return pa.repeat(pa.scalar(value, type_), length)
