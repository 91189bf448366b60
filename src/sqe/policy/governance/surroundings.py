"""What a statement about access finds around it: the session of whoever wrote it, and the tables that it names."""

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
    """What the catalog itself tells of a table."""

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


class Surroundings(Protocol):
    """Everything is asked as the person whose statement it is, who may be refused."""

    @property
    def dialect(self) -> Dialect: ...

    def catalogs(self) -> Sequence[str]:
        """The names of the session's catalogs."""

    def place(self) -> tuple[str, tuple[str, ...]]:
        """The current catalog and namespace. Raises SqeError."""

    def facts(self, name: TableName) -> TableFacts:
        """What is known of a table or view. Raises TableNotFoundError, AccessDeniedError and others."""

    def tables(self, catalog: str, namespace: tuple[str, ...]) -> Sequence[str]:
        """The names of the tables and views in a schema. Raises SchemaNotFoundError and others."""

    def set_tags(self, name: TableName, tags: Mapping[str, Sequence[str]], removed: Sequence[str]) -> None:
        """Change tags of columns. Raises SqeError."""

    def describe(self, sql: str) -> pa.Schema:
        """The columns of a query in Spark's SQL, which is not run. Raises SqeError."""
