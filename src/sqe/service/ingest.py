"""Write rows from a client into a table, all of them or none.

A few rows travel to the engine with the plan. The gateway writes more of them to Parquet files in a private directory
first, so that neither the gateway nor the plan holds them, and one statement moves them into the table: it commits
once, whatever their number. The engine has to see that directory.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sqe.errors import DataError, LimitError, QueryCanceledError, UnsupportedError, UsageError
from sqe.model.query import QueryId, new_query_id
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.sql.quote import quote_name
from sqe.units import Size

_WITH_PLAN = 4 * 1024 * 1024  # bytes that still travel with the plan
_FILE = 128 * 1024 * 1024  # bytes in memory, before encoding, that make one file
_POLL_SECONDS = 0.1
_VIEW_PREFIX = "sqe_ingest_"


class IfMissing(Enum):
    CREATE = "create"
    FAIL = "fail"


class IfExists(Enum):
    FAIL = "fail"
    APPEND = "append"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class Target:
    """The table that rows go to, and what may happen to it."""

    name: tuple[str, ...]  # catalog, namespace and table, as far as they are given
    if_missing: IfMissing
    if_exists: IfExists

    def statements(self, view: str) -> tuple[str, ...]:
        """Return Spark SQL that moves the rows of `view` into it. Raises UsageError."""
        table = quote_name(*self.name)
        rows = f"SELECT * FROM {quote_name(view)}"  # noqa: S608 - all names are quoted
        # By name: a client's columns need not be in the table's order.
        append = f"INSERT INTO {table} BY NAME {rows}"
        match self.if_missing, self.if_exists:
            case IfMissing.CREATE, IfExists.FAIL:
                return (f"CREATE TABLE {table} AS {rows}",)
            case IfMissing.CREATE, IfExists.REPLACE:
                return (f"CREATE OR REPLACE TABLE {table} AS {rows}",)
            case IfMissing.FAIL, IfExists.REPLACE:
                return (f"REPLACE TABLE {table} AS {rows}",)
            case IfMissing.FAIL, IfExists.APPEND:
                return (append,)
            case IfMissing.CREATE, IfExists.APPEND:
                # The empty table is all that is left behind if the rows then cannot be appended.
                return f"CREATE TABLE IF NOT EXISTS {table} AS {rows} LIMIT 0", append
        raise UsageError("A table that may neither exist nor be missing cannot be written.")


def ingest(
    service: QueryService,
    session: GatewaySession,
    target: Target,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    *,
    directory: Path,
    limit: int,
    gone: Callable[[], bool],
) -> int:
    """Write all rows of `batches` and return their number. Raises SqeError, and then none were written.

    Args:
        service: what runs the statements.
        session: the client's; its dialect is Spark's.
        target: where they go.
        schema: of the batches.
        batches: read once, as they come.
        directory: private; rows that do not travel with the plan are written here.
        limit: bytes that may be written there.
        gone: whether the client has gone away, so that nothing is written.
    """
    if not len(schema):
        raise UsageError("There are no columns to ingest.")
    view, tag = _VIEW_PREFIX + secrets.token_hex(8), new_query_id()
    with tempfile.TemporaryDirectory(prefix="ingest-", dir=directory) as staged:
        kept = _Staging(schema, Path(staged), limit)
        for batch in batches:
            kept.add(batch)
        kept.finish()
        if gone():
            raise QueryCanceledError("The client went away.")
        engine = session.engine
        engine.ready(gone)
        try:
            if kept.files:
                engine.register_uploaded_files(view, tag, [str(path) for path in kept.files])
            else:
                engine.register_rows(view, tag, pa.Table.from_batches(kept.rows, schema))
            for sql in target.statements(view):
                _run(service, session, sql, gone)
        finally:
            engine.drop_view(view, tag)
    return kept.count


class _Staging:
    """Keeps a little in memory and the rest in files."""

    def __init__(self, schema: pa.Schema, directory: Path, limit: int) -> None:
        self.rows: list[pa.RecordBatch] = []
        self.files: list[Path] = []
        self.count = 0
        self._schema = _storable(schema)
        self._directory = directory
        self._limit = limit
        self._bytes = 0
        self._written = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Keep a batch, in memory or in a file. Raises SqeError."""
        self.rows.append(batch)
        self.count += batch.num_rows
        self._bytes += batch.nbytes
        if self._bytes > (_FILE if self.files else _WITH_PLAN):
            self._flush()

    def finish(self) -> None:
        if self.files and self.rows:
            self._flush()

    def _flush(self) -> None:
        path = self._directory / f"part-{len(self.files):05}.parquet"
        try:
            table = pa.Table.from_batches(self.rows).cast(self._schema)
            pq.write_table(table, path, coerce_timestamps="us", compression="zstd", compression_level=1)
        except pa.ArrowInvalid as error:
            raise DataError(f"Spark cannot hold these rows exactly: {error}.") from error
        except pa.ArrowNotImplementedError as error:
            raise UnsupportedError("Rows of this type cannot be ingested.", detail=str(error)) from error
        self.files.append(path)
        self.rows, self._bytes = [], 0
        self._written += path.stat().st_size
        if self._written > self._limit:
            raise LimitError(f"There is more to ingest than {Size(self._limit)} (limits.result_spill).")


def _storable(schema: pa.Schema) -> pa.Schema:
    """Return types that Spark reads from Parquet as they were written. Raises UnsupportedError."""
    return pa.schema([field.with_type(_storable_type(field.name, field.type)) for field in schema])


def _storable_type(column: str, kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return _storable_type(column, kind.value_type)
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_duration(kind) or pa.types.is_interval(kind) or pa.types.is_time(kind):
        raise UnsupportedError(
            f"The column '{column}' has the type {kind}, which no table can hold.",
            hint="Ingest it as a number or as text.",
        )
    return kind


def _run(service: QueryService, session: GatewaySession, sql: str, gone: Callable[[], bool]) -> None:
    query_id: QueryId = service.submit(session, service.read(session, sql))
    while not service.wait(session, query_id, _POLL_SECONDS):
        if gone():
            service.cancel(session, query_id)
            raise QueryCanceledError("The client went away.")
    error = service.poll(session, query_id).error
    if error is not None:
        error.position = None  # a place in a text that the client never saw
        raise error
