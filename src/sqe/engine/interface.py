"""Define the engine as the query service sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

import pyarrow as pa

from sqe.errors import SqeError
from sqe.model.files import FileSource
from sqe.model.identity import Principal
from sqe.model.query import Progress
from sqe.model.session import SessionSpec

NO_VIEWS: Mapping[str, pa.Table] = MappingProxyType({})


class EngineSession(Protocol):
    """One user's session on the engine.

    `tag` is a query's id, with which another thread can stop the query. Every statement is in Spark's SQL, and
    positions in errors refer to that text.
    """

    def ready(self, given_up: Callable[[], bool]) -> None:
        """Wait until the engine can take a statement, or the caller has given up. Raises SqeError."""

    def stream(
        self,
        sql: str,
        tag: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
        *,
        local: bool = False,
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run one statement; yield its schema, then its batches. Raises SqeError.

        `parameters` are the values of its `?`. They never become SQL text. `views` are rows that it reads by names
        that no other statement uses. `local` allows the local executor to run it, once Spark has planned it.
        """

    def executor_of(
        self,
        sql: str,
        tag: str,
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> str:
        """Return what would run a query, and why it is Spark, without running it. Raises SqeError."""

    def describe(
        self,
        sql: str,
        tag: str,
        parameters: Sequence[pa.DataType | pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> pa.Schema:
        """Return the columns of a query without running it. Never pass a command, which would run. Raises SqeError."""

    def parameter_types(self, sql: str, tag: str, count: int) -> tuple[pa.DataType, ...]:
        """Return the type that each `?` of a statement must have, without running it. Raises SqeError."""

    def table_schema(self, name: Sequence[str], tag: str) -> pa.Schema:
        """Return the columns of a table or view, from its catalog. Raises SqeError."""

    @property
    def lists_names(self) -> bool:
        """Whether it answers `namespaces` and `tables`: an engine that SQE does not start knows statements only."""

    def namespaces(self, catalog: str, tag: str) -> list[tuple[str, ...]]:
        """Return the namespaces of a catalog, at any depth, as the user sees them. Raises SqeError."""

    def tables(self, catalog: str, namespace: tuple[str, ...], tag: str) -> dict[str, bool]:
        """Return the tables and views of a namespace, and for each whether it is a view. Raises SqeError."""

    def register_file_view(self, name: str, tag: str, source: FileSource) -> None:
        """Create a temporary view over files. Raises SqeError."""

    def register_uploaded_files(self, name: str, tag: str, files: Sequence[str]) -> None:
        """Create a temporary view over Parquet files that the gateway has written. Raises SqeError."""

    def register_rows(self, name: str, tag: str, rows: pa.Table) -> None:
        """Create or replace a temporary view over rows of the gateway. Raises SqeError."""

    def drop_view(self, name: str, tag: str) -> None:
        """Drop a temporary view, if it exists. Raises SqeError."""

    def changed_rows(self, tag: str) -> int | None:
        """Return the number of rows that the ended statement `tag` changed; None if unknown."""

    def want_plan(self, tag: str) -> None:
        """Have the engine keep the executed plans of the statement `tag`, which runs next. Raises SqeError."""

    def executed_plan(self, tag: str) -> str:
        """Return the executed plans of the ended statement `tag` as JSON, once. Raises SqeError."""

    def statement_plan(self, kind: str, sql: str, tag: str) -> str:
        """Return the plan of a statement as Trino's JSON, without running it. Raises SqeError.

        `kind` is `io`, `logical` or `distributed`.
        """

    def table_facts(self, name: Sequence[str], tag: str) -> str:
        """Return the guard's JSON description of a table or view, as far as the user may see it. Raises SqeError."""

    def set_tags(self, change: str, tag: str) -> None:
        """Change the tags of a table's columns as the JSON in `change` says, if the user may. Raises SqeError."""

    def redacted(self, error: SqeError) -> SqeError:
        """Return the same error with nothing in it that a policy may hide."""

    def interrupt(self, tag: str) -> None:
        """Stop the query `tag`, if it runs. Raises SqeError."""

    def close(self) -> None: ...


class Engine(Protocol):
    """Opens sessions."""

    @property
    def note(self) -> str | None:
        """Why the engine is not ready, for users who wait for it; None when it is."""

    def open(self, spec: SessionSpec, principal: Principal) -> EngineSession:
        """Return a new session of `principal`. It connects to the engine on first use."""
