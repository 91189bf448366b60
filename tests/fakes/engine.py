"""A fake engine, for faults and orders of events that Spark does not produce on demand."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

import pyarrow as pa

from sqe.engine.interface import NO_VIEWS
from sqe.engine.redaction import redacted
from sqe.errors import QueryCanceledError, SqeError
from sqe.model.files import FileSource
from sqe.model.identity import Principal
from sqe.model.query import Progress
from sqe.model.session import SessionSpec

NUMBERS = pa.schema([("n", pa.int64())])

_CALL = re.compile(r"(?i)\bfake\('([^']*)'\)")


def batch(*numbers: int) -> pa.RecordBatch:
    return pa.record_batch([pa.array(numbers, pa.int64())], schema=NUMBERS)


class FakeEngine:
    """Statements are words: `rows N`, `fail`, `wait` (until released or interrupted), `endless`.

    Where the text has to be SQL, `SELECT fake('rows 3')` means the same as `rows 3`. A text that is a key of `answers`
    returns that table.
    """

    def __init__(self) -> None:
        self.note: str | None = None
        self.up = threading.Event()
        self.up.set()
        self.released = threading.Event()
        self.sessions: list[FakeSession] = []
        self.produced = 0
        self.failure: SqeError = SqeError("it failed")
        self.answers: dict[str, pa.Table] = {}
        self.schema = NUMBERS  # what every query and every table is described as
        self.changed: int | None = 1
        self.executed_plan = "[]"
        self.facts: dict[tuple[str, ...], str] = {}  # JSON by the parts of a table's name

    def open(self, spec: SessionSpec, principal: Principal) -> FakeSession:
        session = FakeSession(self, spec, principal)
        self.sessions.append(session)
        return session


class FakeSession:
    def __init__(self, engine: FakeEngine, spec: SessionSpec, principal: Principal) -> None:
        self.engine = engine
        self.spec = spec
        self.principal = principal
        self.user = principal.user
        self.closed = False
        self.started: list[str] = []
        self.parameters: list[tuple[pa.Scalar, ...]] = []
        self.described: list[list[pa.DataType | pa.Scalar]] = []
        self.views: dict[str, pa.Table] = {}
        self.interrupted: set[str] = set()

    def ready(self, given_up: Callable[[], bool]) -> None:
        while not self.engine.up.wait(0.01):
            if given_up():
                raise QueryCanceledError("given up")

    def stream(
        self,
        sql: str,
        tag: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
        *,
        local: bool = False,
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        self.started.append(sql)
        self.parameters.append(tuple(parameters))
        if sql in self.engine.answers:
            answer = self.engine.answers[sql]
            yield answer.schema
            yield from answer.to_batches()
            return
        called = _CALL.search(sql)
        word, _, argument = (called[1] if called else sql).partition(" ")
        if word == "fail":
            raise self.engine.failure
        on_progress(Progress(tasks=2, tasks_done=1))
        yield NUMBERS
        if word == "rows":
            for number in range(int(argument)):
                self.engine.produced += 1
                yield batch(number)
        while word in ("wait", "endless"):
            if word == "wait" and self.engine.released.wait(0.01):
                return
            if tag in self.interrupted:
                raise QueryCanceledError("interrupted")
            if word == "endless":
                self.engine.produced += 1
                yield batch(*range(1000))

    def executor_of(
        self,
        sql: str,
        tag: str,
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> str:
        return "Spark"

    def describe(
        self,
        sql: str,
        tag: str,
        parameters: Sequence[pa.DataType | pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> pa.Schema:
        self.described.append(list(parameters))
        answer = self.engine.answers.get(sql)
        return self.engine.schema if answer is None else answer.schema

    def parameter_types(self, sql: str, tag: str, count: int) -> tuple[pa.DataType, ...]:
        return (pa.int64(),) * count

    def table_schema(self, name: Sequence[str], tag: str) -> pa.Schema:
        return self.engine.schema

    lists_names = False

    def namespaces(self, catalog: str, tag: str) -> list[tuple[str, ...]]:
        raise AssertionError("it knows statements only")

    def tables(self, catalog: str, namespace: tuple[str, ...], tag: str) -> dict[str, bool]:
        raise AssertionError("it knows statements only")

    def register_file_view(self, name: str, tag: str, source: FileSource) -> None:
        self.started.append(f"view {source.format}")

    def register_uploaded_files(self, name: str, tag: str, files: Sequence[str]) -> None:
        self.started.append(f"view of {len(files)} uploaded files")

    def register_rows(self, name: str, tag: str, rows: pa.Table) -> None:
        self.views[name] = rows

    def drop_view(self, name: str, tag: str) -> None:
        self.views.pop(name, None)

    def changed_rows(self, tag: str) -> int | None:
        return self.engine.changed

    def want_plan(self, tag: str) -> None:
        self.started.append("want plan")

    def executed_plan(self, tag: str) -> str:
        return self.engine.executed_plan

    def statement_plan(self, kind: str, sql: str, tag: str) -> str:
        self.started.append(f"plan {kind} {sql.strip()}")
        return "{}"

    def table_facts(self, name: Sequence[str], tag: str) -> str:
        self.started.append(f"facts {'.'.join(name)}")
        return self.engine.facts[tuple(name)]

    def set_tags(self, change: str, tag: str) -> None:
        self.started.append(f"tags {change}")

    def redacted(self, error: SqeError) -> SqeError:
        return redacted(error)

    def interrupt(self, tag: str) -> None:
        self.interrupted.add(tag)

    def close(self) -> None:
        self.closed = True
