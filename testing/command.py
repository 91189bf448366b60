"""Run the real `sqe` command as a process of its own."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqe.errors import internal_error

SECONDS = 180.0

JAVA_OPTIONS = "SQE_ENGINE__JAVA_OPTIONS"
# A JVM of the tests answers many different questions once. The optimising compiler would take a third of the machine
# for what is never asked again, and the collector that works beside the queries a fifth; benchmarks, and tests that
# watch time or memory, run with both. Without the compiler a JVM takes a fifth of the room for code, which hundreds of
# queries fill. Huge pages save a tenth, as most of the heap is used for the first time; a JVM warns of them where the
# system has none.
_HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
QUICK_JAVA = (
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=256m",
    "-XX:+UseSerialGC",
    *(
        ["-XX:+UseTransparentHugePages"]
        if _HUGE_PAGES.exists() and "[never]" not in _HUGE_PAGES.read_text(encoding="ascii")
        else []
    ),
    "-XX:-UsePerfData",
)
# For `engine__settings` of an engine whose tests are about clients, catalogs or decisions: Spark then evaluates
# expressions as they are, instead of compiling a class for each query, which is a quarter of the work of small queries
# that are asked once. Tests of what the engine computes, and of the guard in it, run the compiled form.
INTERPRETED = (
    '{"spark.sql.codegen.wholeStage" = "false", "spark.sql.codegen.factoryMode" = "NO_CODEGEN",'
    ' "spark.sql.adaptive.enabled" = "false", "spark.sql.shuffle.partitions" = "1"}'
)
WARM_UP = "SQE_ENGINE__WARM_UP"
CLASS_DATA_SHARING = "SQE_ENGINE__CLASS_DATA_SHARING"
# Settings that a suite or benchmark makes for every engine that it starts.
_KEPT = ("SQE_PATHS__CACHE", JAVA_OPTIONS, WARM_UP, CLASS_DATA_SHARING)

# Runs for minutes on any machine, on every core, and can only end by being stopped.
ENDLESS = "SELECT count(*) FROM range(100000000000) a WHERE hash(a.id) = 1 AND hash(a.id + 1) = 2"


def clean_environment(home: Path) -> dict[str, str]:
    """Return this process's environment without a Java, as the project brings its own, and without settings of SQE.

    It keeps the cache's place, as to fetch the jars again would take minutes, and how engines start and compile.
    """
    kept = {
        key: value
        for key, value in os.environ.items()
        if key in _KEPT or (not key.startswith("SQE_") and key != "JAVA_HOME")
    }
    return kept | {"SQE_PATHS__HOME": str(home), "SQE_ENGINE__MEMORY": "3GB"}


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    def rows(self) -> list[list[str]]:
        """The rows of `--format csv`, without the header."""
        assert self.code == 0, self.err
        return list(csv.reader(io.StringIO(self.out)))[1:]


@dataclass(frozen=True)
class Sqe:
    environment: Mapping[str, str]
    warehouse: Path | None = None
    directory: Path | None = None
    settings: Mapping[str, str] = field(default_factory=dict)

    def having(self, **settings: str) -> Sqe:
        """The same with more settings: engine__memory="1GB" becomes SQE_ENGINE__MEMORY."""
        more = {f"SQE_{key.upper()}": value for key, value in settings.items()}
        return Sqe(self.environment, self.warehouse, self.directory, {**self.settings, **more})

    def under(self, variables: Mapping[str, str]) -> Sqe:
        """The same in an environment with these variables."""
        return Sqe({**self.environment, **variables}, self.warehouse, self.directory, self.settings)

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "sqe.cli.main", *arguments],
            env={**self.environment, **self.settings},
            cwd=self.directory,
            text=True,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )

    def run(self, *arguments: str, stdin: str | None = None) -> Done:
        options = {} if stdin is None else {"stdin": subprocess.PIPE}
        process = self.start(*arguments, **options)
        try:
            out, err = process.communicate(stdin, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            raise
        if internal_error().message in err:
            err += self._logs()  # they go with the test's home, and nothing else tells what happened
        return Done(process.returncode, out, err)

    def _logs(self) -> str:
        home = Path(self.environment["SQE_PATHS__HOME"])
        return "".join(log.read_text()[-20_000:] for log in home.rglob("gateway-*.log"))

    def arguments(self, *statements: str) -> list[str]:
        place = ["--warehouse", str(self.warehouse)] if self.warehouse else []
        return [*place, "--format", "csv", *(part for statement in statements for part in ("-e", statement))]

    def sql(self, *statements: str) -> Done:
        """Run statements in one session and print csv."""
        return self.run(*self.arguments(*statements))

    def status(self) -> dict[str, Any]:
        """What `sqe engine status` tells of this configuration's gateway; empty when there is none."""
        lines = self.run("engine", "status", "--json").out.splitlines()
        gateways: list[dict[str, Any]] = [json.loads(line) for line in lines]
        return next((gateway for gateway in gateways if gateway["own"]), {})


def until(condition: Callable[[], object], what: str = "the condition", seconds: float = 120.0) -> None:
    """Return as soon as `condition` is true; fail with `what` after `seconds`, a safety net for busy machines."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent to notice does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc").exists()
