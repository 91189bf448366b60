"""The local executor behind a gateway with policies: what runs there, and what happens when it cannot."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from testing.command import Sqe, until

from sqe.cli.client.gateway import connect
from sqe.config.load import load
from sqe.errors import QueryCanceledError, SqeError
from sqe.frontends.flight.client import FlightConnection
from sqe.model.query import Executor, QueryState
from sqe.model.session import DEFAULT_CATALOG, SessionSpec, WarehouseCatalog

pytestmark = pytest.mark.engine

OPEN = "default: allow\n"
FILTERED = """\
default: allow
rules:
  - name: half
    users: "*"
    tables: "*.default.numbers"
    operations: all
    rows: n < 500
    masks: {text: "'masked'"}
"""
NUMBERS = (
    "CREATE TABLE numbers AS SELECT CAST(id AS INT) AS n, CAST(id AS STRING) AS text,"
    " CAST(id AS DECIMAL(10, 2)) AS d FROM range(0, 1000, 1, 1)"
)
TOTAL = "SELECT count(*) AS c, sum(n) AS s, min(text) AS t FROM numbers WHERE n >= 0"
# Takes minutes in any engine, and can only end by being stopped.
ENDLESS = (
    "SELECT count(*) FROM numbers a, numbers b, numbers c, numbers d, numbers e"
    " WHERE a.n + b.n + c.n + d.n + e.n = -1 AND a.text <> b.text AND c.text <> d.text"
)


@dataclass
class Gateway:
    connection: FlightConnection
    sqe: Sqe
    rules: Path

    def run(self, sql: str) -> tuple[list[dict[str, Any]], Executor]:
        """Return the rows of a statement, and what computed them."""
        result = self.connection.execute(sql)
        rows = [row for batch in result for row in batch.to_pylist()]
        return rows, result.status().progress.executor

    def workers(self) -> list[int]:
        found = subprocess.run(
            ["pgrep", "-f", "sqe.executor.worker", "-P", str(self.sqe.status()["pid"])],
            capture_output=True,
            text=True,
            check=False,
        )
        return [int(pid) for pid in found.stdout.split()]


@pytest.fixture(scope="module")
def gateway(own_engine: Sqe, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    directory = tmp_path_factory.mktemp("local")
    rules = directory / "rules.yaml"
    rules.write_text(OPEN)
    sqe = own_engine.having(policy__engines='["file"]', policy__file=str(rules), engine__memory="1GB")
    spec = SessionSpec((WarehouseCatalog(DEFAULT_CATALOG, directory / "warehouse"),), directory)
    environment = {key: value for key, value in sqe.environment.items() if key != "JAVA_HOME"}
    connection = connect(load(None, {**environment, **sqe.settings}), spec, on_wait=lambda note: None)
    made = Gateway(connection, sqe, rules)
    made.run(NUMBERS)
    yield made
    connection.close()


@pytest.fixture(autouse=True)
def _open(gateway: Gateway) -> Iterator[None]:
    """Take rules of a test back."""
    yield
    gateway.rules.write_text(OPEN)


def test_a_read_runs_locally_and_explain_says_so(gateway: Gateway) -> None:
    assert gateway.run(TOTAL) == ([{"c": 1000, "s": 499500, "t": "0"}], Executor.LOCAL)
    (plan,), _ = gateway.run(f"EXPLAIN {TOTAL}")
    assert plan["plan"].endswith("== Executor ==\nlocal (DuckDB)\n")


def test_explain_says_why_a_read_stays_on_spark(gateway: Gateway) -> None:
    sql = "SELECT percentile(n, 0.5) AS p FROM numbers"
    assert gateway.run(sql) == ([{"p": 499.5}], Executor.SPARK)
    (plan,), _ = gateway.run(f"EXPLAIN {sql}")
    assert "Spark: aggregate Percentile" in plan["plan"]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT sum(n / (n - 7)) FROM numbers", "DIVISION_BY_ZERO"),
        ("SELECT max(n * 2000000000) FROM numbers", "DATA_ERROR"),
        ("SELECT n, CAST(text AS INT) / (n - 999) FROM numbers", "DIVISION_BY_ZERO"),
    ],
)
def test_an_error_is_sparks(gateway: Gateway, sql: str, code: str) -> None:
    with pytest.raises(SqeError) as error:
        gateway.run(sql)
    assert error.value.code == code


def test_a_change_of_the_table_is_seen_at_once(gateway: Gateway) -> None:
    sql = "SELECT count(*) AS c, max(n) AS m FROM changing WHERE n >= 0"
    gateway.run("CREATE TABLE changing AS SELECT * FROM numbers")
    for _ in range(2):
        assert gateway.run(sql) == ([{"c": 1000, "m": 999}], Executor.LOCAL)
    gateway.run("INSERT INTO changing VALUES (5000, 'x', 1)")
    assert gateway.run(sql) == ([{"c": 1001, "m": 5000}], Executor.LOCAL)
    gateway.run("ALTER TABLE changing RENAME COLUMN n TO m")
    with pytest.raises(SqeError):
        gateway.run(sql)
    gateway.run("ALTER TABLE changing RENAME COLUMN m TO n")
    assert gateway.run(sql)[0] == [{"c": 1001, "m": 5000}]
    gateway.run("DROP TABLE changing")
    with pytest.raises(SqeError):
        gateway.run(sql)
    gateway.run("CREATE TABLE changing AS SELECT CAST(1 AS BIGINT) AS n")
    assert gateway.run(sql)[0] == [{"c": 1, "m": 1}]


def test_the_current_time_is_not_kept(gateway: Gateway) -> None:
    sql = "SELECT max(current_timestamp()) AS now FROM numbers WHERE n >= 0"
    first, second = (gateway.run(sql)[0][0]["now"] for _ in range(2))
    assert first < second


def test_policies_hold_locally_and_for_plans_that_come_again(gateway: Gateway) -> None:
    before = ([{"c": 1000, "s": 499500, "t": "0"}], Executor.LOCAL)
    for _ in range(2):
        assert gateway.run(TOTAL) == before
    gateway.rules.write_text(FILTERED)
    hidden = ([{"c": 500, "s": 124750, "t": "masked"}], Executor.LOCAL)
    until(lambda: gateway.run(TOTAL) == hidden, "the filter counts")
    assert gateway.run(TOTAL) == hidden
    gateway.rules.write_text("default: deny\n")

    def denied() -> bool:
        try:
            assert gateway.run(TOTAL) == hidden
        except SqeError:
            return True
        return False

    until(denied, "the table is denied")


def test_what_can_fail_is_not_computed_over_hidden_rows(gateway: Gateway) -> None:
    gateway.rules.write_text(FILTERED)
    until(
        lambda: gateway.run("SELECT count(n) AS c FROM numbers WHERE n >= 0")[0] == [{"c": 500}], "the filter"
    )
    rows, executor = gateway.run("SELECT max(1000 / (n - 700)) AS m FROM numbers")
    assert (rows, executor) == ([{"m": -1.4285714285714286}], Executor.SPARK)


def test_a_killed_worker_costs_nothing_but_time(gateway: Gateway) -> None:
    assert gateway.run(TOTAL)[1] is Executor.LOCAL
    for pid in gateway.workers():
        os.kill(pid, signal.SIGKILL)
    rows, executor = gateway.run(TOTAL)
    assert rows == [{"c": 1000, "s": 499500, "t": "0"}]
    assert executor is Executor.RERUN
    until(lambda: gateway.run(TOTAL)[1] is Executor.LOCAL, "there is a worker again")


def test_a_canceled_read_ends(gateway: Gateway) -> None:
    result = gateway.connection.execute(ENDLESS)
    until(lambda: result.status().progress.executor is Executor.LOCAL, "it runs")
    result.cancel()
    with pytest.raises(QueryCanceledError):
        list(result)
    until(lambda: result.status().state is QueryState.CANCELED, "it has ended")
    assert gateway.run(TOTAL)[1] is Executor.LOCAL


def test_a_lost_file_is_a_clear_error(gateway: Gateway) -> None:
    gateway.run("CREATE TABLE lost AS SELECT * FROM numbers")
    (file,), _ = gateway.run("SELECT file_path FROM default.lost.files")
    Path(file["file_path"].removeprefix("file:")).unlink()
    with pytest.raises(SqeError) as error:
        gateway.run("SELECT sum(n) FROM lost")
    assert error.value.code != "INTERNAL_ERROR"


def test_workers_end_with_their_gateway(gateway: Gateway) -> None:
    gateway.run(TOTAL)
    workers = gateway.workers()
    assert workers
    assert gateway.sqe.run("engine", "stop").code == 0
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "the workers have ended")
