"""Provide catalogs in memory for the virtual tables, and record the requests to them."""

from __future__ import annotations

import pyarrow as pa

from sqe.errors import SchemaNotFoundError, SqeError, TableNotFoundError
from sqe.sql.trino.virtual.source import COMMENT, TableEntry

ORDERS = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False, metadata={COMMENT: b"the key"}),
        pa.field("price", pa.decimal128(10, 2)),
        pa.field("at", pa.timestamp("us", tz="UTC")),
        pa.field("tags", pa.list_(pa.string())),
    ]
)
ODD = pa.schema([("Ünï code", pa.string())])


class FakeSource:
    """Two catalogs; `failures` maps a catalog, or a table's full name, to the error that it raises."""

    def __init__(self) -> None:
        self.content: dict[str, dict[str, dict[str, pa.Schema]]] = {
            "iceberg": {
                "default": {"orders": ORDERS, "recent": ORDERS},
                "a": {},
                "a.b": {"Tä`ble.x": ODD},
            },
            "lake": {"default": {"cities": ODD}},
        }
        self.views = {"recent": "SELECT * FROM orders"}
        self.comments: dict[str, str] = {"orders": "what was sold"}
        self.failures: dict[str, SqeError] = {}
        self.asked: list[str] = []

    def catalogs(self) -> list[str]:
        return list(self.content)

    def schemas(self, catalog: str) -> list[str]:
        self._ask(f"schemas {catalog}", catalog)
        return list(self.content[catalog])

    def tables(self, catalog: str, schema: str) -> list[TableEntry]:
        self._ask(f"tables {catalog}.{schema}", catalog)
        if schema not in self.content[catalog]:
            raise SchemaNotFoundError(f"no schema {schema}")
        return [
            TableEntry(catalog, schema, name, "VIEW" if name in self.views else "TABLE")
            for name in self.content[catalog][schema]
        ]

    def columns(self, catalog: str, schema: str, table: str) -> pa.Schema:
        self._ask(f"columns {catalog}.{schema}.{table}", catalog, table)
        found = self.content[catalog].get(schema, {}).get(table)
        if found is None:
            raise TableNotFoundError(f"no table {table}")
        return found

    def comment(self, catalog: str, schema: str, table: str) -> str | None:
        self._ask(f"comment {catalog}.{schema}.{table}", catalog, table)
        return self.comments.get(table)

    def view_definition(self, catalog: str, schema: str, view: str) -> str:
        self._ask(f"view {catalog}.{schema}.{view}", catalog, view)
        return self.views[view]

    def _ask(self, what: str, *names: str) -> None:
        self.asked.append(what)
        for name in names:
            if name in self.failures:
                raise self.failures[name]
