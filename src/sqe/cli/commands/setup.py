"""The command `sqe setup`: install the engine's parts before the first start, for example in an image."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.launcher.archive import ClassDataArchive
from sqe.engine.launcher.command import JvmPlan
from sqe.engine.launcher.memory import heap_of
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.report import Reporter
from sqe.errors import SqeError
from sqe.locations import locate

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@click.command("setup")
@click.option("--config", "file", type=click.Path(path_type=Path), help="The configuration file.")
@click.option(
    "--verify", is_flag=True, help="Verify the hash of every jar, and fetch those that are damaged."
)
@click.option("--offline", is_flag=True, help="Use no network; fail when something is missing.")
@click.option(
    "--wait", is_flag=True, help="Wait until the class data archive is made, too, as for a container image."
)
@click.pass_obj
def command(outer: dict[str, Any] | None, file: Path | None, verify: bool, offline: bool, wait: bool) -> None:
    """Fetch, check and compile what the engine needs, so that the first start need not."""
    file = file or (outer or {}).get("config_file")
    config = load(file, os.environ, {"engine.offline": True} if offline else {})
    started = time.monotonic()
    with _reporter() as report:
        runtime = provide(config, report, verify=verify)
    click.echo(_summary(runtime, verified=verify))
    click.echo(f"{'Class archive':<15}{_begin_archive(config, runtime, wait=wait)}")
    click.echo(f"Ready after {time.monotonic() - started:.1f} s.")


def _begin_archive(config: Config, runtime: Runtime, *, wait: bool) -> str:
    """Have the class data archive made in the background, and describe its state."""
    if not config.engine.class_data_sharing:
        return "off (engine.class_data_sharing)"
    plan = JvmPlan.of(runtime, config.engine.master, heap_of(config.engine), None)
    try:
        archive = ClassDataArchive(locate(config), plan)
        process = archive.begin(config, waited_for=wait)
        if wait and process is None:
            archive.wait()
    except (OSError, SqeError) as error:
        return f"not made: {error}"
    if process is not None and wait:
        process.wait()
    elif process is not None:
        return "is being made in the background, which takes a minute or two"
    return archive.state.value


@contextmanager
def _reporter() -> Iterator[Reporter]:
    if not sys.stderr.isatty():
        yield LineReporter()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    with Progress(
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        yield BarReporter(progress)


class LineReporter:
    """Writes plain lines for logs and pipes: each step, and each tenth of its progress."""

    def __init__(self) -> None:
        self._total: int | None = None
        self._tenths = 0

    def start(self, step: str, total: int | None = None) -> None:
        self._total, self._tenths = total, 0
        self.note(f"{step} ({_megabytes(total)})" if total else step)

    def advance(self, done: int) -> None:
        tenths = min(done * 10 // self._total, 9) if self._total else 0
        if tenths > self._tenths:
            self._tenths = tenths
            self.note(f"  {tenths * 10} %")

    def finish(self) -> None:
        self.note("  done")

    def note(self, text: str) -> None:
        click.echo(text, err=True)


class BarReporter:
    """Draws a progress bar below the line of the current step."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def start(self, step: str, total: int | None = None) -> None:
        self.note(step)
        self._task = self._progress.add_task(step, total=total) if total else None

    def advance(self, done: int) -> None:
        if self._task is not None:
            self._progress.update(self._task, completed=done)

    def finish(self) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None

    def note(self, text: str) -> None:
        self._progress.console.print(text, markup=False, highlight=False)


def _summary(runtime: Runtime, *, verified: bool) -> str:
    guard, *fetched = runtime.jars
    rows = [
        ("Java", f"{runtime.java_version} from {runtime.java_origin}: {runtime.java_home}"),
        ("Spark", f"{runtime.spark_version}: {runtime.spark_jars[0].parent}"),
        *[
            ("Jar", f"{jar} ({_megabytes(jar.stat().st_size)}{', verified' if verified else ''})")
            for jar in fetched
        ],
        ("Java part", str(guard)),
        (
            "Certificates",
            str(runtime.truststore.path) if runtime.truststore else "Java's own; no CA bundle was found",
        ),
    ]
    return "\n".join(f"{label:<15}{text}" for label, text in rows)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
