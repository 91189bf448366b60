"""Buffer a result between the engine and a client, within bounds.

When a client is slower than the engine, the rest of the result goes to a file, if the buffer has a directory for one;
otherwise the stream from the engine waits.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from sqe.errors import FileAccessError, SqeError


@dataclass(frozen=True, slots=True)
class SpillSpace:
    """The directory for results that do not fit into memory, and how much of one may go there."""

    directory: Path
    capacity: int  # bytes


class SpillFile:
    """A queue of batches in a file. The file has no name any more, so that it ends with this object."""

    def __init__(self, directory: Path, schema: pa.Schema) -> None:
        # Not a temporary *named* file: even `kill -9` leaves nothing behind, and no other process can open it.
        number, name = tempfile.mkstemp(prefix="result-", dir=directory)
        reading = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        Path(name).unlink()
        self._sink = pa.PythonFile(os.fdopen(number, "wb", buffering=0), mode="w")
        self._source = pa.PythonFile(os.fdopen(reading, "rb", buffering=0), mode="r")
        self._writer = pa.ipc.new_stream(
            self._sink, schema, options=pa.ipc.IpcWriteOptions(compression="lz4")
        )
        self._reader: pa.ipc.RecordBatchStreamReader | None = None
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    @property
    def written(self) -> int:
        """Bytes on disk."""
        return int(self._sink.tell())

    def append(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)
        self._waiting += 1

    def pop(self) -> pa.RecordBatch:
        """Remove and return the oldest batch; there must be one."""
        if self._reader is None:
            self._reader = pa.ipc.open_stream(self._source)
        self._waiting -= 1
        return self._reader.read_next_batch()

    def close(self) -> None:
        self._sink.close()
        self._source.close()


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
        """How long the reader has not read although there was something to read; 0 while the reader waits."""
        with self._changed:
            return time.monotonic() - self._last_read if self._batches or self._ended else 0.0

    def being_read(self, seconds: float) -> bool:
        """Whether there is something left that a reader, who came within the last `seconds`, will want."""
        with self._changed:
            return bool(self._batches) and time.monotonic() - self._last_read < seconds

    def touch(self) -> None:
        """Note that the reader is still there, although it reads nothing now."""
        with self._changed:
            self._last_read = time.monotonic()

    def put_schema(self, schema: pa.Schema) -> None:
        with self._changed:
            self._schema = schema
            self._changed.notify_all()

    def put(self, batch: pa.RecordBatch) -> bool:
        """Wait for room and add a batch; False when the result was ended meanwhile and takes no more."""
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
        """Take no more batches. With an error, drop what is still buffered: a failed result is no result."""
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
        """Drop what is left, because no reader will come for it."""
        with self._changed:
            self._ended = True
            self._batches.clear()
            self._drop_file()
            self._changed.notify_all()

    def schema(self, seconds: float) -> pa.Schema | None:
        """Return the columns, or None when they are not known after `seconds`. Raises the query's error."""
        with self._changed:
            self._changed.wait_for(lambda: self._schema is not None or self._ended, seconds)
            if self._error is not None:
                raise self._error
            if self._schema is None and self._ended:
                return pa.schema([])
            return self._schema

    def take(self, seconds: float) -> tuple[bool, pa.RecordBatch | None]:
        """Return (True, batch), or (True, None) when there is none yet after `seconds`, or (False, None) at the end."""
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
