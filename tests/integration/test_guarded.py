"""A gateway with a policy engine, as a user meets it: its start, its decisions, its errors."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.spark_server import SparkServer
from testing.command import QUICK_JAVA, Sqe, clean_environment, until

from sqe.config.load import load
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = pytest.mark.engine

# Everybody is masked on `people`, and may do everything else.
RULES = """\
default: allow
rules:
  - name: engineering
    users: "*"
    tables: "*.default.people"
    operations: all
    rows: dept = 'eng'
    masks: {ssn: "mask_last(ssn, 4)"}
    restrict: [salary]
"""
HIDDEN = ("078-05-1120", "219-09-9999", "hidden-name", "95000")

# What fails on a visible row, or is about the plan that a policy is in; and the code that it is told with.
FAILING = {
    "SELECT CAST(name AS INT) FROM people": "INVALID_CAST",
    "SELECT CAST(ssn AS INT) FROM people": "INVALID_CAST",
    "SELECT raise_error(name) FROM people": "EXECUTION_FAILED",
    "SELECT 1 / (id - 1) FROM people": "DIVISION_BY_ZERO",
    "SELECT count(*), id FROM people": "SEMANTIC_ERROR",
    "SELECT 1 FROM people p WHERE EXISTS (SELECT 1 FROM people q ORDER BY p.id)": "NOT_SUPPORTED",
    "SELECT * FROM people WHERE (SELECT 1, 2)": "SEMANTIC_ERROR",
}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_text("default: allow")
    return path


@pytest.fixture
def guarded(alone: Sqe, rules: Path) -> Sqe:
    return alone.having(
        policy__engines='["file"]', policy__file=str(rules), engine__memory="1GB", engine__warm_up="true"
    )


def log_of(sqe: Sqe) -> str:
    logs = Path(sqe.status()["logs"])
    return "".join(file.read_text() for file in logs.glob("gateway-*.log"))


def test_a_shell_is_guarded_as_a_server_is(guarded: Sqe, rules: Path) -> None:
    made = guarded.sql(
        "CREATE TABLE people AS SELECT * FROM VALUES (1, 'ann', '078-05-1120', 'eng', 95000),"
        " (2, 'hidden-name', '219-09-9999', 'hr', 4) AS t(id, name, ssn, dept, salary)"
    )
    assert made.code == 0, made.err
    assert len(guarded.sql("SELECT * FROM people").rows()) == 2
    rules.write_text(RULES)
    until(lambda: len(guarded.sql("SELECT * FROM people").rows()) == 1, "the new rules count")
    assert guarded.sql("SELECT * FROM people").rows() == [["1", "ann", "xxxxxxx1120", "eng"]]

    update = guarded.sql("UPDATE people SET name = 'x'")
    assert update.code != 0
    assert "NOT_SUPPORTED" in update.err
    for sql, code in FAILING.items():
        done = guarded.sql(sql)
        assert done.code != 0, sql
        assert code in done.err, sql
        said = done.err.partition("LINE 1")[0]
        for word in (*HIDDEN, "'ann'", "1120", "'eng'", "Filter", "Relation"):
            assert word not in said, sql

    log = log_of(guarded)
    assert "the guard is on: file decides" in log
    assert "select of" in log
    assert "filter by file: rule 1 (engineering)" in log
    assert not [word for word in (*HIDDEN, "dept = ") if word in log]

    # Warming up makes and reads a table of its own, which is not the business of policies.
    until(lambda: bool(guarded.status()["warm"]), "the engine is warm")
    assert "warming up stopped" not in log_of(guarded)


@pytest.fixture
def unguarded_server(tmp_path: Path) -> Iterator[SparkServer]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    server = SparkServer(
        provide(load(None, clean_environment(home)), QuietReporter()),
        tmp_path / "server",
        java_options=QUICK_JAVA,
    )
    yield server
    server.process.stop()
    shutil.rmtree(home, ignore_errors=True)


@pytest.mark.slow
def test_an_engine_elsewhere_that_does_not_guard_is_not_used(
    guarded: Sqe, unguarded_server: SparkServer
) -> None:
    there = guarded.having(
        engine__url=unguarded_server.url,
        engine__token=unguarded_server.token,
        engine__control_secret="s" * 32,
    )
    done = there.sql("SELECT 1")
    assert done.code != 0
    assert "The guard is not loaded in the engine" in done.err
