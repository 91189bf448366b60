"""Read a query's result, and stop the query when the reader goes away."""

from __future__ import annotations

from collections.abc import Callable, Generator

import pyarrow as pa

from sqe.errors import QueryCanceledError
from sqe.service.query import Query

_POLL_SECONDS = 0.1  # between two checks whether the reader is still there


class ResultStream:
    def __init__(self, query: Query, stop: Callable[[Query], None]) -> None:
        self._query = query
        self._stop = stop

    def schema(self, gone: Callable[[], bool]) -> pa.Schema:
        """Wait for the columns; when `gone` says so, the query is stopped. Raises SqeError."""
        while (schema := self._query.buffer.schema(_POLL_SECONDS)) is None:
            self._stop_if(gone)
        return schema

    def batches(self, gone: Callable[[], bool]) -> Generator[pa.RecordBatch, None, None]:
        """Yield the batches as they come. A reader that closes this iterator early stops the query."""
        ended = False
        try:
            more = True
            while more:
                more, batch = self._query.buffer.take(_POLL_SECONDS)
                if batch is not None:
                    yield batch
                self._stop_if(gone)
            ended = True
        finally:
            if not ended:
                self._stop(self._query)

    def take(self, seconds: float) -> tuple[bool, pa.RecordBatch | None]:
        """Return (True, batch), or (True, None) when there is none yet after `seconds`, or (False, None) at the end.

        For front ends whose clients come again for each page; a client that does not come again is found by
        `limits.unread_result`. Raises SqeError.
        """
        return self._query.buffer.take(seconds)

    def columns(self, seconds: float) -> pa.Schema | None:
        """Return the columns, or None when they are not known yet after `seconds`. Raises SqeError."""
        return self._query.buffer.schema(seconds)

    def touch(self) -> None:
        """Note that the client is still there, although it reads nothing now."""
        self._query.buffer.touch()

    def _stop_if(self, gone: Callable[[], bool]) -> None:
        if gone():
            self._stop(self._query)
            raise QueryCanceledError("The client went away.")
