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
        flight = stack.enter_context(closing(sqe_server.connect_flight(found["flight"], dataset.schema)))
        trino = stack.enter_context(closing(sqe_server.connect_trino(found["trino"], dataset.schema)))
        engines = {
            "sqe": sqe_server.FlightEngine("sqe", "spark", flight, process, {}, 300.0),
            "sqe-trino": sqe_server.CursorEngine("sqe-trino", "trino", trino, process, {}, 300.0),
        }
        yield Bed(dataset, engines, stack.enter_context(duckdb_engine.on_files(dataset, RESOURCES)))


def _turns(bed: Bed) -> Iterator[tuple[str, Query]]:
    reads = [query for query in bed.dataset.suite.queries() if not query.writes]
    names = list(bed.engines)
    for number, query in enumerate(reads):
        yield names[number % len(names)], query


def test_the_answers_are_those_of_duckdb(bed: Bed) -> None:
    wrong, empty = [], []
    for name, query in _turns(bed):
        measured = measure(query, {name: bed.engines[name]}, bed.expected, rounds=0)[name]
        if measured.outcome is Outcome.VACUOUS:
            empty.append(query.name)
        elif measured.outcome is not Outcome.MATCH:
            wrong.append(f"{query.name} on {name}: {measured.outcome}: {measured.detail}")
    assert not wrong, "\n".join(wrong)
    if bed.dataset.suite.derived:
        assert set(empty) <= bed.dataset.suite.may_be_empty.keys()


def test_changes_are_those_of_duckdb(bed: Bed) -> None:
    changes = [query for query in bed.dataset.suite.queries() if query.writes]
    if not changes:
        return
    measured = measure_changes(bed.dataset, changes, bed.engines, bed.expected)
    wrong = [
        f"{query} on {engine}: {one.outcome}: {one.detail}"
        for query, engines in measured.items()
        for engine, one in engines.items()
        if one.outcome is not Outcome.MATCH
    ]
    assert not wrong, "\n".join(wrong)
