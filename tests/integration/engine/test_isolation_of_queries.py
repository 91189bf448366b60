"""One person's statement does not hurt another's: cores, memory, numbers of tasks, and threads that do not stop."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from testing.command import QUICK_JAVA, clean_environment, until
from tests.fakes.control_endpoint import FakeControl
from tests.support.guard_test_bed import compile_java
from tests.support.guarded_engine import GuardedEngine, guarded_engine

from sqe.config.load import load
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.sessions import EngineSessions
from sqe.errors import QueryCanceledError, QueryMemoryError, SemanticError, SqeError
from sqe.locations import locate, private_directory

pytestmark = pytest.mark.engine

SECONDS = 240.0  # for an engine on a machine that others use, too
ENDLESS = Path(__file__).parents[2] / "support/java/Endless.java"
EXPLODE = "SELECT count(*) FROM (SELECT explode(sequence(1, 1000000)) FROM range(10000000))"
CROSS_JOIN = (
    "SELECT count(*) FROM range(10000000) a CROSS JOIN range(10000000) b"
    " WHERE a.id * 31 % 103 = b.id * 17 % 107"
)


@pytest.fixture(scope="module")
def engine() -> Iterator[GuardedEngine]:
    with guarded_engine(settings={"SQE_ENGINE__MEMORY": "1GB"}) as engine:
        engine.run("root", "CREATE NAMESPACE lake.db")
        engine.run("root", "CREATE TABLE lake.db.t AS SELECT id, cast(id AS string) s FROM range(1000)")
        yield engine


class Running:
    """A statement in a thread of its own."""

    def __init__(self, engine: GuardedEngine, user: str, sql: str) -> None:
        self.error: SqeError | None = None
        self.tasks = 0
        self._session = engine.session(user)
        self._thread = threading.Thread(target=self._run, args=(sql,), daemon=True)
        self._thread.start()

    def _run(self, sql: str) -> None:
        try:
            for _ in self._session.stream(
                sql, "bomb", lambda progress: self._progress(progress.tasks_running)
            ):
                pass
        except SqeError as error:
            self.error = error

    def _progress(self, running: int) -> None:
        self.tasks = running

    @property
    def ended(self) -> bool:
        return not self._thread.is_alive()

    def wait(self) -> SqeError:
        self._thread.join(SECONDS)
        assert self.ended, "the statement still runs"
        assert self.error is not None
        return self.error

    def cancel(self) -> None:
        self._session.interrupt("bomb")
        assert isinstance(self.wait(), QueryCanceledError)


def within(work: Callable[[], object]) -> None:
    """Fail if something takes for ever; what it raises is raised here."""
    pool = ThreadPoolExecutor(1)
    try:
        pool.submit(work).result(SECONDS)
    finally:
        pool.shutdown(wait=False)


def pid(engine: GuardedEngine) -> int | None:
    source = engine.sessions.source
    assert isinstance(source, Supervisor)
    return source.pid


@pytest.mark.parametrize("bomb", [EXPLODE, CROSS_JOIN], ids=["explode", "cross join"])
def test_small_queries_of_another_user_end_while_a_long_one_has_all_cores(
    engine: GuardedEngine, bomb: str
) -> None:
    long = Running(engine, "eve", bomb)
    until(lambda: long.tasks > 0, "its tasks run", SECONDS)
    within(lambda: engine.run("bob", "SELECT 1"))
    within(lambda: engine.run("bob", "SELECT count(*) FROM lake.db.t"))
    within(lambda: engine.run("bob", "SELECT s, count(*) FROM lake.db.t GROUP BY s ORDER BY s LIMIT 3"))
    assert not long.ended
    long.cancel()


def test_a_second_query_of_the_same_user_ends_too(engine: GuardedEngine) -> None:
    long = Running(
        engine, "amy", EXPLODE
    )  # tasks of canceled queries may still count as those of other users
    until(lambda: long.tasks > 0, "its tasks run", SECONDS)
    within(lambda: engine.run("amy", "SELECT count(*) FROM lake.db.t"))
    assert not long.ended
    long.cancel()


@pytest.mark.parametrize(
    "bomb",
    [
        "SELECT size(collect_list(id)) FROM range(1000000000)",
        "SELECT /*+ COALESCE(1) */ id, repeat('x', 100) s FROM range(100000000)",
    ],
    ids=["one huge group", "one huge partition of a result"],
)
def test_a_query_that_fills_the_heap_is_ended_and_the_engine_lives(engine: GuardedEngine, bomb: str) -> None:
    before = pid(engine)
    error = Running(engine, "eve", bomb).wait()
    assert isinstance(error, QueryMemoryError), error
    assert error.message == "The query used too much memory."
    assert error.sqlstate == "53200"
    within(lambda: engine.run("bob", "SELECT count(*) FROM lake.db.t"))
    assert pid(engine) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SET spark.sql.shuffle.partitions = 1000000000",
        "SET `spark.sql.shuffle.partitions` = -1",
        "SET spark.sql.shuffle.partitions = many",
        "SET spark.sql.adaptive.enabled = perhaps",
        "SET spark.sql.autoBroadcastJoinThreshold = 100GB",
        "SET spark.sql.files.maxPartitionBytes = 1",
        "SET spark.sql.session.timeZone = x",
        "SET TIME ZONE 'x'",
        "SET spark.sql.sources.partitionOverwriteMode = both",
        "SELECT /*+ REPARTITION(1000000000) */ id FROM lake.db.t",
        "SELECT /*+ REPARTITION(1000000000, id) */ id FROM lake.db.t",
        "SELECT /*+ REPARTITION_BY_RANGE(1000000000, id) */ id FROM lake.db.t",
        "SELECT /*+ COALESCE(1000000000) */ id FROM lake.db.t",
        "SELECT /*+ REBALANCE(1000000000) */ id FROM lake.db.t",
        "SELECT 1 WHERE EXISTS (SELECT /*+ REPARTITION(1000000000) */ id FROM lake.db.t)",
        "SELECT count(*) FROM range(0, 10, 1, 1000000000)",
        "SELECT * FROM lake.db.t WITH (`split-size` = 1)",
        "ALTER TABLE lake.db.t SET TBLPROPERTIES ('read.split.target-size' = '1')",
        "CREATE TABLE lake.db.n (id INT) TBLPROPERTIES ('write.target-file-size-bytes' = '1')",
        (
            "CALL lake.system.rewrite_data_files(table => 'db.t',"
            " options => map('max-concurrent-file-group-rewrites', '1000000'))"
        ),
        "CALL lake.system.expire_snapshots(table => 'db.t', max_concurrent_deletes => 1000000)",
    ],
)
def test_a_number_of_tasks_files_or_threads_has_a_range(engine: GuardedEngine, sql: str) -> None:
    error = engine.failure("eve", sql)
    assert isinstance(error, SemanticError), error
    assert "cannot be" in error.message
    assert "It has to be" in (error.hint or "")


@pytest.mark.parametrize(
    "sql",
    [
        "SET spark.sql.shuffle.partitions = 10000",
        "SET spark.sql.autoBroadcastJoinThreshold = -1",
        "SET spark.sql.adaptive.advisoryPartitionSizeInBytes = 64MB",
        "SET spark.sql.session.timeZone = Europe/Berlin",
        "SET TIME ZONE LOCAL",
        "SET TIME ZONE INTERVAL '2' HOURS",
        "SET spark.sql.sources.partitionOverwriteMode = dynamic",
        "RESET spark.sql.shuffle.partitions",
        "SELECT /*+ REPARTITION(7) */ id FROM lake.db.t",
        "SELECT * FROM lake.db.t WITH (`split-size` = 1000000)",
    ],
)
def test_a_number_in_its_range_is_taken(engine: GuardedEngine, sql: str) -> None:
    engine.run("bob", sql)


@pytest.mark.filterwarnings("ignore:.RETRIES_EXCEEDED:UserWarning")
def test_a_thread_that_does_not_stop_makes_the_gateway_replace_the_engine(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    classes = compile_java(provide(load(None, os.environ), QuietReporter()), tmp_path, ENDLESS)
    options = json.dumps([*QUICK_JAVA, f"-Xbootclasspath/a:{classes}"])
    config = load(None, clean_environment(home) | {"SQE_ENGINE__JAVA_OPTIONS": options})
    locations = locate(config)
    supervisor = Supervisor(config, locations, private_directory(locations.run / "test"))
    supervisor.start()
    try:
        sessions = EngineSessions(supervisor, private_directory(home / "memory"))
        engine = GuardedEngine(sessions, FakeControl("", lambda principal, catalog: (503, {})), home / "lake")
        engine.run("eve", "SELECT 1")
        before = supervisor.pid
        reached = tmp_path / "reached"
        Running(engine, "eve", f"SELECT java_method('Endless', 'loop', '{reached}') FROM range(1)")
        until(reached.exists, "the loop is reached", SECONDS)  # before, an interrupt still ends the task
        engine.session("eve").interrupt("bomb")
        until(lambda: supervisor.restarts == 1, "the engine is replaced", 2 * SECONDS)
        assert "after its statement has ended" in caplog.text
        engine.forget()  # its session ended with the engine
        engine.run("eve", "SELECT 1")
        assert supervisor.pid != before
    finally:
        supervisor.stop()
        shutil.rmtree(home, ignore_errors=True)
