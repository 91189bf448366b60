"""The commands `sqe bench generate | load | run | compare | report`: benchmark suites on SQE and on other engines."""

from __future__ import annotations

import datetime
import functools
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqe.cli.commands.config_option import config_option
from sqe.config.schema import Config
from sqe.errors import BenchmarkError, UsageError
from sqe.locations import locate
from sqe.units import Duration, Size

if TYPE_CHECKING:
    from sqe.bench.dataset import Dataset
    from sqe.bench.record import Record
    from sqe.bench.suite import Query, Suite

_ENGINES = "sqe,sqe-trino,spark,trino,duckdb"


def _dataset_options(function: Callable[..., None]) -> Callable[..., None]:
    @click.argument("suite")
    @click.option(
        "--scale", type=float, default=1.0, show_default=True, help="The scale factor, such as 0.01, 1 or 10."
    )
    @click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        help="The directory with generated files, tables and results. Default: `bench` below SQE's home.",
    )
    @config_option
    @functools.wraps(function)
    def command(config: Config, suite: str, scale: float, data: Path | None, **options: Any) -> None:
        from sqe.bench.dataset import Dataset
        from sqe.bench.suites.registry import SUITES

        if suite not in SUITES:
            raise UsageError(f"There is no suite {suite}.", hint=f"Suites: {', '.join(sorted(SUITES))}.")
        if scale <= 0:
            raise UsageError("The scale has to be larger than 0.")
        root = (data or locate(config).home / "bench").absolute()
        function(Dataset(root, SUITES[suite], scale), **options)

    return command


