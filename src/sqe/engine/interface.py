"""What the query service knows of an engine: this and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from sqe.model.files import FileSource
from sqe.model.identity import Principal
from sqe.model.query import Progress
from sqe.model.session import SessionSpec


class EngineSession(Protocol):
    """A session of one user. `tag` names a query, so that another thread can stop what runs for it.

    Every text is Spark's SQL. Positions in errors count in that text.
    """

    def ready(self, given_up: Callable[[], bool]) -> None:
        """Wait until the engine can take a statement, or the caller has given up. Raises SqeError."""

    def stream(
        self,
        sql: str,
        tag: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run one statement; first its schema, then its batches. Raises SqeError.

        `parameters` take the places of its `?`, as values: no text is made of them.
        """

    def describe(self, sql: str, tag: str, parameters: Sequence[pa.DataType | pa.Scalar] = ()) -> pa.Schema:
        """The columns of a query, without running it. A command would run: never describe one. Raises SqeError."""

    def parameter_types(self, sql: str, tag: str, count: int) -> tuple[pa.DataType, ...]:
        """The type that each `?` of a statement has to have, without running it. Raises SqeError."""

    def table_schema(self, name: Sequence[str], tag: str) -> pa.Schema:
        """The columns of a table or view, from its catalog. Raises SqeError."""

    def register_file_view(self, name: str, tag: str, source: FileSource) -> None:
        """Make a temporary view over files. Raises SqeError."""

    def register_rows(self, name: str, tag: str, rows: pa.Table) -> None:
        """Make a temporary view over rows that the gateway has; replaces one of that name. Raises SqeError."""

    def drop_view(self, name: str, tag: str) -> None:
        """Forget a temporary view, if it is there. Raises SqeError."""

    def changed_rows(self, tag: str) -> int | None:
        """How many rows the statement under `tag` changed, once it has ended; None when nobody knows."""

    def table_facts(self, name: Sequence[str], tag: str) -> str:
        """What the guard knows of a table or view, as JSON, as far as the person may see it. Raises SqeError."""

    def set_tags(self, change: str, tag: str) -> None:
        """Change the tags of a table's columns as JSON says, if the person may. Raises SqeError."""

    def interrupt(self, tag: str) -> None:
        """Stop what runs under `tag`, if anything does. Raises SqeError."""

    def close(self) -> None: ...


class Engine(Protocol):
    @property
    def note(self) -> str | None:
        """What a user who waits for the engine should know; None when it is ready."""

    def open(self, spec: SessionSpec, principal: Principal) -> EngineSession:
        """A new session of one person; it touches the engine only when it is first used."""
