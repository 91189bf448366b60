"""Run a standalone Spark cluster of one worker on this machine."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testing.command import QUICK_JAVA, until
from tests.support.class_data import archive_options, path_with_archive

from sqe.engine.launcher.command import JvmPlan
from sqe.engine.runtime.provision import Runtime

HEAP = 1 << 30
LOCAL = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}

# Spark asks its executors' Java for a module with which it can multiply vectors faster. A JDK has it, the bundled
# runtime does not.
WITHOUT_VECTORS = """\
#!/bin/sh
for argument do
  shift
  [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec {java} {options} "$@"
"""


def java_home(runtime: Runtime, directory: Path) -> Path:
    """What a worker takes for the home of its Java."""
    java = directory / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(WITHOUT_VECTORS.format(java=shlex.quote(str(runtime.java)), options=" ".join(QUICK_JAVA)))
    java.chmod(0o755)
    return java.parent.parent


class Daemon:
    """A Spark daemon of its own, which logs to a file."""

    def __init__(self, runtime: Runtime, directory: Path, *arguments: str) -> None:
        directory.mkdir()
        self.log = directory / "log"
        plan = JvmPlan(runtime, path_with_archive(runtime), HEAP)
        options = [
            *[*QUICK_JAVA, *archive_options(runtime)],
            *["-Dspark.master.rest.enabled=false", "-Dspark.ui.enabled=false"],
        ]
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


@contextmanager
def standalone_cluster(runtime: Runtime, directory: Path) -> Iterator[tuple[str, Path]]:
    """A master and one worker; yields the master's address and the directory in which executors work."""
    daemons: list[Daemon] = []
    try:
        place = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        master = Daemon(runtime, directory / "master", "org.apache.spark.deploy.master.Master", *place)
        daemons.append(master)
        url = master.wait_for(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)")
        work = directory / "work"
        size = ("--cores", "1", "--memory", "1g", "--work-dir", str(work))
        worker = Daemon(
            runtime, directory / "worker", "org.apache.spark.deploy.worker.Worker", *place, *size, url
        )
        daemons.append(worker)
        worker.wait_for(r"(Successfully registered with master)")
        yield url, work
    finally:
        for daemon in reversed(daemons):
            daemon.stop()
