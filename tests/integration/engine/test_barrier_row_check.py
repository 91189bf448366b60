"""Rows that are inserted into a table with a row filter have to satisfy it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.guard_test_bed import GuardTestBed

pytestmark = pytest.mark.engine

REFUSED = "Cannot insert row that does not match a row filter."


@pytest.fixture(scope="module")
def bed(empty_bed: GuardTestBed) -> GuardTestBed:
    empty_bed.done(
        "CREATE TABLE lake.db.allowed USING iceberg AS SELECT 'eng' AS d",
        "CREATE TABLE lake.db.source (n BIGINT, dept STRING) USING iceberg",
        "INSERT INTO lake.db.source SELECT id, IF(id = 999, 'secret', 'eng') FROM range(1000)",
    )
    return empty_bed


@pytest.fixture
def table(bed: GuardTestBed) -> Iterator[str]:
    bed.done("CREATE TABLE lake.db.t (id INT, dept STRING) USING iceberg")
    yield "lake.db.t"
    bed.done("DROP TABLE lake.db.t")


@pytest.mark.parametrize(
    "policy", ["dept = 'eng'", "dept RLIKE '^e'", "dept IN (SELECT d FROM lake.db.allowed)"]
)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"spark.sql.adaptive.enabled": "false"},
        {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"},
    ],
)
def test_a_row_that_does_not_match_stops_the_insert(
    bed: GuardTestBed, table: str, policy: str, settings: dict[str, str]
) -> None:
    policies = {table: {"filter": policy}}
    for statement in (
        f"INSERT INTO {table} VALUES (1, 'eng'), (2, 'hr')",
        f"INSERT INTO {table} VALUES (1, NULL)",
        f"INSERT INTO {table} (id) VALUES (1)",
        f"INSERT INTO {table} (dept, id) VALUES ('hr', 1)",
        f"INSERT INTO {table} SELECT n, dept FROM lake.db.source",
        f"INSERT INTO {table} SELECT n, dept FROM lake.db.source ORDER BY n DESC LIMIT 1",
        f"INSERT INTO {table} SELECT n, dept FROM lake.db.source UNION ALL SELECT 1, 'hr'",
        f"INSERT INTO {table} SELECT count(*), dept FROM lake.db.source GROUP BY dept",
    ):
        answer = bed.run(statement, policies, settings=settings)
        assert (answer.condition, answer.error) == ("SQE_ACCESS_DENIED", REFUSED), statement
    assert bed.run(f"SELECT * FROM {table}").rows == []
    for statement in (
        f"INSERT INTO {table} VALUES (1, 'eng'), (2, 'eng')",
        f"INSERT INTO {table} (dept, id) VALUES ('eng', 3)",
        f"INSERT INTO {table} SELECT n, dept FROM lake.db.source WHERE n < 5",
        f"INSERT INTO {table} SELECT n, dept FROM lake.db.source ORDER BY n LIMIT 1",
    ):
        answer = bed.run(statement, policies, settings=settings)
        assert answer.rows is not None, answer
    assert bed.run(f"SELECT count(*) FROM {table}").rows == [["9"]]
    assert bed.run(f"SELECT count(*) FROM {table}", policies).rows == [["9"]]


def test_without_a_row_filter_nothing_is_checked(bed: GuardTestBed, table: str) -> None:
    bed.done(f"INSERT INTO {table} SELECT n, dept FROM lake.db.source")
    assert bed.run(f"SELECT count(*) FROM {table} WHERE dept = 'secret'").rows == [["1"]]
