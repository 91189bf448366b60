"""Run the same queries on several engines in turns, and compare their answers and times.

For each query every engine runs it once (the first time that it sees it), then several times in turns (warm), so that a
noisy machine is noisy for all of them. The answers of each engine's first run are compared with DuckDB's on the
generated files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from sqe.bench.answers import Comparison, Outcome, Row, any_rows, compare, without_limit
from sqe.bench.changes import measure_changes
from sqe.bench.dataset import Dataset
from sqe.bench.engines import duckdb_engine
from sqe.bench.engines.base import Engine, Resources, cpu_seconds, peak_memory
from sqe.bench.engines.registry import ENGINES
from sqe.bench.record import Measurement, Record
from sqe.bench.suite import Query

Progress = Callable[[str], None]
_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """What a comparison runs."""

    dataset: Dataset
    engines: Sequence[str]
    queries: Sequence[Query]
    resources: Resources
    rounds: int


def run(plan: Plan, record: Record, progress: Progress, save: Callable[[], None]) -> None:
    """Run what the record does not have yet, and call `save` after each query."""
    with ExitStack() as stack:
        engines: dict[str, Engine] = {}
        for name in plan.engines:
            progress(f"starting {name}")
            engines[name] = stack.enter_context(ENGINES[name](plan.dataset, plan.resources))
            record.engines[name] = dict(engines[name].settings())
        expected = stack.enter_context(duckdb_engine.on_files(plan.dataset, plan.resources))
        for query in plan.queries:
            if query.writes or plan.engines == list(record.queries.get(query.name, {})):
                continue
            progress(query.name)
            record.queries[query.name] = measure(query, engines, expected, plan.rounds)
            _add_resources(record, engines)
            save()
        changes = [query for query in plan.queries if query.writes and query.name not in record.queries]
        # DuckDB reads the Iceberg tables and does not change them.
        changing = {name: engine for name, engine in engines.items() if engine.dialect != "duckdb"}
        if changes and changing:
            progress("changes")
            record.queries |= measure_changes(plan.dataset, changes, changing, expected)
            save()


def measure(
    query: Query, engines: Mapping[str, Engine], expected: Engine, rounds: int
) -> dict[str, Measurement]:
    """Return the measurements of one query, by engine."""
    right = expected.run(query.texts[expected.dialect])
    measured: dict[str, Measurement] = {}
    for name, engine in engines.items():
        engine.ran_on()  # what was asked for before is not counted
        began = time.perf_counter()
        try:
            rows = engine.run(query.texts[engine.dialect])
        except Exception as error:  # noqa: BLE001 - whatever a driver raises is the engine's answer
            measured[name] = Measurement(Outcome.FAILED, f"{type(error).__name__}: {error}"[:_SHOWN])
            continue
        seconds = time.perf_counter() - began
        executor = engine.ran_on()
        comparison = _compare(query, engine, expected, rows, right)
        measured[name] = Measurement(
            comparison.outcome,
            comparison.detail[:_SHOWN],
            rows=len(rows),
            first=seconds,
            executor=executor,
        )
    for _ in range(rounds):
        for name, engine in engines.items():
            if measured[name].outcome is Outcome.FAILED:
                continue
            began = time.perf_counter()
            try:
                engine.run(query.texts[engine.dialect])
            except Exception as error:  # noqa: BLE001 - as above
                measured[name] = Measurement(
                    Outcome.FAILED, f"in a later run: {type(error).__name__}: {error}"[:_SHOWN]
                )
                continue
            measured[name].warm.append(time.perf_counter() - began)
    return measured


def _compare(
    query: Query, engine: Engine, expected: Engine, rows: Sequence[Row], right: Sequence[Row]
) -> Comparison:
    comparison = compare(rows, right, only_count=any_rows(query))
    if comparison.outcome is not Outcome.DIFFERENT or len(rows) != len(right):
        return comparison
    ours, theirs = without_limit(query.texts[engine.dialect]), without_limit(query.texts[expected.dialect])
    if ours is None or theirs is None:
        return comparison
    whole = compare(engine.run(ours), expected.run(theirs))
    if whole.outcome is Outcome.MATCH:
        return Comparison(Outcome.MATCH, "compared without LIMIT, which chooses among equal rows")
    return whole


def _add_resources(record: Record, engines: Mapping[str, Engine]) -> None:
    for name, engine in engines.items():
        pids = engine.pids()
        record.peak_memory[name] = {process: peak_memory(pid) for process, pid in pids.items()}
        record.cpu[name] = sum(cpu_seconds(pid) for pid in pids.values())
