"""A result on its way from the engine to a client.

It is bounded, so that a slow client slows the stream from the engine down instead of filling the gateway's memory.
"""

from __future__ import annotations

import threading
import time
from collections import deque

import pyarrow as pa

from sqe.errors import SqeError


class ResultBuffer:
    """One writer (the query's thread) and one reader (a front end's)."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._changed = threading.Condition()
        self._schema: pa.Schema | None = None
        self._batches: deque[pa.RecordBatch] = deque()
        self._bytes = 0
        self._ended = False
        self._error: SqeError | None = None
        self._last_read = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long nobody has read although there was something to read; 0 while the reader waits for us."""
        with self._changed:
            return time.monotonic() - self._last_read if self._batches or self._ended else 0.0

    def put_schema(self, schema: pa.Schema) -> None:
        with self._changed:
            self._schema = schema
            self._changed.notify_all()

    def put(self, batch: pa.RecordBatch) -> bool:
        """Wait for room and add a batch; False when the result was ended meanwhile and nobody wants more."""
        with self._changed:
            # One batch is always taken, however large, or a result could get stuck.
            self._changed.wait_for(lambda: self._ended or not self._batches or self._bytes < self._capacity)
            if self._ended:
                return False
            if not self._batches:
                self._last_read = time.monotonic()
            self._batches.append(batch)
            self._bytes += batch.nbytes
            self._changed.notify_all()
            return True

    def end(self, error: SqeError | None = None) -> None:
        """No more batches. With an error, what is still buffered is dropped: a failed result is no result."""
        with self._changed:
            if self._ended:
                return
            self._ended = True
            self._error = error
            if error is not None:
                self._batches.clear()
            self._changed.notify_all()

    def schema(self, seconds: float) -> pa.Schema | None:
        """The columns, or None when they are not known after `seconds`. Raises the query's error."""
        with self._changed:
            self._changed.wait_for(lambda: self._schema is not None or self._ended, seconds)
            if self._error is not None:
                raise self._error
            if self._schema is None and self._ended:
                return pa.schema([])
            return self._schema

    def take(self, seconds: float) -> tuple[bool, pa.RecordBatch | None]:
        """(True, batch), or (True, None) when there is none yet after `seconds`, or (False, None) at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._batches or self._ended, seconds)
            self._last_read = time.monotonic()
            if self._error is not None:
                raise self._error
            if self._batches:
                batch = self._batches.popleft()
                self._bytes -= batch.nbytes
                self._changed.notify_all()
                return True, batch
            return not self._ended, None
