"""Run the statements of a suite that change tables, on a copy in each engine, and compare what they have changed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from sqe.bench.answers import Outcome, compare
from sqe.bench.dataset import CATALOG, Dataset
from sqe.bench.engines.base import Engine
from sqe.bench.record import Measurement
from sqe.bench.suite import Query

_SHOWN = 500


def measure_changes(
    dataset: Dataset, changes: Sequence[Query], engines: Mapping[str, Engine], expected: Engine
) -> dict[str, dict[str, Measurement]]:
    """Return the measurements of statements by query and engine, in the order in which they are run."""
    copied = [*engines.values(), expected]
    for engine in copied:
        _copy(dataset, engine)
    try:
        return {query.name: _measure(query, engines, expected) for query in changes}
    finally:
        for engine in copied:
            _drop(dataset, engine)


def _measure(query: Query, engines: Mapping[str, Engine], expected: Engine) -> dict[str, Measurement]:
    assert query.checks is not None
    expected.execute(query.texts[expected.dialect])
    right = expected.run(query.checks[expected.dialect])
    measured = {}
    for name, engine in engines.items():
        began = time.perf_counter()
        try:
            engine.execute(query.texts[engine.dialect])
            seconds = time.perf_counter() - began
            rows = engine.run(query.checks[engine.dialect])
        except Exception as error:  # noqa: BLE001 - whatever a driver raises is the engine's answer
            measured[name] = Measurement(Outcome.FAILED, f"{type(error).__name__}: {error}"[:_SHOWN])
            continue
        compared = compare(rows, right)
        measured[name] = Measurement(
            compared.outcome, compared.detail[:_SHOWN], rows=len(rows), first=seconds
        )
    return measured


def _schemas(dataset: Dataset, engine: Engine) -> tuple[str, str]:
    """Return the full names of the dataset's schema and of its copy."""
    if engine.dialect == "duckdb":
        return "main", "changes"
    copy = f"{dataset.schema}_{engine.name.replace('-', '_')}"
    return f"{CATALOG}.{dataset.schema}", f"{CATALOG}.{copy}"


def _copy(dataset: Dataset, engine: Engine) -> None:
    origin, copy = _schemas(dataset, engine)
    _drop(dataset, engine)
    engine.execute(f"CREATE SCHEMA {copy}")
    for table in dataset.tables():
        engine.execute(f"CREATE TABLE {copy}.{table} AS SELECT * FROM {origin}.{table}")
    engine.execute(f"USE {copy}")


def _drop(dataset: Dataset, engine: Engine) -> None:
    origin, copy = _schemas(dataset, engine)
    engine.execute(f"USE {origin}")
    for table in dataset.tables():
        engine.execute(f"DROP TABLE IF EXISTS {copy}.{table}")
    engine.execute(f"DROP SCHEMA IF EXISTS {copy}")
