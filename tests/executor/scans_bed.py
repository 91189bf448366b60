"""An engine with a local executor, and the files of its tables: what Spark and DuckDB answer, side by side."""

from __future__ import annotations

import itertools
import tempfile
import uuid
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.table import Table
from pyiceberg.typedef import Record
from tests.support.guarded_engine import ADMIN, GuardedEngine, guarded_engine

from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan
from sqe.executor.pool import Capacity, LocalExecutor

Row = tuple[Any, ...]

LOCAL = "local"  # a worker has run the statement
SPARK = "spark"  # the engine has not rendered it
AGAIN = "again"  # a worker has refused or failed, and Spark has run it

_CAPACITY = Capacity(memory=1 << 30, workers=2, cores=2, max_scan=1 << 30, spill=1 << 30, wait=60.0)


class RecordingExecutor(LocalExecutor):
    """A local executor that says what became of the last plan."""

    outcome = SPARK
    reason = ""
    plan: LocalPlan | None = None

    def run(self, plan: LocalPlan, tag: str) -> Generator[pa.RecordBatch, None, None]:
        self.plan = plan
        try:
            yield from super().run(plan, tag)
        except LocalExecutionError as error:
            self.outcome, self.reason = AGAIN, error.reason
            raise
        self.outcome = LOCAL


@dataclass
class ScansBed:
    engine: GuardedEngine
    executor: RecordingExecutor
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.engine.run(ADMIN, statement)

    def table(self, columns: str, rest: str = "", rows: str | None = None) -> str:
        """Create a table, with rows if `rows` gives what follows VALUES."""
        name = f"lake.db.t{next(self.numbers)}"
        self.run(f"CREATE TABLE {name} ({columns}) USING iceberg {rest}")
        if rows is not None:
            self.run(f"INSERT INTO {name} VALUES {rows}")
        return name

    def answer(self, sql: str, *, local: bool) -> tuple[pa.Schema, list[Row]]:
        rows: list[Row] = []
        items = self.engine.session(ADMIN).stream(sql, "q", lambda progress: None, local=local)
        schema = next(items)
        assert isinstance(schema, pa.Schema)
        for item in items:
            if isinstance(item, pa.RecordBatch):
                rows += [tuple(row.values()) for row in item.to_pylist()]
        return schema, rows

    def outcome(self, sql: str) -> str:
        """Run a statement on Spark and with the local executor; return who has answered the second time."""
        self.executor.outcome, self.executor.reason = SPARK, ""
        found = self.answer(sql, local=True)
        expected = self.answer(sql, local=False)
        assert found[0] == expected[0], (sql, found[0], expected[0])
        assert sorted(found[1], key=repr) == sorted(expected[1], key=repr) or _same(found[1], expected[1]), (
            sql,
            found[1][:20],
            expected[1][:20],
        )
        return self.executor.outcome

    def same(self, *statements: str) -> list[Row]:
        """Return the rows of the last statement; the local executor runs all, with Spark's answers."""
        for sql in statements:
            assert (self.outcome(sql), self.executor.reason) == (LOCAL, ""), sql
        return sorted(self.answer(statements[-1], local=True)[1], key=repr)

    def on_spark(self, *statements: str) -> None:
        for sql in statements:
            assert self.outcome(sql) == SPARK, sql

    def again(self, *statements: str) -> None:
        for sql in statements:
            assert self.outcome(sql) == AGAIN, sql

    def iceberg(self, table: str) -> Table:
        """Load a table with PyIceberg."""
        catalog = SqlCatalog(
            "lake",
            uri=f"sqlite:///{self.engine.warehouse / 'catalog.db'}",
            warehouse=str(self.engine.warehouse / "data"),
            init_catalog_tables="false",
        )
        return catalog.load_table(table.removeprefix("lake."))

    def add_file(
        self,
        table: str,
        columns: Sequence[tuple[str, pa.Array, int | None]],
        *,
        name: str | None = None,
        partition: Sequence[Any] = (),
        **options: Any,
    ) -> Path:
        """Add a file that pyarrow writes: columns with names, values and ids; the manifest has no statistics."""
        made = self.iceberg(table)
        file = Path(made.location().removeprefix("file:")) / "data" / (name or f"{uuid.uuid4()}.parquet")
        file.parent.mkdir(parents=True, exist_ok=True)
        fields = [
            pa.field(
                each, values.type, metadata=None if number is None else {"PARQUET:field_id": str(number)}
            )
            for each, values, number in columns
        ]
        data = pa.Table.from_arrays([values for _, values, _ in columns], schema=pa.schema(fields))
        pq.write_table(data, file, **options)
        added = DataFile.from_args(
            content=DataFileContent.DATA,
            file_path=str(file),
            file_format=FileFormat.PARQUET,
            partition=Record(*partition),
            record_count=data.num_rows,
            file_size_in_bytes=file.stat().st_size,
        )
        added.spec_id = made.spec().spec_id
        with made.transaction() as transaction, transaction.update_snapshot().fast_append() as append:
            append.append_data_file(added)
        return file


def _same(found: list[Row], expected: list[Row]) -> bool:
    """Return whether rows are the same but for NaN, which is not equal to itself."""
    return sorted(map(repr, found)) == sorted(map(repr, expected))


@contextmanager
def scans_bed() -> Iterator[ScansBed]:
    with guarded_engine() as engine, tempfile.TemporaryDirectory(prefix="sqe-test-") as directory:
        executor = RecordingExecutor(_CAPACITY, Path(directory))
        engine.sessions.executor = executor
        try:
            engine.run(ADMIN, "CREATE SCHEMA lake.db")
            yield ScansBed(engine, executor)
        finally:
            executor.close()
