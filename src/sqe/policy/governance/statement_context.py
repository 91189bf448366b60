"""The interface through which a statement about access uses its session and the catalog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from sqe.model.decision import Column, Kind, Resource
from sqe.model.session import Dialect


@dataclass(frozen=True, slots=True)
class TableName:
    """The full name of a table or view; parts of a namespace are never joined."""

    catalog: str
    namespace: tuple[str, ...]
    name: str

    def __str__(self) -> str:
        return ".".join([self.catalog, *self.namespace, self.name])


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The catalog's information about a table."""

    name: TableName
    kind: Kind
    uuid: str | None
    owner: str | None
    columns: tuple[Column, ...]

    @property
    def resource(self) -> Resource:
        name = self.name
        return Resource(
            self.kind, name.catalog, name.namespace, name.name, self.columns, self.uuid, self.owner
        )


class StatementContext(Protocol):
    """The session of a statement's author. Every call has the author's rights and can be denied."""

    @property
    def dialect(self) -> Dialect: ...

    def catalogs(self) -> Sequence[str]:
        """Return the names of the session's catalogs."""

    def place(self) -> tuple[str, tuple[str, ...]]:
        """Return the current catalog and namespace. Raises SqeError."""

    def facts(self, name: TableName) -> TableFacts:
        """Return the facts about a table or view. Raises TableNotFoundError, AccessDeniedError and others."""

    def tables(self, catalog: str, namespace: tuple[str, ...]) -> Sequence[str]:
        """Return the names of the tables and views in a schema. Raises SchemaNotFoundError and others."""

    def set_tags(self, name: TableName, tags: Mapping[str, Sequence[str]], removed: Sequence[str]) -> None:
        """Change tags of columns. Raises SqeError."""

    def describe(self, sql: str) -> pa.Schema:
        """Return the columns of a query in Spark's SQL without running it. Raises SqeError."""
