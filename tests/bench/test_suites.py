"""Every statement of every benchmark suite, small, at the front ends of one server, with DuckDB's answers.

The queries take turns between Flight SQL in Spark's dialect and Trino's protocol; `sqe bench compare` runs all of them
on both.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from testing.command import INTERPRETED

from sqe.bench.answers import Outcome
from sqe.bench.changes import measure_changes
from sqe.bench.comparison import measure
from sqe.bench.dataset import Dataset
from sqe.bench.engines import duckdb_engine, sqe_server
from sqe.bench.engines.base import Engine, Resources
from sqe.bench.suite import Query
from sqe.bench.suites.registry import SUITES
from sqe.units import Size

pytestmark = pytest.mark.engine

SCALE = 0.01
RESOURCES = Resources(cores=2, memory=Size("2GB"), query_seconds=300.0)
# How many queries at least run on the local executor.
LOCAL = {"tpch": 22, "tpcds": 95, "ssb": 13, "clickbench": 41, "tpcc": 8, "tpce": 11, "tpcbb": 10}


@dataclass(frozen=True)
class Bed:
    dataset: Dataset
    engines: Mapping[str, Engine]
    expected: Engine


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sqe-bench-") as directory:
        yield Path(directory)


@pytest.fixture(scope="module")
def addresses(root: Path) -> Iterator[tuple[Any, Mapping[str, str]]]:
    datasets = [Dataset(root, suite, SCALE) for suite in SUITES.values()]
    try:
        for dataset in datasets:
            for _ in (*dataset.generate(), *dataset.load(keep_engine=True)):
                pass
    finally:
        datasets[0].stop_engine()
    settings = {"engine__settings": INTERPRETED, "server__hung_timeout": "10min"}
    with sqe_server.server(Dataset(root, SUITES["tpch"], SCALE), RESOURCES, settings=settings) as running:
        yield running


@pytest.fixture(scope="module", params=list(SUITES))
def bed(
    request: pytest.FixtureRequest, root: Path, addresses: tuple[Any, Mapping[str, str]]
) -> Iterator[Bed]:
    process, found = addresses
    dataset = Dataset(root, SUITES[request.param], SCALE)
    with ExitStack() as stack:
        engines: dict[str, Engine] = {}
        for executor, suffix in (("auto", ""), ("off", " on Spark")):
            flight = sqe_server.connect_flight(found["flight"], dataset.schema, executor=executor)
            trino = sqe_server.connect_trino(found["trino"], dataset.schema, {"local_executor": executor})
            for name, kind, dialect, connection in (
                ("sqe", sqe_server.FlightEngine, "spark", flight),
                ("sqe-trino", sqe_server.SqeEngine, "trino", trino),
            ):
                stack.enter_context(closing(connection))
                engines[name + suffix] = kind(
                    *(name, dialect, connection, process, {}, 300.0), metrics=found["metrics"]
                )
        yield Bed(dataset, engines, stack.enter_context(duckdb_engine.on_files(dataset, RESOURCES)))


def _turns(bed: Bed) -> Iterator[tuple[str, Query]]:
    """Return each query for one of the front ends, as it is configured and on Spark."""
    reads = [query for query in bed.dataset.suite.queries() if not query.writes]
    names = list(bed.engines)
    for number, query in enumerate(reads):
        yield names[number % 2], query
        yield names[2 + number % 2], query


def test_the_answers_are_those_of_duckdb(bed: Bed) -> None:
    wrong, empty = [], []
    local = 0
    for name, query in _turns(bed):
        measured = measure(query, {name: bed.engines[name]}, bed.expected, rounds=0)[name]
        local += measured.executor == "local"
        if measured.outcome is Outcome.VACUOUS:
            empty.append(query.name)
        elif measured.outcome is not Outcome.MATCH:
            wrong.append(f"{query.name} on {name}: {measured.outcome}: {measured.detail}")
    assert not wrong, "\n".join(wrong)
    assert local >= LOCAL[bed.dataset.suite.name]
    if bed.dataset.suite.derived:
        assert set(empty) <= bed.dataset.suite.may_be_empty.keys()


def test_changes_are_those_of_duckdb(bed: Bed) -> None:
    changes = [query for query in bed.dataset.suite.queries() if query.writes]
    if not changes:
        return
    # Changes run on Spark, whatever is configured.
    engines = {name: engine for name, engine in bed.engines.items() if "Spark" not in name}
    measured = measure_changes(bed.dataset, changes, engines, bed.expected)
    wrong = [
        f"{query} on {engine}: {one.outcome}: {one.detail}"
        for query, engines in measured.items()
        for engine, one in engines.items()
        if one.outcome is not Outcome.MATCH
    ]
    assert not wrong, "\n".join(wrong)
