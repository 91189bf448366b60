"""What a virtual table is: its columns, and how its rows are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sqe.errors import DataError
from sqe.model.query import QueryInfo
from sqe.sql.like import like, only_match
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual.directory import Directory, Names, Wanted
from sqe.sql.trino.virtual.reference import Like, VirtualReference

TEXT, LONG, FLAG = pa.string(), pa.int64(), pa.bool_()
MOMENT = pa.timestamp("ms", tz="UTC")


@dataclass(frozen=True, slots=True)
class Request:
    """What a statement wants of a virtual table."""

    directory: Directory
    wanted: Wanted
    scope: Scope
    queries: Sequence[QueryInfo]


@dataclass(frozen=True, slots=True)
class VirtualTable:
    """A table with the columns that Trino's table of the same name has, in the same order."""

    schema: str
    name: str
    columns: pa.Schema
    fill: Callable[[Request], Iterable[pa.Table]]  # parts with all the columns
    keys: tuple[str, str, str] | tuple[()] = ()  # the columns that hold catalog, schema and table
    hidden: frozenset[str] = frozenset()  # columns that `SELECT *` does not show

    def wanted(self, reference: VirtualReference) -> Wanted:
        """What has to be listed for the rows that a reference wants."""
        return Wanted(*(_names(reference.equals.get(key), reference.likes.get(key)) for key in self.keys))

    def visible(self, mentions: frozenset[str] | None) -> pa.Schema:
        """The columns for a statement that mentions these; None: it may mention any."""
        if mentions is None:
            return self.columns
        return pa.schema(
            [field for field in self.columns if field.name not in self.hidden or field.name in mentions]
        )


def _names(value: str | None, pattern: Like | None) -> Names:
    if pattern is None:
        return Names(value)
    try:
        return Names(value if value is not None else only_match(*pattern), like(*pattern))
    except DataError:
        return Names(value)  # Spark refuses the pattern, and knows where it stands in the statement


def nothing(request: Request) -> Iterable[pa.Table]:  # noqa: ARG001 - as all that fill a table
    """Fill a table for things that SQE does not have."""
    return ()


def part(columns: pa.Schema, length: int, **values: Any) -> pa.Table:
    """Some rows of a table: lists are columns, anything else is the same in each row, and what is left out is null."""
    unknown = values.keys() - set(columns.names)
    assert not unknown, f"no columns: {unknown}"
    return pa.table(
        [_column(values.get(field.name), field.type, length) for field in columns], schema=columns
    )


def _column(value: Any, type_: pa.DataType, length: int) -> pa.Array:
    if isinstance(value, list):
        return pa.array(value, type_)
    if value is None:
        return pa.nulls(length, type_)
    return pa.repeat(pa.scalar(value, type_), length)
