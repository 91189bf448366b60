"""An engine that does what a test tells it, for faults and orders of events that Spark does not produce on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pyarrow as pa

from sqe.errors import QueryCanceledError, SqeError
from sqe.model.files import FileSource
from sqe.model.query import Progress
from sqe.model.session import SessionSpec

NUMBERS = pa.schema([("n", pa.int64())])


def batch(*numbers: int) -> pa.RecordBatch:
    return pa.record_batch([pa.array(numbers, pa.int64())], schema=NUMBERS)


class FakeEngine:
    """Statements are words: `rows N`, `fail`, `wait` (until released or interrupted), `endless`."""

    def __init__(self) -> None:
        self.note: str | None = None
        self.up = threading.Event()
        self.up.set()
        self.released = threading.Event()
        self.sessions: list[FakeSession] = []
        self.produced = 0
        self.failure: SqeError = SqeError("it failed")

    def open(self, spec: SessionSpec, user: str) -> FakeSession:
        session = FakeSession(self, user)
        self.sessions.append(session)
        return session


class FakeSession:
    def __init__(self, engine: FakeEngine, user: str) -> None:
        self.engine = engine
        self.user = user
        self.closed = False
        self.started: list[str] = []
        self.interrupted: set[str] = set()

    def ready(self, given_up: Callable[[], bool]) -> None:
        while not self.engine.up.wait(0.01):
            if given_up():
                raise QueryCanceledError("given up")

    def stream(
        self, sql: str, tag: str, on_progress: Callable[[Progress], None]
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        self.started.append(sql)
        word, _, argument = sql.partition(" ")
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

    def register_file_view(self, name: str, tag: str, source: FileSource) -> None:
        self.started.append(f"view {source.format}")

    def interrupt(self, tag: str) -> None:
        self.interrupted.add(tag)

    def close(self) -> None:
        self.closed = True
