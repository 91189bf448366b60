"""What a benchmark needs of an engine, and the process that many of them are."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from sqe.bench.answers import Row
from sqe.bench.dataset import Dataset
from sqe.bench.suite import Dialect
from sqe.engine.launcher.process import ended_with_parent
from sqe.errors import BenchmarkError
from sqe.units import Size

_START_SECONDS = 300.0
_STOP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Resources:
    """What each engine may use; the same for all that are compared."""

    cores: int
    memory: Size
    query_seconds: float


class Engine(Protocol):
    """A running engine with one connection, whose current schema is that of the dataset."""

    name: str
    dialect: Dialect

    def run(self, sql: str) -> Sequence[Row]:
        """Return all rows of a query, as its client gets them."""

    def execute(self, sql: str) -> None:
        """Run a statement that changes something."""

    def pids(self) -> Mapping[str, int]:
        """Return the engine's processes by their names, such as `gateway` and `jvm`."""

    def ran_on(self) -> str:
        """Return what has run the queries since the last call, of an engine that has more than one executor."""

    def settings(self) -> Mapping[str, str]:
        """Return what a report says of the engine: version, memory, settings that matter."""


class EngineFactory(Protocol):
    def __call__(self, dataset: Dataset, resources: Resources) -> Iterator[Engine]:
        """Yield a running engine, and end it afterwards."""


class ServerProcess:
    """A server that an engine runs in: its output goes to a file, and it ends with the benchmark."""

    def __init__(
        self,
        what: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        directory: Path,
        stdin: int | IO[bytes] = subprocess.DEVNULL,
    ) -> None:
        self.what = what
        self.output = directory / f"{what}.log"
        with self.output.open("wb") as log:
            self.process = subprocess.Popen(
                [*ended_with_parent("TERM"), *command],  # also when the benchmark is killed
                env=dict(environment),
                stdin=stdin,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=directory,
                start_new_session=True,  # Ctrl-C is for the benchmark, which ends its servers in order
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def text(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def wait_until(self, condition: Callable[[], bool], seconds: float = _START_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None:
                raise BenchmarkError(
                    f"{self.what} ended with status {self.process.returncode}.", hint=self._tail()
                )
            if time.monotonic() > deadline:
                raise BenchmarkError(f"{self.what} was not ready after {seconds:g} s.", hint=self._tail())
            time.sleep(0.1)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(_STOP_SECONDS)

    def _tail(self) -> str:
        """Return the end of the log without the lines of stack traces."""
        lines = [line for line in self.text().splitlines() if line.strip() and not line.startswith("\tat ")]
        return "\n".join(lines[-20:])


def scratch_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="sqe-bench-")


def children(pid: int) -> list[int]:
    """Return the processes below one, nearest first."""
    found: list[int] = []
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return found
    for task in tasks:
        with suppress(OSError):
            direct = [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
            found += [*direct, *(below for child in direct for below in children(child))]
    return found


def peak_memory(pid: int) -> int:
    """Return the largest resident size of a process so far, in bytes; 0 where the system does not tell."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def cpu_seconds(pid: int) -> float:
    """Return how long a process has computed; 0 where the system does not tell."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
