"""What the query service knows of an engine: this and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import pyarrow as pa

from sqe.model.files import FileSource
from sqe.model.query import Progress
from sqe.model.session import SessionSpec


class EngineSession(Protocol):
    """A session of one user. `tag` names a query, so that another thread can stop what runs for it."""

    def ready(self, given_up: Callable[[], bool]) -> None:
        """Wait until the engine can take a statement, or the caller has given up. Raises SqeError."""

    def stream(
        self, sql: str, tag: str, on_progress: Callable[[Progress], None]
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run one statement; first its schema, then its batches. Raises SqeError."""

    def register_file_view(self, name: str, tag: str, source: FileSource) -> None:
        """Make a temporary view over files. Raises SqeError."""

    def interrupt(self, tag: str) -> None:
        """Stop what runs under `tag`, if anything does. Raises SqeError."""

    def close(self) -> None: ...


class Engine(Protocol):
    @property
    def note(self) -> str | None:
        """What a user who waits for the engine should know; None when it is ready."""

    def open(self, spec: SessionSpec, user: str) -> EngineSession:
        """A new session; it touches the engine only when it is first used."""
