"""Run queries on Spark and on the local executor, on the same tables, and compare what a client gets."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.engine.sessions import SparkEngineSession
from sqe.errors import QueryCanceledError, SqeError
from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan
from sqe.executor.pool import Capacity, LocalExecutor
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog

_INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}
Row = tuple[object, ...]


class WatchedExecutor(LocalExecutor):
    """A local executor that keeps what it has run."""

    def __init__(self, directory: Path) -> None:
        capacity = Capacity(memory=512 << 20, workers=1, cores=1, max_scan=1 << 40, spill=1 << 30, wait=60.0)
        super().__init__(capacity, directory)
        self.plan: LocalPlan | None = None  # of the last query
        self.completed = False
        self.failure: str | None = None
        self.only_render = False

    def forget(self) -> None:
        self.plan, self.completed, self.failure = None, False, None

    def run(self, plan: LocalPlan, tag: str) -> Generator[pa.RecordBatch, None, None]:
        self.plan = plan
        if self.only_render:
            raise QueryCanceledError("The plan is enough.")
        try:
            yield from super().run(plan, tag)
        except LocalExecutionError as error:
            self.failure = error.reason
            raise
        self.completed = True


@dataclass(frozen=True)
class Outcome:
    """What a client gets: columns and rows, or an error."""

    schema: pa.Schema | None = None
    rows: list[Row] = field(default_factory=list)
    error: tuple[str, str] | None = None  # code and SQLSTATE

    def difference(self, other: Outcome, *, ordered: bool, tolerance: float | None) -> str | None:
        """Describe the first difference to another outcome; None if there is none."""
        if self.error != other.error:
            return f"error {self.error} / {other.error}"
        if self.schema is None or other.schema is None:
            return None if self.schema is other.schema else "one has no columns"
        if not self.schema.equals(other.schema, check_metadata=True):
            return f"columns {self.schema.to_string()} / {other.schema.to_string()}"
        if len(self.rows) != len(other.rows):
            return f"{len(self.rows)} rows / {len(other.rows)} rows"
        one, two = (self.rows, other.rows) if ordered else (_sorted(self.rows), _sorted(other.rows))
        if one == two:
            return None
        for left, right in zip(one, two, strict=True):
            for name, value, another in zip(self.schema.names, left, right, strict=True):
                if value != another and not (tolerance and _close(value, another, tolerance)):
                    return f"column {name}: {value!r} / {another!r}\n  in {left!r}\n  and {right!r}"
        return None


@dataclass(frozen=True)
class Comparison:
    """One query, run on Spark and here."""

    sql: str
    local: bool  # whether the local executor has run it to its end
    rendered: bool
    failure: str | None  # why the local executor has not
    difference: str | None
    outcome: Outcome


class Differential:
    """Sessions of one engine with one warehouse."""

    def __init__(self, engine: GuardedEngine, executor: WatchedExecutor) -> None:
        self._engine = engine
        self.executor = executor
        self._sessions: dict[str, SparkEngineSession] = {}

    def session(self, zone: str) -> SparkEngineSession:
        if zone not in self._sessions:
            spec = SessionSpec((WarehouseCatalog("lake", self._engine.warehouse),), time_zone=zone)
            session = self._engine.sessions.open(spec, Principal(ADMIN, "a test", login=ADMIN))
            session.ready(lambda: False)
            self._sessions[zone] = session
        return self._sessions[zone]

    def interpret(self, zone: str) -> None:
        """Have Spark evaluate expressions in the session of a zone, instead of compiling a class for each query."""
        connect = self.session(zone)._connect
        assert connect is not None
        connect.set_conf(_INTERPRETED)

    def close(self) -> None:
        for session in self._sessions.values():
            session.close()

    def spark(self, sql: str, zone: str = "UTC") -> Outcome:
        return self._run(sql, zone, local=False)

    def here(self, sql: str, zone: str = "UTC") -> Outcome:
        self.executor.forget()
        return self._run(sql, zone, local=True)

    def plan(self, sql: str, zone: str = "UTC") -> LocalPlan | None:
        """Return the rendered plan of a query, which is not run; None if it is not rendered."""
        self.executor.only_render = True
        try:
            self.here(sql, zone)
        finally:
            self.executor.only_render = False
        return self.executor.plan

    def compare(
        self, sql: str, *, zone: str = "UTC", ordered: bool = False, tolerance: float | None = None
    ) -> Comparison:
        here = self.here(sql, zone)
        local, rendered = self.executor.completed, self.executor.plan is not None
        difference = None
        if rendered:  # otherwise Spark has run it
            there = self.spark(sql, zone)
            difference = there.difference(here, ordered=ordered, tolerance=tolerance)
        return Comparison(sql, local, rendered, self.executor.failure, difference, here)

    def _run(self, sql: str, zone: str, *, local: bool) -> Outcome:
        schema: pa.Schema | None = None
        rows: list[Row] = []
        try:
            for item in self.session(zone).stream(sql, "q", lambda progress: None, local=local):
                if isinstance(item, pa.Schema):
                    schema = item
                else:
                    rows += rows_of(item)
        except SqeError as error:
            return Outcome(error=(error.code, error.sqlstate))
        return Outcome(schema, rows)


def rows_of(batch: pa.RecordBatch) -> list[Row]:
    return list(zip(*(_values(column) for column in batch.columns), strict=True)) or [()] * batch.num_rows


def _values(column: pa.Array) -> Sequence[object]:
    """Return a column's values in a form that tells apart what is different, and nothing else."""
    if pa.types.is_date32(column.type):
        column = column.cast(pa.int32())
    elif pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    elif pa.types.is_string(column.type):
        column = column.cast(pa.binary())  # Spark's texts need not be UTF-8
    return [_value(value) for value in column.to_pylist()]


def _value(value: Any) -> object:
    if isinstance(value, float):
        return Float(value)
    if isinstance(value, list):
        return [_value(each) for each in value]
    if isinstance(value, dict):
        return {key: _value(each) for key, each in value.items()}
    return value


class Float(float):
    """A number that is equal to itself when it is none, and whose zero has a sign."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Float) and repr(self) == repr(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(repr(self))


def _sorted(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: ([_rough(value) for value in row], repr(row)))


def _rough(value: object) -> str:
    """Return a key in which floats that are close to each other mostly are the same."""
    return f"{float(value):.6g}" if isinstance(value, Float) else repr(value)


def _close(one: object, two: object, tolerance: float) -> bool:
    if not isinstance(one, Float) or not isinstance(two, Float):
        return False
    return math.isclose(float(one), float(two), rel_tol=tolerance, abs_tol=tolerance)
