"""Expressions within bounds have the results of Spark's own, on random values (BoundsComparison.java)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from testing.command import QUICK_JAVA
from tests.support.class_data import archive_options, path_with_archive
from tests.support.guard_test_bed import OPENED, compile_java

from sqe.config.load import load
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = [pytest.mark.engine, pytest.mark.timeout(600)]  # it compiles first

SOURCE = Path(__file__).parents[2] / "support" / "java" / "BoundsComparison.java"
SECONDS = 280.0
COMPARISONS = 10_000


def test_the_results_are_those_of_spark(tmp_path: Path) -> None:
    runtime = provide(load(None, os.environ), QuietReporter())
    classes = compile_java(runtime, tmp_path, SOURCE)
    path = ":".join(map(str, path_with_archive(runtime, classes)))
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    arguments = tmp_path / "java.args"
    options = ["-Xmx512m", *QUICK_JAVA, *archive_options(runtime), *opened, "-cp", path]
    arguments.write_text("".join(f'"{each}"\n' for each in options))
    done = subprocess.run(
        [str(runtime.java), f"@{arguments}", "sqe.spark.bounds.BoundsComparison"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    *different, compared = done.stdout.splitlines()
    assert different == []
    assert int(compared) > COMPARISONS
