"""The log of a guarded engine: errors and their place, without a value, a statement or a plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine, guarded_engine

pytestmark = pytest.mark.engine

CANARY = "Canary4711"
FAILING = (
    "SELECT CAST(name AS INT) FROM lake.db.t",
    "SELECT raise_error(name) FROM lake.db.t",
    "SELECT sum(CAST(name AS INT)) FROM lake.db.t GROUP BY id",
    "SELECT to_timestamp(name, 'yyyy') FROM lake.db.t",
    "SELECT map(name, 1, name, 2) FROM lake.db.t",
    "SELECT CAST(name AS DATE) FROM lake.db.t ORDER BY id",
    f"SELECT * FROM lake.db.t WHERE name = '{CANARY}' AND nothing = 1",
    f"SELECT '{CANARY}' FROM (",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[GuardedEngine]:
    with guarded_engine(log_level="INFO") as engine:
        engine.run(ADMIN, "CREATE SCHEMA lake.db")
        engine.run(ADMIN, f"CREATE TABLE lake.db.t AS SELECT 1 AS id, '{CANARY}' AS name")
        yield engine


def files(home: Path) -> list[Path]:
    """All but the warehouse."""
    return [path for path in home.rglob("*") if path.is_file() and (home / "lake") not in path.parents]


def test_no_file_of_the_server_has_a_value_of_a_table(engine: GuardedEngine) -> None:
    for sql in FAILING:
        engine.failure("ann", sql)
    found = files(engine.warehouse.parent)
    logs = [path for path in found if path.suffix == ".log"]
    assert logs
    for path in found:
        assert CANARY.encode() not in path.read_bytes(), path
    text = "".join(path.read_text(encoding="utf-8") for path in logs)
    assert "lake.db.t" not in text
    # It is of use all the same: who says it, and the class of the error.
    assert " ERROR org.apache.spark.executor.Executor org.apache.spark.SparkNumberFormatException\n" in text
    assert "\tat " not in text


def test_what_our_own_classes_say_is_there(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.t", filter="nothing_like_it = 1")
    engine.failure("ann", "SELECT * FROM lake.db.t")
    (log,) = [path for path in files(engine.warehouse.parent) if path.suffix == ".log"]
    text = log.read_text(encoding="utf-8")
    assert "sqe.spark.guard.PolicyText: the policy on lake.db.t cannot be applied" in text
    assert "nothing_like_it" in text
