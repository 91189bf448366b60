"""The interfaces that the shell uses of a server, independent of the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pyarrow as pa

from sqe.model.query import QueryStatus


class Result(Protocol):
    """One running statement. Its methods may be called from different threads."""

    @property
    def query_id(self) -> str: ...

    @property
    def schema(self) -> pa.Schema:
        """Block until the engine knows the columns; a statement without a result has none. Raises SqeError."""

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Stream the batches, once. Raises SqeError in the middle when the statement fails."""

    def status(self) -> QueryStatus: ...

    def cancel(self) -> None:
        """Stop the statement; the iterator then raises QueryCanceledError. Calling it twice is harmless."""

    def close(self) -> None:
        """Release the result; cancel the statement if it still runs."""


class Connection(Protocol):
    """A session on a server."""

    def execute(self, sql: str) -> Result:
        """Submit one statement and return at once. Raises SqeError."""

    def close(self) -> None: ...
