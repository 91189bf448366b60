from __future__ import annotations

import json

import pytest
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import AccessDeniedError, SqeError, UnsupportedError
from sqe.model.identity import Principal
from sqe.model.query import QueryState
from sqe.model.session import Dialect, SessionSpec
from sqe.service.plan_text import data_size, duration, plan_text
from sqe.service.service import QueryService


def metric(label: str, kind: str, value: int) -> dict[str, object]:
    return {"label": label, "type": kind, "value": value}


SCAN = {
    "name": "BatchScan",
    "detail": "BatchScan lake.db.t[a]",
    "metrics": {
        "numOutputRows": metric("number of output rows", "sum", 25),
        "resultDataFiles": metric("number of result data files", "v2Custom_x", 2),
        "skippedDataFiles": metric("number of skipped data files", "v2Custom_x", 3),
        "totalDataFileSize": metric("total data file size (bytes)", "v2Custom_x", 2048),
    },
    "children": [],
    "subqueries": [],
}
EXCHANGE = {
    "name": "Exchange",
    "detail": "Exchange single",
    "metrics": {
        "dataSize": metric("data size", "size", 512),
        "shuffleWriteTime": metric("shuffle write time", "nsTiming", 1_500_000),
        "fetchWaitTime": metric("fetch wait time", "timing", 2),
    },
    "children": [SCAN],
    "subqueries": [SCAN],
}
RUN = [{"root": True, "nanoseconds": 2_500_000_000, "plan": EXCHANGE}]


def test_rows_time_bytes_and_files_are_shown_with_each_operator() -> None:
    assert plan_text(RUN, verbose=False).splitlines() == [
        "Execution: 2.50s",
        "Exchange single",
        "│   Output: 512B, Time: 3.50ms",
        "├─ BatchScan lake.db.t[a]",
        "│      Output: 25 rows, Files: 2 (2.00kB), skipped: 3",
        "└─ Subquery: BatchScan lake.db.t[a]",
        "       Output: 25 rows, Files: 2 (2.00kB), skipped: 3",
    ]
    assert "│   shuffle write time: 1.50ms" in plan_text(RUN, verbose=True).splitlines()


def test_a_command_that_only_starts_another_is_left_out() -> None:
    command = {"root": True, "nanoseconds": 1, "plan": {**SCAN, "detail": "CreateTableAsSelect"}}
    assert "CreateTableAsSelect" not in plan_text([*RUN, command], verbose=False)
    assert "CreateTableAsSelect" in plan_text([command], verbose=False)


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0.00ns"), (1500, "1.50us"), (90e9, "1.50m"), (2 * 86400e9, "2.00d")]
)
def test_durations(number: float, text: str) -> None:
    assert duration(number) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0B"), (1023, "1023B"), (1536, "1.50kB"), (2**41, "2.00TB")]
)
def test_sizes(number: int, text: str) -> None:
    assert data_size(number) == text


class Watch:
    """Says of all queries, or of none, that they use a protected table."""

    def __init__(self, protected: bool) -> None:
        self.protected = protected

    def begin(self, query: str) -> None: ...

    def uses_protected_table(self, query: str) -> bool:
        return self.protected

    def end(self, query: str) -> None: ...


def explained(
    sql: str, *, protected: bool = False, dialect: Dialect = Dialect.TRINO
) -> tuple[str | None, SqeError | None, list[str]]:
    """Return the text, the error, and what the engine was asked."""
    engine = FakeEngine()
    engine.executed_plan = json.dumps(RUN)
    service = QueryService(engine, LimitsConfig(), watch=Watch(protected))
    session = service.open_session(Principal("ann", "a test"), SessionSpec((), dialect=dialect))
    query = service.submit(session, service.read(session, sql))
    assert service.wait(session, query, 20)
    status = service.poll(session, query)
    text = None
    if status.state is QueryState.FINISHED:
        (batch,) = service.fetch(session, query).batches(lambda: False)
        assert batch.schema.names == ["Query Plan"]
        text = batch.column(0)[0].as_py()
    asked = list(engine.sessions[0].started)
    service.drain(0)
    return text, status.error, asked


@pytest.mark.parametrize("dialect", list(Dialect))
def test_the_statement_is_run_and_its_rows_are_counted(dialect: Dialect) -> None:
    text, _, asked = explained("EXPLAIN ANALYZE SELECT fake('rows 3')", dialect=dialect)
    assert asked[0] == "want plan"
    assert asked[1].strip().startswith("SELECT fake('rows 3')")
    assert text is not None
    assert text.startswith("Queued: ")
    assert ", Result: 3 rows (" in text
    assert "BatchScan lake.db.t[a]" in text


def test_the_plan_of_a_protected_table_is_not_shown() -> None:
    text, error, _ = explained("EXPLAIN ANALYZE SELECT fake('rows 3')", protected=True)
    assert text is None
    assert isinstance(error, AccessDeniedError)


def test_a_change_of_a_protected_table_is_done_and_its_plan_is_not_shown() -> None:
    text, error, asked = explained("EXPLAIN ANALYZE INSERT INTO t SELECT fake('rows 3')", protected=True)
    assert error is None
    assert asked[1].strip().startswith("INSERT INTO t")
    assert text is not None
    assert "BatchScan" not in text


def test_a_definition_is_not_analyzed() -> None:
    _, error, asked = explained("EXPLAIN ANALYZE DROP TABLE t")
    assert isinstance(error, UnsupportedError)
    assert asked == []


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("TYPE IO, FORMAT JSON", "io"),
        ("TYPE IO", "io"),
        ("FORMAT JSON", "distributed"),
        ("FORMAT JSON, TYPE LOGICAL", "logical"),
    ],
)
def test_plans_as_json(options: str, kind: str) -> None:
    text, error, asked = explained(f"EXPLAIN ({options}) SELECT a FROM t")
    assert error is None
    assert (text, asked) == ("{}", [f"plan {kind} SELECT a FROM t"])


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("EXPLAIN (TYPE FOO) SELECT 1", "mismatched input 'FOO'"),
        ("EXPLAIN (FORMAT GRAPHVIZ) SELECT 1", "EXPLAIN (FORMAT GRAPHVIZ) is not supported."),
        ("EXPLAIN (FORMAT JSON) SELECT ?", "takes no parameters"),
    ],
)
def test_what_is_refused(sql: str, message: str) -> None:
    _, error, _ = explained(sql)
    assert error is not None
    assert message in error.message
