"""Rows that a policy hides make no query fail and show in no result, whatever is asked of them and wherever."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

import pytest
from tests.support.guard_test_bed import GuardTestBed
from tests.support.leaks import (
    CAST,
    COLUMNS,
    DIVISION,
    EXPRESSIONS,
    HIDDEN,
    NAMES,
    PLACES,
    POLICIES,
    ROWS,
    VISIBLE,
    query,
)

pytestmark = pytest.mark.engine

INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
# How Spark runs it and how the table is kept; each policy meets each of them in a third of the cases.
WAYS: tuple[tuple[str, dict[str, str]], ...] = (
    ("lake.db.plain", {}),
    ("lake.db.parted", INTERPRETED),
    ("lake.db.plain", {"spark.sql.adaptive.enabled": "false"}),
)
AT_LENGTH = "SQE_TEST_AT_LENGTH" in os.environ
"""Each case under every policy, and not under one of them in turn: `make leaks`."""
CASES = [
    *[(place, expression) for place in PLACES for expression in (DIVISION, CAST)],
    *itertools.product(("where", "on", "exists", "key of a cte"), EXPRESSIONS.values()),
]


@pytest.fixture(scope="module")
def bed(empty_bed: GuardTestBed) -> Iterator[GuardTestBed]:
    empty_bed.done(
        f"CREATE TABLE lake.db.plain ({COLUMNS}) USING iceberg",
        f"INSERT INTO lake.db.plain VALUES {ROWS}",
        "CREATE TABLE lake.db.parted USING iceberg PARTITIONED BY (dept) AS SELECT * FROM lake.db.plain",
        # Of constants, as this is only to know the answers: no files are read.
        f"CREATE TEMPORARY VIEW visible AS SELECT * FROM VALUES {ROWS} AS t({NAMES}) WHERE {VISIBLE}",
        "CREATE TABLE lake.db.allowed USING iceberg AS SELECT 'eng' AS d",
        "CREATE TABLE lake.db.other (k INT, v STRING) USING iceberg",
        "INSERT INTO lake.db.other VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (7, 'e'), (300, 'f')",
    )
    yield empty_bed
    empty_bed.done("DROP VIEW visible")


@pytest.mark.parametrize(("place", "expression"), CASES)
def test_hidden_rows_neither_fail_nor_show(bed: GuardTestBed, place: str, expression: str) -> None:
    expected = bed.run(query(place, expression, "visible"), settings=INTERPRETED).sorted
    number = CASES.index((place, expression))
    turn = number % len(WAYS)
    met = list(zip(POLICIES.values(), WAYS[turn:] + WAYS[:turn], strict=True))
    for policy, way in met if AT_LENGTH else [met[number // len(WAYS) % len(met)]]:
        table, settings = way
        answer = bed.run(query(place, expression, table), {table: {"filter": policy}}, settings=settings)
        assert answer.sorted == expected, (policy, way)
    # They would: to somebody who may see them, they do.
    seen = {"lake.db.plain": {"filter": HIDDEN}}
    failed = bed.run(query(place, expression, "lake.db.plain"), seen, settings=INTERPRETED)
    assert failed.rows is None


@pytest.mark.parametrize("policy", ["pattern", "subquery"])
@pytest.mark.parametrize("expression", [DIVISION, CAST])
def test_without_the_barrier_they_would_fail(bed: GuardTestBed, expression: str, policy: str) -> None:
    asked = query("where", expression, "lake.db.plain")
    policies = {"lake.db.plain": {"filter": POLICIES[policy]}}
    assert bed.run(asked, policies, bare=True).condition in ("DIVIDE_BY_ZERO", "CAST_INVALID_INPUT")
    assert bed.run(asked, policies).sorted == [["1"], ["2"]]


def test_sums_of_hidden_rows_do_not_overflow(bed: GuardTestBed) -> None:
    bed.done(
        "CREATE TABLE lake.db.big (id INT, dept STRING, n BIGINT) USING iceberg",
        "INSERT INTO lake.db.big VALUES (1, 'eng', 1), (2, 'hr', 9223372036854775807), (3, 'hr', 9223372036854775807)",
    )
    for policy in POLICIES.values():
        answer = bed.run("SELECT sum(n) FROM lake.db.big", {"lake.db.big": {"filter": policy}})
        assert answer.rows == [["1"]]
    assert bed.run("SELECT sum(n) FROM lake.db.big").condition == "ARITHMETIC_OVERFLOW"
