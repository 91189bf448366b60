"""The protocol between the engine's process and its parent (spark-guard/README.md)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sqe.config.load import load
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = pytest.mark.engine

Start = Callable[..., "subprocess.Popen[str]"]

# Spark needs these on Java 17 and later, as its own launcher gives them.
OPENED = [
    *["java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"],
    *["java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs"],
    *["sun.security.action", "sun.util.calendar"],
]
SETTINGS = {
    "spark.master": "local[1]",
    "spark.app.name": "test",
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": "0",
    "spark.sql.extensions": "sqe.spark.SqeExtensions",
    "spark.sql.catalogImplementation": "in-memory",
}


@pytest.fixture(scope="module")
def runtime() -> Runtime:
    """The real parts, from the cache of whoever runs the tests; put in place when they are not there yet."""
    return provide(load(None, os.environ), QuietReporter())


@pytest.fixture
def start(runtime: Runtime, tmp_path: Path) -> Iterator[Start]:
    processes: list[subprocess.Popen[str]] = []

    def start(introduction: str = "locked=false\n\n", **changed: str) -> subprocess.Popen[str]:
        settings = SETTINGS | {name.replace("__", "."): value for name, value in changed.items()}
        arguments = [
            *["-Xmx1g", "-XX:-UsePerfData", f"-Djava.io.tmpdir={tmp_path}"],
            *[f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED],
            *[f"-D{name}={value}" for name, value in settings.items()],
            *["-cp", ":".join(map(str, (*runtime.jars, *runtime.spark_jars)))],
        ]
        (tmp_path / "java.args").write_text(
            "".join(f'"{argument}"\n' for argument in arguments), encoding="utf-8"
        )
        process = subprocess.Popen(
            [runtime.java, f"@{tmp_path / 'java.args'}", "sqe.spark.EngineMain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "SPARK_CONNECT_AUTHENTICATE_TOKEN": "secret", "SPARK_LOCAL_IP": "127.0.0.1"},
            cwd=tmp_path,
        )
        processes.append(process)
        assert process.stdin is not None
        process.stdin.write(introduction)
        process.stdin.flush()
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate(timeout=30)


def event(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    return dict(json.loads(line))


def test_it_reports_its_port_and_leaves_when_its_input_ends(start: Start, tmp_path: Path) -> None:
    process = start()
    ready = event(process)
    assert ready["event"] == "ready"
    socket.create_connection(("127.0.0.1", ready["port"]), timeout=10).close()
    output, _ = process.communicate(timeout=30)  # closes its input
    assert process.returncode == 3
    assert output == ""
    # It ended in order: nothing of Spark's is left in the temporary directory.
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(("spark-", "blockmgr-"))]


def test_a_parent_that_is_gone_before_it_says_anything_is_noticed(start: Start) -> None:
    process = start(introduction="locked=true\n")
    process.communicate(timeout=30)  # closes its input
    assert process.returncode == 3


@pytest.mark.parametrize(
    ("introduction", "reason"),
    [
        ("the-secret\n\n", "does not begin with lines of key=value"),
        ("control.url=http://127.0.0.1:1\n\n", "has no secret"),
        (
            "control.url=https://h:1\ncontrol.secret=the-secret\ncontrol.key=eA==\n\n",
            "a key, its certificate and an authority",
        ),
        (f"x={'y' * 300_000}\n\n", "too long"),
    ],
)
def test_an_introduction_that_makes_no_sense_is_refused_and_not_repeated(
    start: Start, introduction: str, reason: str
) -> None:
    process = start(introduction=introduction)
    failed = event(process)
    assert failed["event"] == "failed"
    assert reason in failed["error"]
    assert "the-secret" not in str(failed)
    assert process.wait(timeout=30) == 1


def test_sigterm_ends_it_in_order(start: Start) -> None:
    process = start()
    assert event(process)["event"] == "ready"
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 143


def test_a_failure_is_reported_with_its_reason(start: Start) -> None:
    process = start(spark__master="nonsense")
    failed = event(process)
    assert failed["event"] == "failed"
    assert "nonsense" in failed["error"]
    assert process.wait(timeout=30) == 1


@pytest.mark.parametrize(
    ("extensions", "reason"),
    [
        ("sqe.spark.Missing,sqe.spark.SqeExtensions", "ClassNotFoundException: sqe.spark.Missing"),
        (
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "does not name sqe.spark.SqeExtensions",
        ),
    ],
)
def test_it_does_not_start_without_its_extension(start: Start, extensions: str, reason: str) -> None:
    process = start(spark__sql__extensions=extensions)
    failed = event(process)
    assert failed["event"] == "failed"
    assert reason in failed["error"]
    assert process.wait(timeout=30) == 1
