"""Engines that are not all in one process: a standalone Spark cluster, and a server that runs elsewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.spark_server import SparkServer
from tests.support.command import Sqe, alive, clean_environment, until
from tests.support.shell import leave, open_shell, run

from sqe.config import load
from sqe.engine.launcher.command import JvmPlan
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = pytest.mark.engine

HEAP = 1 << 30
LOCAL = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}


@pytest.fixture(scope="module")
def runtime() -> Runtime:
    """The real parts, from the cache of whoever runs the tests."""
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    return provide(load(None, environ), QuietReporter(), environ=environ)


# Spark asks its executors' Java for a module with which it can multiply vectors faster. A JDK has it, the bundled
# runtime does not.
WITHOUT_VECTORS = """\
#!/bin/sh
for argument do
  shift
  [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


def java_home(runtime: Runtime, directory: Path) -> Path:
    """What a worker takes for the home of its Java."""
    java = directory / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(WITHOUT_VECTORS.format(java=shlex.quote(str(runtime.java))))
    java.chmod(0o755)
    return java.parent.parent


class Daemon:
    """A Spark daemon of its own, which logs to a file."""

    def __init__(self, runtime: Runtime, directory: Path, *arguments: str) -> None:
        directory.mkdir()
        self.log = directory / "log"
        plan = JvmPlan(runtime, runtime.spark_jars, HEAP)
        options = ["-Dspark.master.rest.enabled=false", "-Dspark.ui.enabled=false"]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                plan.command(directory / "arguments", [*options, *arguments]),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=directory,
                env={
                    **{name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ},
                    **LOCAL,
                    "JAVA_HOME": str(java_home(runtime, directory)),
                    "SPARK_HOME": str(runtime.spark_jars[0].parent.parent),
                    "SPARK_SCALA_VERSION": "2.13",  # as Spark's own start scripts say
                },
            )

    def said(self, pattern: str) -> re.Match[str] | None:
        return re.search(pattern, self.log.read_text(errors="replace"))

    def wait_for(self, pattern: str) -> str:
        """Wait until its log matches, and return the pattern's group."""
        until(lambda: self.process.poll() is not None or self.said(pattern) is not None, pattern)
        found = self.said(pattern)
        assert found is not None, self.log.read_text(errors="replace")[-3000:]
        return found[1]

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def cluster(runtime: Runtime, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A master and one worker; yields the master's address and the directory in which executors work."""
    daemons: list[Daemon] = []
    try:
        place = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        master = Daemon(runtime, tmp_path / "master", "org.apache.spark.deploy.master.Master", *place)
        daemons.append(master)
        url = master.wait_for(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)")
        work = tmp_path / "work"
        size = ("--cores", "1", "--memory", "1g", "--work-dir", str(work))
        worker = Daemon(
            runtime, tmp_path / "worker", "org.apache.spark.deploy.worker.Worker", *place, *size, url
        )
        daemons.append(worker)
        worker.wait_for(r"(Successfully registered with master)")
        yield url, work
    finally:
        for daemon in reversed(daemons):
            daemon.stop()


def test_a_standalone_cluster_runs_the_tasks(cluster: tuple[str, Path], alone: Sqe) -> None:
    master, work = cluster
    sqe = alone.under(LOCAL).having(engine__master=master, engine__memory="1GB", engine__warm_up="false")
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
    server = SparkServer(runtime, tmp_path / "server")
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
    assert f"{server.url} does not accept the token" in done.err
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
