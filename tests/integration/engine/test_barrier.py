"""The barrier in Spark's optimizer: predicates that pass below it, and other changes to plans."""

from __future__ import annotations

import re

import pytest
from tests.support.guard_test_bed import Answer, GuardTestBed

pytestmark = pytest.mark.engine

# Nothing that Iceberg could be given, so the row filter stays in the plan.
POLICY = "dept RLIKE '^e'"
GUARDED = {"lake.db.t": {"filter": POLICY}}
FILES = 5
PER_FILE = 10

MERGE_INTO = "MERGE INTO lake.db.target g USING "
UPSERT = (
    " WHEN MATCHED THEN UPDATE SET v = s.name WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, 'added')"
)
REPLACE = " WHEN MATCHED THEN DELETE WHEN NOT MATCHED AND s.id = 6 THEN INSERT (id, v) VALUES (s.id, s.name)"


@pytest.fixture(scope="module")
def bed(empty_bed: GuardTestBed) -> GuardTestBed:
    empty_bed.done(
        "CREATE TABLE lake.db.t (id INT, name STRING, dept STRING, pay DECIMAL(9, 2), big BIGINT, ok BOOLEAN,"
        " d DATE, ts TIMESTAMP, x DOUBLE, raw BINARY, tags ARRAY<STRING>, s STRUCT<a: INT, b: STRING>)"
        " USING iceberg TBLPROPERTIES ('write.distribution-mode' = 'none')",
        *[
            "INSERT INTO lake.db.t SELECT /*+ COALESCE(1) */ CAST(id AS INT), concat('n', id), dept,"
            " CAST(id AS DECIMAL(9, 2)), id, id % 2 = 0, date_add(DATE '2020-01-01', CAST(id AS INT)),"
            " timestamp_seconds(id), CAST(id AS DOUBLE), CAST(CAST(id AS STRING) AS BINARY),"
            " array(CAST(id AS STRING)), named_struct('a', CAST(id AS INT), 'b', CAST(id AS STRING))"
            f" FROM (SELECT id, IF(id % 2 = 0, 'eng', 'hr') dept FROM range({first}, {first + PER_FILE}))"
            for first in range(0, FILES * PER_FILE, PER_FILE)
        ],
        "CREATE TABLE lake.db.parted (id INT, dept STRING, region STRING) USING iceberg PARTITIONED BY (region)",
        "INSERT INTO lake.db.parted SELECT CAST(id AS INT), IF(id % 2 = 0, 'eng', 'hr'), concat('r', id % 5)"
        " FROM range(50)",
        "CREATE TABLE lake.db.regions (region STRING, name STRING) USING iceberg",
        "INSERT INTO lake.db.regions VALUES ('r1', 'north'), ('r2', 'south')",
        "CREATE TABLE lake.db.other (k INT, v STRING) USING iceberg",
        "INSERT INTO lake.db.other VALUES (1, 'a'), (2, 'b'), (4, 'c'), (100, 'd')",
    )
    return empty_bed


def above(answer: Answer) -> str:
    """The part of the optimized plan that stands above the barrier."""
    head, barrier, _ = answer.logical.partition("Barrier")
    assert barrier, answer.logical
    return head


def files_read(answer: Answer) -> int:
    return sum(int(scan["resultDataFiles"]) for scan in answer.scans)


@pytest.mark.parametrize(
    "predicate",
    [
        "id = 12",
        "12 = id",
        "id <=> 12",
        "id IN (12, 14)",
        "id IN (11, 12, 13, 14, 15, 16, 17, 18, 19, 11, 12, 13)",
        "id BETWEEN 12 AND 14",
        "id = 12 OR id = 14",
        "NOT (id <> 12 OR id IS NULL)",
        "id > 11 AND id < 13",
        "id = CAST('12' AS INT)",
        "big = 12",
        "id = 12L",
        "CAST(id AS BIGINT) = big AND id = 12",
        "id = s.a AND s.a = 12",
        "s.a = 12",
        "pay = 12",
        "x = 12",
        "name = 'n12'",
        "name LIKE 'n12%'",
        "name LIKE '%12'",
        "name LIKE '%12%'",
        "d = DATE '2020-01-13'",
        "ts = timestamp_seconds(12)",
        "ok AND id = 12",
        "raw = CAST('12' AS BINARY)",
        "id = 12 AND name IS NOT NULL AND tags IS NOT NULL",
    ],
)
def test_what_cannot_fail_goes_below(bed: GuardTestBed, predicate: str) -> None:
    asked = f"SELECT id FROM lake.db.t WHERE {predicate}"
    answer = bed.run(asked, GUARDED, show=True)
    assert "Filter" not in above(answer)
    assert answer.sorted == bed.run(f"{asked} AND {POLICY}").sorted
    assert answer.sorted, "a predicate that nothing passes shows nothing"


