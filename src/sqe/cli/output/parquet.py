"""Write a result as a Parquet file."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from sqe.cli.output.json import distinct_names

_GROUP_BYTES = 64 * 1024 * 1024  # in memory, before encoding: no more of the result is ever held
_GROUP_ROWS = 1_000_000


class ParquetFile:
    """Writes row groups as batches come. Its footer comes last: without `end` the file cannot be read."""

    def __init__(self, file: BinaryIO, compression: str) -> None:
        self._file = file
        self._compression = compression
        self._kept: list[pa.RecordBatch] = []
        self._bytes = 0
        self._rows = 0

    def begin(self, schema: pa.Schema) -> None:
        names = distinct_names(schema.names)
        self._schema = pa.schema(
            [field.with_name(name) for field, name in zip(schema, names, strict=True)], schema.metadata
        )
        self._writer = pq.ParquetWriter(self._file, self._schema, compression=self._compression)

    def batch(self, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        self._kept.append(pa.RecordBatch.from_arrays(batch.columns, schema=self._schema))
        self._bytes += batch.nbytes
        self._rows += batch.num_rows
        if self._bytes >= _GROUP_BYTES or self._rows >= _GROUP_ROWS:
            self._flush()

    def end(self) -> None:
        if self._kept:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_batches(self._kept, self._schema))
        self._kept, self._bytes, self._rows = [], 0, 0
