"""A session with a catalog in memory, for statements about access."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from sqe.errors import SchemaNotFoundError, TableNotFoundError
from sqe.model.decision import Column, Kind
from sqe.model.session import Dialect
from sqe.policy.governance.statement_context import TableFacts, TableName


class FakeStatementContext:
    """Knows the tables that a test puts into it; everybody may ask about all of them."""

    def __init__(self, *tables: TableFacts, dialect: Dialect = Dialect.SPARK) -> None:
        self.dialect = dialect
        self.known = {table.name: table for table in tables}
        self.current: tuple[str, tuple[str, ...]] = ("lake", ("sales",))
        self.described: list[str] = []
        self.type: Callable[[str], pa.DataType] = lambda sql: pa.bool_()

    def catalogs(self) -> Sequence[str]:
        return ["lake", "pond"]

    def place(self) -> tuple[str, tuple[str, ...]]:
        return self.current

    def facts(self, name: TableName) -> TableFacts:
        try:
            return self.known[name]
        except KeyError:
            raise TableNotFoundError(f"There is no table {name}.") from None

    def tables(self, catalog: str, namespace: tuple[str, ...]) -> Sequence[str]:
        found = [name.name for name in self.known if (name.catalog, name.namespace) == (catalog, namespace)]
        if not found:
            raise SchemaNotFoundError(f"There is no schema {namespace}.")
        return found

    def set_tags(self, name: TableName, tags: Mapping[str, Sequence[str]], removed: Sequence[str]) -> None:
        columns = []
        for column in self.known[name].columns:
            kept = () if column.name in removed else column.tags
            columns.append(replace(column, tags=tuple(tags.get(column.name, kept))))
        self.known[name] = replace(self.known[name], columns=tuple(columns))

    def describe(self, sql: str) -> pa.Schema:
        self.described.append(sql)
        return pa.schema([("checked", self.type(sql))])


def table(name: str, *columns: Column, owner: str | None = None, uuid: str | None = None) -> TableFacts:
    """A table by its dotted name."""
    catalog, *namespace, last = name.split(".")
    return TableFacts(
        TableName(catalog, tuple(namespace), last), Kind.TABLE, uuid or f"uuid of {name}", owner, columns
    )