@pytest.mark.parametrize(
    "predicate",
    [
        "1 / (id - 13) < 5",
        "CAST(substr(name, 2) AS INT) = 12",
        "CAST(id AS SMALLINT) = 12",
        "id + 1 = 13",
        "-id = -12",
        "upper(name) = 'N12'",
        "substr(name, 1) = 'n12'",
        "name RLIKE '12'",
        "name LIKE concat('n', id)",
        "id = 12 OR 1 / (id - 13) < 5",
        "NOT (1 / (id - 13) < 5)",
        "tags[0] = '12'",
        "s = named_struct('a', 12, 'b', '12')",
        "id IN (SELECT k FROM lake.db.other)",
        "id = (SELECT max(k) FROM lake.db.other WHERE k < 100)",
        "CAST(d AS TIMESTAMP) > ts",
        "rand() < 0.9",
        "CASE WHEN id = 12 THEN true ELSE raise_error('x') END",
        "coalesce(name, raise_error('x')) = 'n12'",
        "hash(id) = 12",
    ],
)
def test_everything_else_stays_above(bed: GuardTestBed, predicate: str) -> None:
    answer = bed.run(f"SELECT id, name FROM lake.db.t WHERE {predicate}", GUARDED, show=True)
    if answer.condition is None:
        assert "Filter" in above(answer) or "Join" in above(answer)
        below = re.sub(r"#\d+", "", answer.logical.partition("Barrier")[2])  # without the numbers of columns
        assert not re.search(r"\b1[123]\b|Subquery|Join", below), below
    else:
        assert "raise_error" in predicate
        assert answer.condition == "USER_RAISED_EXCEPTION"


@pytest.mark.parametrize(
    "asked",
    [
        "SELECT id FROM lake.db.t WHERE id = 22",
        "SELECT a FROM (SELECT id AS a, upper(name) AS b FROM (SELECT * FROM lake.db.t)) WHERE a = 22",
        "WITH c AS (SELECT id AS a FROM lake.db.t) SELECT x.a FROM c x JOIN c y ON x.a = y.a WHERE x.a = 22",
        "SELECT t.id FROM lake.db.t JOIN lake.db.other o ON t.id = o.k + 20 WHERE o.k = 2 AND t.id = 22",
        "SELECT id FROM (SELECT id FROM lake.db.t UNION ALL SELECT 1 FROM range(0)) WHERE id = 22",
        "SELECT id FROM lake.db.t WHERE id = 22 AND 1 / (id - 23) < 5",
        "SELECT 22 WHERE EXISTS (SELECT 1 FROM lake.db.t WHERE id = 22)",
        "SELECT max(id) FROM lake.db.t WHERE id = 22",
        "SELECT id FROM (SELECT id, count(*) n FROM lake.db.t GROUP BY id) WHERE id = 22",
    ],
)
def test_files_are_still_skipped(bed: GuardTestBed, asked: str) -> None:
    answer = bed.run(asked, GUARDED, show=True)
    assert answer.rows == [["22"]]
    of_table = [scan for scan in answer.scans if "table=lake.db.t," in scan["scan"]]
    assert of_table
    assert {scan["resultDataFiles"] for scan in of_table} == {1}
    assert {scan["skippedDataFiles"] + scan["skippedDataManifests"] for scan in of_table} == {FILES - 1}


def test_files_are_not_skipped_for_what_stays_above(bed: GuardTestBed) -> None:
    answer = bed.run("SELECT id FROM lake.db.t WHERE id + 1 = 23", GUARDED, show=True)
    assert answer.rows == [["22"]]
    assert files_read(answer) == FILES


def test_results_do_not_depend_on_the_rule_that_pushes(bed: GuardTestBed) -> None:
    without = {"spark.sql.optimizer.excludedRules": "sqe.spark.guard.SafePush"}
    answer = bed.run("SELECT id FROM lake.db.t WHERE id = 22", GUARDED, settings=without, show=True)
    assert answer.rows == [["22"]]
    assert files_read(answer) == FILES
    assert "Filter" in above(answer)


