from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from tests.fakes.connection import Answer, FakeConnection

from sqe.cli.shell.completion import ShellCompleter
from sqe.cli.shell.completion_metadata import CompletionMetadata
from sqe.errors import EngineStartError, TableNotFoundError
from sqe.model.session import SessionSpec, WarehouseCatalog

SECONDS = 120.0
SPEC = SessionSpec((WarehouseCatalog("iceberg", None), WarehouseCatalog("lake", None)))


def listed(*rows: str) -> pa.Table:
    return pa.table({"namespace": ["x"] * len(rows), "name": list(rows)})


ANSWERS: dict[str, Answer | pa.Table] = {
    "SELECT current_catalog(), current_schema()": pa.table({"c": ["iceberg"], "s": ["default"]}),
    "SHOW CATALOGS": pa.table({"catalog": ["iceberg"]}),
    "SHOW NAMESPACES IN `iceberg`": pa.table({"namespace": ["default", "sales"]}),
    "SHOW NAMESPACES IN `lake`": pa.table({"namespace": ["raw"]}),
    "SHOW TABLES IN `iceberg`.`default`": listed("people", "order"),
    "SHOW TABLES IN `iceberg`.`sales`": listed("orders"),
    "SHOW VIEWS IN `iceberg`.`sales`": listed("open_orders"),
    "SHOW TABLES IN `lake`.`raw`": Answer(error=TableNotFoundError("broken")),
    "SHOW FUNCTIONS": pa.table({"function": ["!", "abs", "current_user", "upper"]}),
    "DESCRIBE TABLE `iceberg`.`default`.`people`": pa.table(
        {
            "col_name": ["id", "first name", "# Partitioning", "Part 0"],
            "data_type": ["int", "string", "", "id"],
        }
    ),
    "DESCRIBE TABLE `iceberg`.`sales`.`orders`": pa.table({"col_name": ["id", "total"]}),
}


def eventually(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def metadata() -> CompletionMetadata:
    connection = FakeConnection(ANSWERS)
    made = CompletionMetadata(SPEC, lambda: connection, delay=0.0)
    made.refresh()
    eventually(lambda: bool(made.snapshot.functions))
    return made


def complete(metadata: CompletionMetadata, text: str) -> list[str]:
    """Complete at the `|`."""
    before, _, after = text.partition("|")
    document = Document(before + after, len(before))
    found = ShellCompleter(metadata).get_completions(document, CompleteEvent(completion_requested=True))
    return [completion.text for completion in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM pe|", ["people"]),
        ("SELECT * FROM ord|", ["`order`"]),
        ("select * from sales.|", ["open_orders", "orders"]),
        ("SELECT * FROM lake.|", ["raw"]),
        ("SELECT * FROM ICEBERG.sales.or|", ["orders"]),
        ("SELECT i| FROM people", ["id"]),
        ("SELECT first| FROM people", ["`first name`", "first"]),
        ("SELECT p.| FROM people AS p", ["id", "`first name`"]),
        ("SELECT x.id FROM people p JOIN sales.orders x ON x.|", ["id", "total"]),
        ("SELECT people.i| FROM people", ["id"]),
        ("SELECT 1; SELECT * FROM sales.orders WHERE tot|", ["total"]),
        ("WITH mine AS (SELECT 1) SELECT * FROM mi|", ["mine", "minus", "minute"]),
        ("sel|", ["select"]),
        ("SEL|", ["SELECT"]),
        ("SELECT upp|", ["upper"]),
        ("SELECT 'SEL|", []),
        ("SELECT 1 -- SEL|", []),
        ("SELECT /* SEL|", []),
        (".su|", [".summarize"]),
        (".timer o|", ["on", "off"]),
        (".format js|", ["json", "jsonl"]),
        (".describe sales.|", ["open_orders", "orders"]),
        (".describe pe|", ["people"]),
        (".nonsense x|", []),
    ],
)
def test_what_is_offered(metadata: CompletionMetadata, text: str, expected: list[str]) -> None:
    offered = complete(metadata, text)
    assert offered[: len(expected)] == expected
    if not expected:
        assert offered == []


def test_columns_stop_where_partitioning_begins(metadata: CompletionMetadata) -> None:
    assert metadata.columns(("iceberg", "default", "people"), SECONDS) == ("id", "first name")


def test_files_are_completed_inside_quotes(metadata: CompletionMetadata, tmp_path: Path) -> None:
    (tmp_path / "data.parquet").touch()
    assert complete(metadata, f"SELECT * FROM '{tmp_path}/da|") == ["ta.parquet"]
    assert complete(metadata, f".read {tmp_path}/da|") == ["ta.parquet"]


def test_fetching_waits_for_the_connection_and_for_the_users_statement() -> None:
    connection, there = FakeConnection(ANSWERS), threading.Event()
    metadata = CompletionMetadata(SPEC, lambda: connection if there.is_set() else None, delay=0.0)
    metadata.busy()
    metadata.refresh()
    there.set()
    assert metadata.columns(("iceberg", "default", "people"), 0.3) == ()
    assert connection.executed == []
    metadata.idle()
    assert metadata.columns(("iceberg", "default", "people"), SECONDS) == ("id", "first name")


def test_only_statements_that_change_something_fetch_again(metadata: CompletionMetadata) -> None:
    metadata.columns(("iceberg", "default", "people"), SECONDS)
    metadata.after("SELECT 1")
    assert metadata._wanted.empty()
    assert metadata._columns
    metadata.after("  create table x (a int)")
    assert not metadata._columns


def test_an_engine_that_does_not_start_is_asked_once_and_again_when_a_statement_has_worked() -> None:
    up = threading.Event()

    def answer(sql: str) -> Answer:
        known = ANSWERS.get(sql, pa.table({}))
        if not up.is_set():
            return Answer(late_error=EngineStartError("It did not start."))
        return known if isinstance(known, Answer) else Answer(known)

    connection = FakeConnection(answer)
    metadata = CompletionMetadata(SPEC, lambda: connection, delay=0.0)
    metadata.refresh()
    eventually(lambda: metadata._incomplete)
    assert connection.executed == ["SELECT current_catalog(), current_schema()"]
    up.set()
    metadata.after("SELECT 1")
    eventually(lambda: bool(metadata.snapshot.functions))
