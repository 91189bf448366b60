"""Open, use and close many sessions on one engine, and measure leftovers and the costs of an open session.

python -m bench.sessions --sessions 1000 [--rest] [--idle 100]

Each session reads a table, with --rest one of a REST catalog in S3; this process fakes both.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.jvm import JvmUsage, measure, threads
from bench.load import Target
from bench.process import usage
from testing.control import FakeKeys, FakeLogins
from testing.rest_catalog import rest_catalog
from testing.server import running_server

from sqe.config.load import load
from sqe.control.endpoint import ControlEndpoint
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.sessions import EngineSessions, SparkEngineSession
from sqe.errors import FileAccessError, SqeError
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import Catalog, RestCatalog, SessionSpec, WarehouseCatalog

AT_ONCE = 4
WARM_UP = 30
_SETTLED_SECONDS = 30.0
_QUIET_SECONDS = 3.0
_ALICE = Principal("alice", "bench", login="of alice")
_VENDED = {"s3.access-key-id": "key", "s3.secret-access-key": "secret", "s3.session-token": "token"}


@dataclass
class Machine:
    """An engine, and the catalogs and statements of its sessions."""

    runtime: Runtime
    source: Supervisor
    sessions: EngineSessions
    spec: SessionSpec
    statement: str
    ends_with: tuple[type[SqeError], ...] = ()  # where it cannot end well
    scratch: list[Path] = field(default_factory=list)

    @property
    def pid(self) -> int:
        assert self.source.pid is not None
        return self.source.pid

    def use(self) -> SparkEngineSession:
        """Return a session that has used its catalog."""
        session = self.sessions.open(self.spec, _ALICE)
        session.ready(lambda: False)
        try:
            for _ in session.stream(self.statement, "bench", lambda progress: None):
                pass
        except self.ends_with:
            return session
        assert not self.ends_with, f"{self.statement} did not fail"
        return session

    def churn(self, count: int) -> float:
        """Open, use and close so many sessions; return the seconds that it took."""
        begun = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [pool.submit(lambda: self.use().close()) for _ in range(count)]:
                done.result()
        return time.monotonic() - begun

    def settled(self) -> JvmUsage:
        """Measure the engine once it is stable: Spark closes sessions in the background."""
        deadline = quiet_since = time.monotonic()
        deadline += _SETTLED_SECONDS
        before = threads(self.pid), usage(self.pid).files
        while time.monotonic() - quiet_since < _QUIET_SECONDS and time.monotonic() < deadline:
            time.sleep(0.2)
            now = threads(self.pid), usage(self.pid).files
            if now[0] < before[0] or now[1] < before[1]:
                quiet_since = time.monotonic()
            before = now
        return measure(self.runtime, self.pid)

    def left_on_disk(self) -> int:
        """Count files and directories in the engine's scratch space."""
        return sum(1 for directory in self.scratch for _ in directory.rglob("*"))


@dataclass(frozen=True, slots=True)
class Churned:
    """Measurements before and after so many sessions."""

    sessions: int
    seconds: float
    before: JvmUsage
    after: JvmUsage
    files_before: int
    files_after: int

    @property
    def heap_per_session(self) -> float:
        return (self.after.heap - self.before.heap) / self.sessions

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{self.sessions} sessions in {self.seconds:.0f} s, {self.seconds / self.sessions * 1000:.0f} ms each",
                f"  before: {self.before}, {self.files_before} on disk",
                f"  after:  {self.after}, {self.files_after} on disk",
                f"  heap: {self.heap_per_session / 1e3:+,.1f} kB for each session",
                *(f"  {line}" for line in self.after.grown(self.before)),
            ]
        )


def churned(machine: Machine, count: int, warm_up: int = WARM_UP) -> Churned:
    machine.churn(warm_up)  # classes, pools and caches that stay are no leak
    files, before = machine.left_on_disk(), machine.settled()
    seconds = machine.churn(count)
    after = machine.settled()
    return Churned(count, seconds, before, after, files, machine.left_on_disk())


