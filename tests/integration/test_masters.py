"""Engines that are not all in one process: a standalone Spark cluster, and a server that runs elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.spark_server import SparkServer
from testing.command import QUICK_JAVA, Sqe, alive, clean_environment, until
from tests.support.class_data import archive_options
from tests.support.cluster import LOCAL, standalone_cluster
from tests.support.shell import leave, open_shell, run

from sqe.config.load import load
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def runtime() -> Runtime:
    """The real parts, from the cache of whoever runs the tests."""
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    return provide(load(None, environ), QuietReporter(), environ=environ)


@pytest.fixture
def cluster(runtime: Runtime, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A master and one worker; yields the master's address and the directory in which executors work."""
    with standalone_cluster(runtime, tmp_path) as (url, work):
        yield url, work


def test_a_standalone_cluster_runs_the_tasks(cluster: tuple[str, Path], alone: Sqe) -> None:
    master, work = cluster
    sqe = alone.under(LOCAL).having(engine__master=master, engine__memory="1GB")
    done = sqe.sql(
        "CREATE TABLE t (id BIGINT, part STRING) USING iceberg PARTITIONED BY (part)",
        "INSERT INTO t SELECT id, concat('p', id % 3) FROM range(0, 300, 1, 3)",
        "UPDATE t SET id = id + 1000 WHERE part = 'p0'",
        "SELECT part, count(*) AS n, sum(id) AS total FROM t GROUP BY part ORDER BY part",
    )
    assert done.rows() == [["p0", "100", "114850"], ["p1", "100", "14950"], ["p2", "100", "15050"]]
    # It ran there, with the jars that the driver served.
    (log,) = work.glob("app-*/0/stderr")
    text = log.read_text(errors="replace")
    assert "Finished task" in text
    for jar in ("iceberg-spark-runtime", "sqlite-jdbc"):
        assert re.search(rf"Fetching spark://\S+/jars/{jar}", text)
    # And it leaves with the gateway.
    assert sqe.run("engine", "stop").code == 0
    worker = work.parent / "worker" / "log"
    until(lambda: "Asked to kill executor" in worker.read_text(errors="replace"), "the executor's end")


@pytest.fixture
def server(runtime: Runtime, tmp_path: Path) -> Iterator[SparkServer]:
    server = SparkServer(runtime, tmp_path / "server", java_options=[*QUICK_JAVA, *archive_options(runtime)])
    yield server
    server.process.stop()


@pytest.fixture
def elsewhere(server: SparkServer, tmp_path: Path) -> Iterator[Sqe]:
    """The command with a home of its own, told to use that server."""
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    sqe = Sqe(clean_environment(home), warehouse=tmp_path / "warehouse", directory=tmp_path)
    yield sqe.having(engine__url=server.url, engine__token=server.token)
    sqe.run("engine", "stop", "--all")
    shutil.rmtree(home, ignore_errors=True)


def test_a_server_that_runs_elsewhere_is_used_and_left_alone(
    server: SparkServer, elsewhere: Sqe, tmp_path: Path
) -> None:
    (tmp_path / "numbers.csv").write_text("n\n40\n2\n")
    done = elsewhere.sql(
        "CREATE TABLE t AS SELECT id FROM range(3)",
        "INSERT INTO t VALUES (7)",
        "SELECT sum(id) AS total FROM t",
    )
    assert done.rows() == [["10"]], done.err
    assert elsewhere.sql("SELECT sum(n) FROM 'numbers.csv'").rows() == [["42"]]

    done = elsewhere.having(engine__token="wrong-token").sql("SELECT 1")
    assert done.code == 3
    assert f"{server.url} rejected the token" in done.err
    assert "engine.token" in done.err
    assert "wrong-token" not in done.err

    with open_shell(elsewhere) as shell:
        run(shell, "SELECT max(id) AS m FROM t;", "│ +7 │")
        status = elsewhere.status()
        assert (status["engine"], status["engine_pid"]) == ("remote", None)
        server.process.stop()
        run(shell, "SELECT 1;", f"{server.url} cannot be reached")
        server.start()
        run(shell, "SELECT min(id) AS m FROM t;", "│ +0 │")  # the same shell goes on
        leave(shell)

    assert "Stopped" in elsewhere.run("engine", "stop", "--all").out
    assert alive(server.process.pid)
    assert elsewhere.sql("SELECT sum(id) FROM t").rows() == [["10"]]  # a new gateway finds it there
