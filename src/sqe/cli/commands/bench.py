"""The command `sqe bench`; `start` measures the time from `sqe -e ...` to the result, cold and warm."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from sqe.bench.machine import describe_machine
from sqe.cli.commands import bench_suites
from sqe.cli.commands.config_option import config_option
from sqe.config.schema import Config
from sqe.errors import EngineStartError
from sqe.locations import locate
from sqe.units import Duration

_STATEMENT = "SELECT 1 AS x"
_SCAN = "SELECT count(*), max(id) FROM t WHERE id > 10"
_ARCHIVE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Figure:
    """Seconds of the runs of one case, from the start of the `sqe` process to its end."""

    case: str
    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.runs)


@click.group(help="Measure this installation.")
def command() -> None: ...


for _suite_command in bench_suites.COMMANDS:
    command.add_command(_suite_command)


@command.command(
    help="Measure the start: cold (no engine runs) without and with class data sharing, and warm. Each run is a whole "
    "`sqe -e` process. The command uses its own engine and warehouse, and removes them at the end."
)
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="Runs of each case.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@config_option
def start(config: Config, runs: int, as_json: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="sqe-bench-") as directory:
        bench = _Bench(config, Path(directory))
        try:
            figures = bench.measure(runs)
        finally:
            bench.stop()
    if as_json:
        click.echo(
            json.dumps({"machine": describe_machine(), "figures": [asdict(figure) for figure in figures]})
        )
        return
    click.echo(describe_machine())
    click.echo(f"{'case':<58} {'median':>8} {'best':>8} {'worst':>8}")
    for figure in figures:
        click.echo(
            f"{figure.case:<58} {figure.median:>7.2f}s {min(figure.runs):>7.2f}s {max(figure.runs):>7.2f}s"
        )


class _Bench:
    def __init__(self, config: Config, directory: Path) -> None:
        self._cache = locate(config).cache
        self._directory = directory

    def measure(self, runs: int) -> list[Figure]:
        plain, shared = self._environment(sharing=False), self._environment(sharing=True)
        self._print_step("making a table, and the class data archive if there is none yet")
        self._sqe(shared, "CREATE TABLE t AS SELECT id, CAST(id AS STRING) AS name FROM range(100000)")
        self._wait_for_archive(shared)
        self._stop(shared)
        figures = []
        for case, environment, statement in (
            ("cold, without class data sharing: SELECT 1", plain, _STATEMENT),
            ("cold, with class data sharing: SELECT 1", shared, _STATEMENT),
            ("cold, with class data sharing: first scan of a table", shared, _SCAN),
        ):
            taken = []
            for number in range(runs):
                self._print_step(f"{case}: {number + 1} of {runs}")
                taken.append(self._sqe(environment, statement))
                self._stop(environment)
            figures.append(Figure(case, tuple(taken)))
        self._sqe(shared, _STATEMENT)
        self._wait_until_warm(shared)
        for case, statement in (("warm: SELECT 1", _STATEMENT), ("warm: scan of a table", _SCAN)):
            self._print_step(case)
            figures.append(Figure(case, tuple(self._sqe(shared, statement) for _ in range(max(runs, 5)))))
        figures.append(
            Figure("(python -c 'import pyarrow.flight, click', for scale)", self._python(max(runs, 5)))
        )
        return figures

    def stop(self) -> None:
        for sharing in (False, True):
            self._stop(self._environment(sharing=sharing))

    def _environment(self, *, sharing: bool) -> Mapping[str, str]:
        return {
            **os.environ,
            "SQE_PATHS__HOME": str(self._directory),
            "SQE_PATHS__CACHE": str(self._cache),
            "SQE_ENGINE__CLASS_DATA_SHARING": str(sharing).lower(),
            "SQE_ENGINE__IDLE_TIMEOUT": str(Duration(600)),
        }

    def _sqe(self, environment: Mapping[str, str], statement: str) -> float:
        begin = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "sqe.cli.main", "-e", statement, "--format", "csv"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        taken = time.perf_counter() - begin
        if done.returncode != 0:
            raise EngineStartError(f"A run failed: {done.stderr.strip() or done.stdout.strip()}")
        return taken

    def _engine(self, environment: Mapping[str, str], *arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "sqe.cli.main", "engine", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout

    def _stop(self, environment: Mapping[str, str]) -> None:
        self._engine(environment, "stop")

    def _wait_for_archive(self, environment: Mapping[str, str]) -> None:
        """Wait until the idle engine has made the class data archive, which the cold start is measured with."""
        deadline = time.monotonic() + _ARCHIVE_SECONDS
        while time.monotonic() < deadline:
            if json.loads(self._engine(environment, "status", "--json"))["class_data_archive"] != "missing":
                return
            time.sleep(1)

    def _wait_until_warm(self, environment: Mapping[str, str]) -> None:
        deadline = time.monotonic() + 60
        while (
            time.monotonic() < deadline
            and not json.loads(self._engine(environment, "status", "--json"))["warm"]
        ):
            time.sleep(0.5)

    def _python(self, runs: int) -> tuple[float, ...]:
        taken = []
        for _ in range(runs):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", "import pyarrow.flight, click"], check=True, timeout=60)
            taken.append(time.perf_counter() - begin)
        return tuple(taken)

    @staticmethod
    def _print_step(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(text, err=True)