def test_only_the_columns_that_are_needed_are_read(bed: GuardTestBed) -> None:
    answer = bed.run("SELECT id FROM lake.db.t WHERE upper(name) = 'N12'", GUARDED, show=True)
    (relation,) = [line for line in answer.logical.splitlines() if "RelationV2" in line]
    assert [column.split("#")[0] for column in relation.split("[")[1].split("]")[0].split(", ")] == [
        "id",
        "name",
        "dept",
    ]


def test_it_is_not_there_when_the_query_runs(bed: GuardTestBed) -> None:
    for adaptive in ("true", "false"):
        answer = bed.run(
            "SELECT name, count(*) FROM lake.db.t GROUP BY name",
            GUARDED,
            show=True,
            settings={"spark.sql.adaptive.enabled": adaptive},
        )
        assert "Barrier" in answer.logical
        assert "Barrier" not in answer.physical
        assert "WholeStageCodegen" in answer.code


@pytest.mark.parametrize("policy", [POLICY, "dept = 'eng'", "region = 'r1'", "region IN ('r1', 'r2')"])
@pytest.mark.parametrize("what", ["count(*)", "min(id)", "max(id)", "count(id)"])
def test_aggregates_are_not_answered_from_metadata(bed: GuardTestBed, policy: str, what: str) -> None:
    asked = f"SELECT {what} FROM lake.db.parted"
    guarded = bed.run(asked, {"lake.db.parted": {"filter": policy}}, show=True)
    # The same values in a subquery that reads rows.
    assert (
        guarded.rows
        == bed.run(f"SELECT {what} FROM (SELECT DISTINCT * FROM lake.db.parted) WHERE {policy}").rows
    )
    assert guarded.scans
    assert not bed.run(asked, show=True).scans, "Iceberg answers it from metadata where there is no policy"


def test_a_limit_is_counted_above_the_filter(bed: GuardTestBed) -> None:
    answer = bed.run("SELECT id FROM lake.db.t LIMIT 25", GUARDED)
    assert len(answer.sorted) == 25
    assert len(bed.run("SELECT id FROM lake.db.t LIMIT 26", GUARDED).sorted) == 25


def test_small_tables_are_still_broadcast(bed: GuardTestBed) -> None:
    asked = "SELECT /*+ MERGE(o) */ o.v FROM lake.db.other o JOIN lake.db.t ON t.id = o.k"
    unguided = "SELECT o.v FROM lake.db.other o JOIN lake.db.t ON t.id = o.k"
    static = {"spark.sql.adaptive.enabled": "false"}
    assert "SortMergeJoin" in bed.run(asked, GUARDED, show=True, settings=static).physical
    answer = bed.run(unguided, GUARDED, show=True, settings=static)
    assert "BroadcastHashJoin" in answer.physical
    assert answer.sorted == [["b"], ["c"]]


def test_runtime_filters_stay_above(bed: GuardTestBed) -> None:
    settings = {
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.optimizer.runtime.bloomFilter.enabled": "true",
        "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "0",
        "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly": "false",
        "spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio": "100",
        "spark.sql.optimizer.dynamicPartitionPruning.useStats": "false",
    }
    asked = "SELECT p.id FROM lake.db.parted p JOIN lake.db.regions r ON p.region = r.region WHERE r.name LIKE '%or%'"
    free = bed.run(asked, show=True, settings=settings)
    assert "dynamicpruning" in free.logical or "might_contain" in free.logical
    answer = bed.run(asked, {"lake.db.parted": {"filter": POLICY}}, show=True, settings=settings)
    for word in ("dynamicpruning", "might_contain"):
        assert word not in answer.logical.partition("Barrier")[2]
    assert answer.sorted == bed.run(f"{asked} AND p.dept RLIKE '^e'").sorted


def test_different_policies_never_share_what_was_computed(bed: GuardTestBed) -> None:
    other = {"lake.db.t": {"filter": "dept RLIKE '^h'"}}
    asked = "SELECT count(*), min(id) FROM lake.db.t"
    bed.run("CREATE TEMPORARY VIEW mine AS SELECT id, dept FROM lake.db.t")
    try:
        assert bed.run("CACHE TABLE mine", GUARDED).rows is not None
        assert bed.run("SELECT count(*), min(id) FROM mine", other).rows == [["25", "1"]]
        assert bed.run("SELECT count(*), min(id) FROM mine", GUARDED).rows == [["25", "0"]]
        assert bed.run(asked, other).rows == [["25", "1"]]
        assert bed.run(asked).rows == [["50", "0"]]
    finally:
        bed.done("UNCACHE TABLE mine", "DROP VIEW mine")