def idle(count: int) -> str:
    """Measure the costs of each of so many idle sessions that have read a table."""
    runtime = provide(load(None, os.environ), QuietReporter())
    users = {"alice": "one good secret"}
    with running_server(users=users, tls=True, settings={"engine__warm_up": "false"}) as server:
        target = Target("flight", server.flight, "alice", users["alice"], server.ca)
        first, close = target.connect()
        first("CREATE TABLE t AS SELECT 1 AS id")
        engine = _child(server.process.pid)

        def use() -> Callable[[], None]:
            run, close = target.connect()
            assert run("SELECT count(*) FROM t") == [(1,)]
            return close

        for end in [use() for _ in range(WARM_UP)]:
            end()
        before, own = measure(runtime, engine), usage(server.process.pid)
        opened = [use() for _ in range(count)]
        after, now = measure(runtime, engine), usage(server.process.pid)
        for end in [*opened, close]:
            end()
    heap, rss = (after.heap - before.heap) / count / 1e3, (now.rss - own.rss) / count / 1e3
    return "\n".join(
        [
            f"{count} idle sessions: {heap:,.0f} kB of the engine's heap and {rss:,.0f} kB of the gateway each",
            f"  engine before: {before}",
            f"  engine after:  {after}",
            f"  gateway before: {own}; after: {now}",
            *(f"  {line}" for line in after.grown(before)),
        ]
    )


def _child(pid: int) -> int:
    """Return the only child of a process: a gateway's engine."""
    lists = [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
    [child] = [int(child) for each in lists for child in each.read_text(encoding="ascii").split()]
    return child


@contextmanager
def machine(*, rest: bool) -> Iterator[Machine]:
    """Start an engine as a server has one."""
    with tempfile.TemporaryDirectory(prefix="sqe-bench-") as name, rest_catalog() as server:
        directory = Path(name)
        # Executors remember the class loaders of a hundred sessions; of fewer, so that these are there from the start.
        remembered = {"spark.executor.isolatedSessionCache.size": str(WARM_UP // 2)}
        flags = {"engine.memory": "2GB", "engine.settings": remembered, "paths.home": name}
        config = load(None, os.environ, flags)
        runtime = provide(config, QuietReporter())
        logins = FakeLogins()
        logins.add("of alice", "token of alice", life=86_400)
        server.config = {**_VENDED, "client.region": "us-east-1"}
        server.store_refuses = (404, "NoSuchKey")
        control = ControlEndpoint(config, logins, FakeKeys())
        control.start()
        catalog: Catalog = WarehouseCatalog("lake", directory / "warehouse")
        if rest:
            catalog = RestCatalog("lake", server.url, s3_endpoint=server.url, s3_path_style=True)
        work = private_directory(directory / "work")
        source = Supervisor(config, locate(config), work, control=control, locked=True)
        sessions = EngineSessions(source, private_directory(directory / "memory"), control)
        statement, spec = "SELECT count(*) FROM lake.default.t", SessionSpec((catalog,))
        # The store that is played has no files: a session reads its table's metadata, and misses the rest.
        made = Machine(runtime, source, sessions, spec, statement, (FileAccessError,) if rest else ())
        try:
            source.start()
            source.endpoint(lambda: False)
            if not rest:
                _make_table(sessions, made.spec)
            made.scratch = [path for path in work.rglob("scratch") if path.is_dir()]
            yield made
        finally:
            source.stop()
            control.close()


def _make_table(sessions: EngineSessions, spec: SessionSpec) -> None:
    session = sessions.open(spec, _ALICE)
    session.ready(lambda: False)
    for _ in session.stream("CREATE TABLE lake.default.t AS SELECT 1 AS id", "make", lambda progress: None):
        pass
    session.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.sessions", description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000, help="opened and closed; 0: none")
    parser.add_argument(
        "--idle", type=int, default=0, help="kept open at once at a server, to see what one costs"
    )
    parser.add_argument("--rest", action="store_true", help="with a REST catalog")
    options = parser.parse_args()
    if options.idle:
        print(idle(options.idle))
    if options.sessions:
        with machine(rest=options.rest) as made:
            print(churned(made, options.sessions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