def _run_options(function: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option("--queries", help="Only these, such as q01,q05. Default: all."),
        click.option("--memory", default="4GiB", show_default=True, help="The heap of each engine."),
        click.option("--cores", type=click.IntRange(1), help="Cores for each engine. Default: all."),
        click.option("--timeout", default="10min", show_default=True, help="How long a query may take."),
        click.option(
            "--output",
            type=click.Path(path_type=Path, file_okay=False),
            help="The directory of records and reports. Default: `results` in the data directory.",
        ),
        click.option("--resume", is_flag=True, help="Go on with the newest record of this suite and scale."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command(help="Generate the tables of SUITE as Parquet files, and check them.")
@_dataset_options
def generate(dataset: Dataset) -> None:
    _show_steps(dataset.generate())
    click.echo(f"{dataset.files}: {', '.join(dataset.tables())}")


@click.command(help="Load the generated tables of SUITE into an Iceberg warehouse, which all engines share.")
@_dataset_options
def load(dataset: Dataset) -> None:
    _prepare(dataset)
    click.echo(f"{dataset.warehouse}, schema {dataset.schema}: {', '.join(sorted(dataset.loaded()))}")


@click.command(
    help="Run the queries of SUITE on one engine, and compare the answers with DuckDB's. The exit code is 1 if an "
    "answer is wrong or missing. Data is generated and loaded if it is not there."
)
@_dataset_options
@click.option("--engine", default="sqe", show_default=True, help=f"One of {_ENGINES}.")
@click.option("--rounds", type=click.IntRange(0), default=0, show_default=True, help="Warm runs of a query.")
@_run_options
def run(dataset: Dataset, engine: str, **options: Any) -> None:
    record, _ = _run(dataset, engine, **options)
    _finish(record)


@click.command(
    help="Run the queries of SUITE on several engines in turns, query by query, and write a record (JSON) and a report "
    "(Markdown, SVG). Data is generated and loaded, and Trino is fetched, if they are not there."
)
@_dataset_options
@click.option("--engines", default=_ENGINES, show_default=True, help="Engines to compare.")
@click.option("--rounds", type=click.IntRange(0), default=3, show_default=True, help="Warm runs of a query.")
@_run_options
def compare(dataset: Dataset, engines: str, **options: Any) -> None:
    from sqe.bench.report import write_report

    record, path = _run(dataset, engines, **options)
    click.echo(write_report(record, path.with_suffix(""), _history(path)).read_text(encoding="utf-8"))
    _finish(record)


@click.command(
    help="Write the report (Markdown, SVG) of a RECORD again, with the history of records beside it."
)
@click.argument("record", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def report(record: Path) -> None:
    from sqe.bench.record import Record
    from sqe.bench.report import write_report

    click.echo(write_report(Record.read(record), record.with_suffix(""), _history(record)))


@click.command(
    help="Measure throughput and latency of small statements with many sessions at once, on the tables of TPC-H, "
    "engine after engine for each number of sessions."
)
@_dataset_options
@click.option("--engines", default="sqe,sqe-trino,trino", show_default=True, help="Engines to compare.")
@click.option("--sessions", default="1,16,50,100", show_default=True, help="Numbers of sessions.")
@click.option("--workload", default="small,mixed", show_default=True, help="Small aggregates, or a mix.")
@click.option("--seconds", type=float, default=20.0, show_default=True, help="How long each runs.")
@click.option("--memory", default="4GiB", show_default=True, help="The heap of each engine.")
@click.option("--cores", type=click.IntRange(1), help="Cores for each engine. Default: all.")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the table to a file, too."
)
def concurrency(
    dataset: Dataset,
    engines: str,
    sessions: str,
    workload: str,
    seconds: float,
    memory: str,
    cores: int | None,
    output: Path | None,
) -> None:
    from sqe.bench import concurrency as many
    from sqe.bench.engines.base import Resources
    from sqe.bench.machine import describe_machine
    from sqe.engine.launcher.memory import available_cores

    if dataset.suite.name != "tpch":
        raise UsageError("Concurrency is measured on the tables of tpch.")
    workloads = _names(workload)
    if unknown := [name for name in workloads if name not in many.WORKLOADS]:
        raise UsageError(
            f"Unknown workloads: {', '.join(unknown)}.", hint=f"There are {', '.join(many.WORKLOADS)}."
        )
    try:
        counts = [int(number) for number in _names(sessions)]
    except ValueError as error:
        raise UsageError("--sessions takes numbers, such as 1,16,50.") from error
    _prepare(dataset)
    resources = Resources(cores or available_cores(), Size(memory), 600.0)
    loads = []
    with many.targets(dataset, resources, _names(engines)) as targets:
        for name, connect in targets.items():
            click.echo(f"warming up {name}", err=True)
            many.load(name, connect, "mixed", 4, seconds)
        for kind in workloads:
            for number in counts:
                for name, connect in targets.items():
                    click.echo(f"{kind}, {number} sessions: {name}", err=True)
                    loads.append(many.load(name, connect, kind, number, seconds))
    text = "\n".join([describe_machine(), "", *many.table(loads), ""])
    click.echo(text)
    if output is not None:
        output.write_text(text, encoding="utf-8")
    if errors := [f"{one.engine}: {text}" for one in loads for text in one.errors if one.engine != "trino"]:
        raise BenchmarkError("Statements failed.", hint="\n".join(errors[:10]))


COMMANDS: tuple[click.Command, ...] = (generate, load, run, compare, concurrency, report)


def _run(
    dataset: Dataset,
    engines: str,
    rounds: int,
    queries: str | None,
    memory: str,
    cores: int | None,
    timeout: str,
    output: Path | None,
    resume: bool,
) -> tuple[Record, Path]:
    from sqe.bench import comparison
    from sqe.bench.engines.base import Resources
    from sqe.bench.engines.registry import ENGINES
    from sqe.engine.launcher.memory import available_cores

    names = _names(engines)
    if unknown := [name for name in names if name not in ENGINES] or (not names and ["(none)"]):
        raise UsageError(f"Unknown engines: {', '.join(unknown)}.", hint=f"Engines: {', '.join(ENGINES)}.")
    chosen = _chosen(dataset.suite, queries)
    _prepare(dataset)
    resources = Resources(cores or available_cores(), Size(memory), float(Duration(timeout)))
    directory = output or dataset.root / "results"
    directory.mkdir(parents=True, exist_ok=True)
    record, path = _record(dataset, resources, directory, resume=resume)
    plan = comparison.Plan(dataset, names, chosen, resources, rounds)
    with _progress(len(chosen)) as step:
        comparison.run(plan, record, step, lambda: record.write(path))
    record.write(path)
    click.echo(f"{path}", err=True)
    return record, path


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _chosen(suite: Suite, names: str | None) -> Sequence[Query]:
    if names is None:
        return suite.queries()
    wanted = _names(names)
    known = {query.name: query for query in suite.queries()}
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(
            f"{suite.title} has no query {', '.join(unknown)}.", hint=f"It has {', '.join(known)}."
        )
    return [known[name] for name in wanted]


def _prepare(dataset: Dataset) -> None:
    _show_steps(dataset.generate())
    _show_steps(dataset.load())


def _record(dataset: Dataset, resources: Any, directory: Path, *, resume: bool) -> tuple[Record, Path]:
    from sqe.bench.machine import describe_machine
    from sqe.bench.record import Record

    name = f"{dataset.suite.name}-sf{dataset.scale:g}"
    if resume:
        earlier = sorted(directory.glob(f"{name}-*.json"))
        if not earlier:
            raise BenchmarkError(f"There is no record of {name} in {directory} to go on with.")
        return Record.read(earlier[-1]), earlier[-1]
    now = datetime.datetime.now(datetime.UTC)
    record = Record(
        suite=dataset.suite.name,
        title=dataset.suite.title,
        origin=dataset.suite.origin,
        scale=dataset.scale,
        began=now.isoformat(timespec="seconds"),
        machine=describe_machine(),
        revision=_revision(),
        cores=resources.cores,
        memory=str(resources.memory),
    )
    return record, directory / f"{name}-{now:%Y%m%d-%H%M%S}.json"


def _revision() -> str:
    """Return the commit of the checkout that this runs from, or the version."""
    import sqe

    here = Path(sqe.__file__).parent
    done = subprocess.run(
        ["git", "-C", str(here), "rev-parse", "--short", "HEAD"],  # noqa: S607 - found as the user's shell finds it
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    return done.stdout.strip() or sqe.__version__


def _history(path: Path) -> list[Record]:
    from sqe.bench.record import Record

    name = path.stem.rsplit("-", 2)[0]
    return [Record.read(file) for file in sorted(path.parent.glob(f"{name}-*.json"))]


def _finish(record: Record) -> None:
    from sqe.bench.answers import Outcome

    wrong = [
        f"{query} on {engine}: {one.outcome}: {one.detail}"
        for query, engines in record.queries.items()
        for engine, one in engines.items()
        if engine.startswith("sqe") and one.outcome in (Outcome.DIFFERENT, Outcome.FAILED)
    ]
    right = sum(
        one.outcome is Outcome.MATCH
        for engines in record.queries.values()
        for engine, one in engines.items()
        if engine.startswith("sqe")
    )
    if wrong:
        raise BenchmarkError(f"{len(wrong)} answers of SQE are wrong or missing.", hint="\n".join(wrong))
    click.echo(f"{right} answers of SQE are right.", err=True)


def _show_steps(steps: Iterable[str]) -> None:
    for step in steps:
        click.echo(step, err=True)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Yield what shows each step: a bar on a terminal, a line elsewhere."""
    if not sys.stderr.isatty():
        yield lambda text: click.echo(text, err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<20}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=total)
        begun = [False]

        def step(text: str) -> None:
            if not text.startswith("starting"):
                if begun[0]:
                    bar.advance(task)
                begun[0] = True
            bar.update(task, description=text)

        yield step
        bar.update(task, completed=total)