def test_equal_parts_of_a_plan_are_still_computed_once(bed: GuardTestBed) -> None:
    answer = bed.run(
        "SELECT a.id FROM (SELECT id, count(*) n FROM lake.db.t GROUP BY id) a"
        " JOIN (SELECT id, count(*) n FROM lake.db.t GROUP BY id) b ON a.n = b.n AND a.id = b.id",
        GUARDED,
        show=True,
        settings={"spark.sql.adaptive.enabled": "false", "spark.sql.autoBroadcastJoinThreshold": "-1"},
    )
    assert "ReusedExchange" in answer.physical
    assert len(answer.sorted) == 25


def test_metadata_columns_are_not_to_be_had_through_it(bed: GuardTestBed) -> None:
    assert len(bed.run("SELECT _file FROM lake.db.t").sorted) == 50
    nested = "SELECT _file FROM (SELECT * FROM lake.db.t)"
    assert bed.run(nested, GUARDED).condition == "UNRESOLVED_COLUMN.WITH_SUGGESTION"


def test_predicates_on_a_masked_column_see_the_mask(bed: GuardTestBed) -> None:
    masked = {
        "lake.db.t": {"filter": POLICY, "masks": {"name": "concat('x', right(name, 1))", "big": "NULL"}}
    }
    assert bed.run("SELECT id FROM lake.db.t WHERE name = 'n12'", masked).rows == []
    answer = bed.run("SELECT id, name, big FROM lake.db.t WHERE name = 'x2' AND id < 20", masked, show=True)
    assert answer.sorted == [["12", "x2", None], ["2", "x2", None]]
    assert "Filter" in above(answer)
    assert files_read(answer) == 2
    assert bed.run("SELECT id FROM lake.db.t WHERE big = 12", masked).rows == []


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_it_serves_every_kind_of_write(bed: GuardTestBed, mode: str) -> None:
    bed.done(
        "CREATE TABLE lake.db.target (id INT, v STRING) USING iceberg TBLPROPERTIES ("
        + ", ".join(f"'write.{kind}.mode' = '{mode}'" for kind in ("delete", "update", "merge"))
        + ", 'format-version' = '2')"
    )
    content = "SELECT id, v FROM lake.db.target"
    steps = [
        (
            "INSERT INTO lake.db.target SELECT id, name FROM lake.db.t WHERE CAST(substr(name, 2) AS INT) < 6",
            "0n0 2n2 4n4",
        ),
        ("INSERT INTO lake.db.target VALUES (1, 'one'), (3, 'three')", "0n0 1one 2n2 3three 4n4"),
        (
            "DELETE FROM lake.db.target WHERE id IN (SELECT id FROM lake.db.t WHERE 1 / (id - 3) < 9 AND id < 3)",
            "1one 3three 4n4",
        ),
        (
            "DELETE FROM lake.db.target AS g WHERE EXISTS (SELECT 1 FROM lake.db.t WHERE t.id = g.id AND g.id > 2)",
            "1one 3three",
        ),
        ("UPDATE lake.db.target SET v = 'new' WHERE id IN (SELECT id - 1 FROM lake.db.t)", "1new 3new"),
        (
            "UPDATE lake.db.target SET v = (SELECT max(name) FROM lake.db.t WHERE id < 3) WHERE id = 3",
            "1new 3n2",
        ),
        (
            MERGE_INTO + "(SELECT * FROM lake.db.t WHERE id < 5) s ON g.id = s.id + 1" + UPSERT,
            "1n0 3n2 4added",
        ),
        (MERGE_INTO + "lake.db.t s ON g.id = s.id AND s.id < 5" + REPLACE, "1n0 3n2 6n6"),
        ("INSERT OVERWRITE lake.db.target SELECT id, name FROM lake.db.t WHERE id < 3", "0n0 2n2"),
        (
            "CREATE OR REPLACE TABLE lake.db.target USING iceberg AS SELECT id, name v FROM lake.db.t LIMIT 0",
            "",
        ),
    ]
    try:
        for statement, expected in steps:
            answer = bed.run(statement, GUARDED)
            assert answer.rows is not None, (statement, answer)
            found = " ".join("".join(map(str, row)) for row in bed.run(content).sorted)
            assert found == expected, statement
    finally:
        bed.done("DROP TABLE lake.db.target")
