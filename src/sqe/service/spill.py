"""The part of a result that waits in a file for a slow client."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pyarrow as pa


class SpillFile:
    """Batches, written at one end and read at the other. Its file has no name any more: it ends with this object."""

    def __init__(self, directory: Path, schema: pa.Schema) -> None:
        # Not a temporary *named* file: even `kill -9` leaves nothing behind, and nobody can open it.
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
        """The oldest batch; there must be one."""
        if self._reader is None:
            self._reader = pa.ipc.open_stream(self._source)
        self._waiting -= 1
        return self._reader.read_next_batch()

    def close(self) -> None:
        self._sink.close()
        self._source.close()
