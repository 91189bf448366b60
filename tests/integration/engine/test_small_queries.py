"""Small queries run without a job or as one task, with the answers that Spark gives otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

pytestmark = pytest.mark.engine

SET_UP = (
    "CREATE SCHEMA lake.db",
    (
        "CREATE TABLE lake.db.t AS SELECT id, id % 7 AS a, id % 1000 AS b, CAST(id AS DOUBLE) AS x,"
        " DATE '2026-01-01' + CAST(id % 100 AS INT) AS d FROM range(0, 5000, 1, 1)"
    ),
    "CREATE TABLE lake.db.s AS SELECT id, id % 3 AS k, if(id % 10 = 0, NULL, id) AS n FROM range(0, 300, 1, 1)",
    "CREATE TABLE lake.db.empty AS SELECT id, id AS a FROM range(0, 1, 1, 1) WHERE id > 5",
)


@pytest.fixture(scope="module")
def engine(guarded: GuardedEngine) -> GuardedEngine:
    for statement in SET_UP:
        guarded.run(ADMIN, statement)
    return guarded


def plan(engine: GuardedEngine, sql: str) -> str:
    return str(engine.run(ADMIN, f"EXPLAIN {sql}")[0][0])


WITHOUT_JOB: list[tuple[str, tuple[Any, ...]]] = [
    ("SELECT count(*) FROM lake.db.t", (5000,)),
    ("SELECT min(b), max(b), count(b) + 1 FROM lake.db.t", (0, 999, 5001)),
    ("SELECT count(*), max(x), sum(x), avg(x) FROM VALUES (1), (2), (3) AS v(x) WHERE x > 1", (2, 3, 5, 2.5)),
    ("SELECT count(*), max(x), sum(x) FROM VALUES (1) AS v(x) WHERE x > 1", (0, None, None)),
    ("SELECT count(x) + count(x), avg(x) * count(x) FROM VALUES (1), (3) AS v(x)", (4, 4.0)),
    (
        "SELECT round(kurtosis(x), 6), round(skewness(x), 6) FROM VALUES (1), (2), (3), (10) AS v(x)",
        (-0.7696, 1.018234),
    ),
    ("SELECT count(x), min(y) FROM VALUES (1, 'b'), (NULL, 'a') AS v(x, y)", (1, "a")),
]


@pytest.mark.parametrize(("sql", "row"), WITHOUT_JOB)
def test_an_aggregate_of_known_rows_needs_no_job(
    engine: GuardedEngine, sql: str, row: tuple[Any, ...]
) -> None:
    assert "Aggregate" not in plan(engine, sql)
    assert engine.run(ADMIN, sql) == [row]


def test_an_aggregate_of_known_rows_that_fails_fails_as_spark_does(engine: GuardedEngine) -> None:
    error = engine.failure(ADMIN, "SELECT sum(x) FROM VALUES (9223372036854775807), (1L) AS v(x)")
    assert "overflow" in error.message.lower()
    assert engine.failure(ADMIN, "SELECT max(1 / x) FROM VALUES (0), (1) AS v(x)").sqlstate == "22012"


def test_groups_and_distinct_values_are_left_to_spark(engine: GuardedEngine) -> None:
    grouped = "SELECT x, count(*) FROM VALUES (1), (1), (2) AS v(x) GROUP BY x ORDER BY x"
    assert engine.run(ADMIN, grouped) == [(1, 2), (2, 1)]
    assert engine.run(ADMIN, "SELECT count(DISTINCT x) FROM VALUES (1), (1), (2) AS v(x)") == [(2,)]
    only = "SELECT count(*) FILTER (WHERE x > 1) FROM VALUES (1), (1), (2) AS v(x)"
    assert engine.run(ADMIN, only) == [(1,)]


# Each with the same statement behind a hint that keeps its shuffles, because the hint gives the table two partitions.
ONE_TASK = [
    "SELECT a, count(*), sum(x) FROM {t} WHERE b > {n} GROUP BY a",
    "SELECT count(DISTINCT a), sum(b) FROM {t} WHERE b > {n}",
    "SELECT sum(x) FROM {t} WHERE b > 100000 + {n}",
    "SELECT a, b, rank() OVER (PARTITION BY a ORDER BY b, id) AS r FROM {t} WHERE b < {n}",
    "SELECT a, sum(b) FROM {t} WHERE d > DATE '2026-02-01' AND x < {n} * 10 GROUP BY CUBE (a)",
    "SELECT s.k, count(*), sum(t.b) FROM {t} t JOIN {s} s ON t.b = s.id WHERE t.a < {n} GROUP BY s.k",
    "SELECT s.id, count(t.id) FROM {s} s LEFT JOIN {t} t ON t.b = s.n AND t.x > {n} GROUP BY s.id",
    "SELECT t.b, s.n FROM {s} s RIGHT JOIN {t} t ON t.id = s.n WHERE t.b > {n}",
    "SELECT id FROM {s} s WHERE NOT EXISTS (SELECT 1 FROM {t} t WHERE t.id = s.n AND t.b > {n})",
    "SELECT id FROM {t} t WHERE b IN (SELECT n FROM {s} WHERE n > {n})",
    "SELECT id FROM {s} WHERE n NOT IN (SELECT b FROM {t} WHERE b > {n})",
    "SELECT count(*), sum(a) FROM lake.db.empty WHERE id > {n}",
    "SELECT a, count(*) FROM lake.db.empty WHERE id > {n} GROUP BY a",
    (
        "SELECT k, sum(c) FROM (SELECT a AS k, count(*) AS c FROM {t} WHERE b > {n} GROUP BY a"
        " UNION ALL SELECT k, count(*) FROM {s} GROUP BY k) GROUP BY k"
    ),
]


@pytest.mark.parametrize("text", ONE_TASK)
def test_a_query_of_small_tables_has_the_same_rows_in_one_task(engine: GuardedEngine, text: str) -> None:
    for number in (3, 40):
        small = text.format(t="lake.db.t", s="lake.db.s", n=number)
        shuffled = text.format(
            t="(SELECT /*+ REPARTITION(2) */ * FROM lake.db.t)",
            s="(SELECT /*+ REPARTITION(2) */ * FROM lake.db.s)",
            n=number,
        )
        assert sorted(engine.run(ADMIN, small), key=repr) == sorted(engine.run(ADMIN, shuffled), key=repr)


def test_small_tables_are_joined_and_aggregated_without_an_exchange(engine: GuardedEngine) -> None:
    for text in (ONE_TASK[0], ONE_TASK[5]):
        assert "Exchange" not in plan(engine, text.format(t="lake.db.t", s="lake.db.s", n=3))
    hinted = "SELECT a, count(*) FROM (SELECT /*+ REPARTITION(2) */ * FROM lake.db.t) GROUP BY a"
    assert "Exchange hashpartitioning" in plan(engine, hinted)


def test_an_order_holds_without_an_exchange(engine: GuardedEngine) -> None:
    rows = engine.run(ADMIN, "SELECT a, count(*) AS c FROM lake.db.t WHERE b > 17 GROUP BY a ORDER BY a DESC")
    assert [row[0] for row in rows] == [6, 5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize("number", [-1, 0, 500, 998])
def test_a_constant_of_one_statement_is_not_that_of_another(engine: GuardedEngine, number: int) -> None:
    found = engine.run(ADMIN, f"SELECT count(a), min(b) FROM lake.db.t WHERE b > {number} AND a >= 0")
    assert found == [(5 * (999 - max(number, -1)), number + 1)]
    days = engine.run(
        ADMIN, f"SELECT count(a) FROM lake.db.t WHERE x <= {number}.5D AND d >= DATE '2026-01-01'"
    )
    assert days == [(max(number, -1) + 1,)]


@pytest.mark.parametrize(
    "small",
    [
        "lake.db.s",
        "(SELECT id, count(*) AS c FROM lake.db.s GROUP BY id)",
        "(SELECT id, row_number() OVER (PARTITION BY id ORDER BY k) AS c FROM lake.db.s)",
    ],
)
def test_a_join_of_a_small_table_with_more_partitions_keeps_its_shuffles(
    engine: GuardedEngine, small: str
) -> None:
    joined = f"FROM {small} s JOIN range(0, 300, 1, 3) r ON s.id = r.id"
    assert engine.run(ADMIN, f"SELECT /*+ MERGE(s) */ count(*) {joined}") == [(300,)]
    assert engine.run(ADMIN, f"SELECT /*+ SHUFFLE_HASH(s) */ count(*) {joined}") == [(300,)]
