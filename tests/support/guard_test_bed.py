"""Run Spark with parts of the guard; tests pass the policies with each statement (GuardTestBed.java)."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from testing.command import QUICK_JAVA
from tests.support.class_data import archive_options, path_with_archive

from sqe.config.load import load
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.guard import Compiler
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import find_jre
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.runtime.truststore import provide_truststore

Policies = Mapping[str, Mapping[str, Any]]

MASK_KEY = "the key of a test, with an é in it".encode()

_SOURCE = Path(__file__).parent / "java" / "GuardTestBed.java"
_SECONDS = 300.0
# Spark needs these on Java 17 and later, as its own launcher gives them.
OPENED = [
    *["java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"],
    *["java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs"],
    *["sun.security.action", "sun.util.calendar"],
]
_SETTINGS = {
    "spark.master": "local[2]",
    "spark.app.name": "test",
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.extensions": "sqe.spark.guard.GuardTestBed$Extensions",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "hadoop",
    "spark.sql.catalog.lake.cache-enabled": "false",
    "spark.hadoop.fs.file.impl": "sqe.spark.catalog.LocalFiles",
    # Spark checks each plan after each of its rules.
    "spark.sql.planChangeValidation": "true",
}


@dataclass(frozen=True)
class Answer:
    """The result of a statement, or its error."""

    rows: list[list[str | None]] | None
    condition: str | None = None
    error: str = ""
    seconds: float = 0.0
    logical: str = ""
    physical: str = ""
    code: str = ""
    scans: list[dict[str, Any]] = field(default_factory=list)

    @property
    def sorted(self) -> list[list[str | None]]:
        """The rows in an order of their own; fails when there are none because the statement failed."""
        assert self.rows is not None, f"[{self.condition}] {self.error}"
        return sorted(self.rows, key=lambda row: [(value is not None, value or "") for value in row])


class GuardTestBed:
    """One JVM with one session."""

    def __init__(self, process: subprocess.Popen[str], mask_key: bytes) -> None:
        self._process = process
        self._tell(base64.b64encode(mask_key).decode())
        self._hear()

    def run(
        self,
        sql: str,
        policies: Policies | None = None,
        *,
        bare: bool = False,
        show: bool = False,
        settings: Mapping[str, str] | None = None,
    ) -> Answer:
        """Run a statement under `policies`: {table: {"filter": sql, "masks": {column: sql}}}.

        `bare` leaves the barrier out; `show` asks for the plans too; `settings` are for this statement.
        """
        asked = {
            "sql": sql,
            "policies": policies or {},
            "bare": bare,
            "show": show,
            "settings": settings or {},
        }
        self._tell(json.dumps(asked))
        return Answer(**{"rows": None, **self._hear()})

    def done(self, *statements: str) -> None:
        """Run statements that must not fail."""
        for statement in statements:
            answer = self.run(statement)
            assert answer.rows is not None, (statement, answer)

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the JVM has ended; see spark.log"
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def running_test_bed(
    directory: Path, classes: Path, *, mask_key: bytes = b"", settings: Mapping[str, str] | None = None
) -> Iterator[GuardTestBed]:
    """Start the GuardTestBed in `classes` with a new lake in `directory`."""
    runtime = provide(load(None, os.environ), QuietReporter())
    with (directory / "spark.log").open("w") as log:
        process = subprocess.Popen(
            _command(runtime, classes, directory, settings or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=directory,
            env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
        )
    try:
        yield GuardTestBed(process, mask_key)
    finally:
        process.kill()
        process.communicate(timeout=_SECONDS)


def compile_java(runtime: Runtime, directory: Path, source: Path = _SOURCE) -> Path:
    """Compile a class against the Java part as it is."""
    classes = directory / "classes"
    compiler = _compiler()
    jars = ":".join(map(str, (*runtime.jars, *runtime.spark_jars)))
    values = [*compiler.flags, "-d", str(classes), "-cp", jars, str(source)]
    arguments = directory / "compile.args"
    arguments.write_text("".join(f'"{value}"\n' for value in values), encoding="utf-8")
    command = [*compiler.command, f"@{arguments}"]
    made = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return classes


def _compiler() -> Compiler:
    config = load(None, os.environ)
    jre = find_jre(config.engine.java_home, os.environ, QuietReporter())
    if jre.javac is not None:
        return Compiler.of_jdk(jre.javac)
    cache = Cache(config)
    truststore = provide_truststore(config.tls.ca_bundle, os.environ, cache, QuietReporter())
    ivy = Ivy(
        java=jre.java,
        jar=find_pyspark().ivy,
        settings=config.engine.ivy_settings,
        truststore=truststore,
        environ=os.environ,
    )
    pins = [jar for jar in lockfile.load() if jar.needed == "compiler"]
    return Compiler.ecj(jre, provide_jars(pins, cache, ivy, QuietReporter())[0])


def _command(runtime: Runtime, classes: Path, directory: Path, more: Mapping[str, str]) -> list[str]:
    settings = {**_SETTINGS, "spark.sql.catalog.lake.warehouse": str(directory / "lake"), **more}
    arguments = [
        *["-Xmx1g", *QUICK_JAVA, *archive_options(runtime), f"-Djava.io.tmpdir={directory}"],
        *[f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED],
        *[f"-D{name}={value}" for name, value in settings.items()],
        *["-cp", ":".join(map(str, path_with_archive(runtime, classes)))],
    ]
    (directory / "java.args").write_text("".join(f'"{each}"\n' for each in arguments), encoding="utf-8")
    return [str(runtime.java), f"@{directory / 'java.args'}", "sqe.spark.guard.GuardTestBed"]
