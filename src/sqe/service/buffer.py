"""A result on its way from the engine to a client.

It is bounded. When a client is slower than the engine, the rest of the result goes to a file, if the buffer has been
given a place for one; otherwise the stream from the engine waits.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from sqe.errors import FileAccessError, SqeError
from sqe.service.spill import SpillFile


@dataclass(frozen=True, slots=True)
class SpillSpace:
    """Where a result may go that does not fit into memory, and how much of it."""

    directory: Path
    capacity: int  # bytes


class ResultBuffer:
    """One writer (the query's thread) and one reader (a front end's)."""

    def __init__(self, capacity: int, space: SpillSpace | None = None) -> None:
        self._capacity = capacity
        self._space = space
        self._changed = threading.Condition()
        self._schema: pa.Schema | None = None
        self._batches: deque[pa.RecordBatch] = deque()
        self._spilled: SpillFile | None = None  # what came after `_batches`
        self._bytes = 0
        self._ended = False
        self._error: SqeError | None = None
        self._last_read = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long nobody has read although there was something to read; 0 while the reader waits for us."""
        with self._changed:
            return time.monotonic() - self._last_read if self._batches or self._ended else 0.0

    def being_read(self, seconds: float) -> bool:
        """Whether there is something left that a reader, who came within the last `seconds`, will want."""
        with self._changed:
            return bool(self._batches) and time.monotonic() - self._last_read < seconds

    def touch(self) -> None:
        """The reader is still there, although it reads nothing now."""
        with self._changed:
            self._last_read = time.monotonic()

    def put_schema(self, schema: pa.Schema) -> None:
        with self._changed:
            self._schema = schema
            self._changed.notify_all()

    def put(self, batch: pa.RecordBatch) -> bool:
        """Wait for room and add a batch; False when the result was ended meanwhile and nobody wants more."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._fits() or self._may_spill())
            if self._ended:
                return False
            if not self._batches:
                self._last_read = time.monotonic()
            if self._fits():
                self._batches.append(batch)
                self._bytes += batch.nbytes
            else:
                self._spill(batch)
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
                self._drop_file()
            self._changed.notify_all()

    def discard(self) -> None:
        """Give up what is left: nobody will read it any more."""
        with self._changed:
            self._ended = True
            self._batches.clear()
            self._drop_file()
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
                self._refill()
                self._changed.notify_all()
                return True, batch
            return not self._ended, None

    # -- inside; the lock is held ---------------------------------------------------------------------------------

    def _fits(self) -> bool:
        # One batch is always taken, however large, or a result could get stuck. Behind a spilled one it must wait.
        return self._spilled is None and (not self._batches or self._bytes < self._capacity)

    def _may_spill(self) -> bool:
        if self._space is None:
            return False
        return self._spilled is None or self._spilled.written < self._space.capacity

    def _spill(self, batch: pa.RecordBatch) -> None:
        assert self._space is not None
        try:
            if self._spilled is None:
                self._spilled = SpillFile(self._space.directory, batch.schema)
            self._spilled.append(batch)
        except OSError as error:
            raise FileAccessError(
                "The result does not fit into memory and cannot be kept on disk.",
                hint="Read it faster, or add a LIMIT.",
                detail=str(error),
            ) from error

    def _refill(self) -> None:
        """Keep memory full from the file, so that there is a batch in memory for as long as there is one at all."""
        while self._spilled is not None and (not self._batches or self._bytes < self._capacity):
            if len(self._spilled) == 0:
                self._drop_file()
                return
            batch = self._spilled.pop()
            self._batches.append(batch)
            self._bytes += batch.nbytes

    def _drop_file(self) -> None:
        if self._spilled is not None:
            self._spilled.close()
            self._spilled = None
