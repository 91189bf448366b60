"""SQL on the embedded engine, through the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from testing.command import Sqe

from sqe.engine.settings import PINNED

pytestmark = pytest.mark.engine


def test_a_value_as_csv(sqe: Sqe) -> None:
    done = sqe.run("-e", "SELECT 1 AS x", "--format", "csv")
    assert (done.code, done.out) == (0, "x\n1\n"), done.err


def test_bad_sql_fails_with_a_caret_and_a_code(sqe: Sqe) -> None:
    done = sqe.sql("SELECT 1 +\n  FROM t WHERE")
    assert done.code == 1
    assert "SYNTAX_ERROR" in done.err
    assert "42601" in done.err
    caret = next(line for line in done.err.splitlines() if line.strip() == "^")
    assert caret


def test_the_place_of_an_error_is_in_the_statement_that_was_typed(sqe: Sqe) -> None:
    (sqe.directory or Path()).joinpath("x.csv").write_text("a,b\n1,2\n")
    done = sqe.sql("SELECT a,\n       nope\nFROM 'x.csv'")
    assert done.code == 1
    lines = done.err.splitlines()
    caret = next(number for number, line in enumerate(lines) if line.strip() == "^")
    assert lines[caret - 1][lines[caret].index("^") :].startswith("nope")


def test_tables_views_dml_and_merge(sqe: Sqe) -> None:
    done = sqe.sql(
        "CREATE TABLE t (id BIGINT, name STRING) USING iceberg",
        "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')",
        "UPDATE t SET name = 'TWO' WHERE id = 2",
        "DELETE FROM t WHERE id = 3",
        "MERGE INTO t USING (SELECT 1 AS id, 'uno' AS name UNION ALL SELECT 4, 'four') s ON t.id = s.id "
        "WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT *",
        "CREATE VIEW v AS SELECT upper(name) AS name FROM t",
        "SELECT * FROM v ORDER BY name",
    )
    assert done.rows() == [["FOUR"], ["TWO"], ["UNO"]]


def test_a_limit_counts_the_rows_of_one_outer_row(sqe: Sqe) -> None:
    """Spark 4.1 lets it count the rows of all, where the types of the columns that are compared are not the same."""
    done = sqe.sql(
        "CREATE TABLE narrow AS SELECT * FROM VALUES (1), (2), (3) t(a)",
        "CREATE TABLE wide AS SELECT * FROM VALUES (1L), (2L), (3L) t(b)",
        "SELECT b, (SELECT a FROM narrow WHERE a = b LIMIT 1), (SELECT a FROM narrow WHERE a = b - 1 LIMIT 1) "
        "FROM wide WHERE EXISTS (SELECT 1 FROM narrow WHERE a = b LIMIT 1) ORDER BY b",
    )
    assert done.rows() == [["1", "1", ""], ["2", "2", "1"], ["3", "3", "2"]]


def test_constants_and_the_order_of_few_rows_need_no_job(sqe: Sqe) -> None:
    values = "FROM VALUES (2, 'b'), (NULL, 'c'), (1, 'a'), (2, 'a') AS t(x, y)"
    order = "ORDER BY x DESC NULLS FIRST, y"
    plans = [
        sqe.sql(f"EXPLAIN {query}").out
        for query in ("SELECT 1 + 1, 'x'", f"SELECT y {values} {order}", f"SELECT y {values} {order} LIMIT 2")
    ]
    assert all("LocalTableScan" in plan and "Exchange" not in plan for plan in plans), plans
    assert sqe.sql("SELECT 1 + 1, CAST(NULL AS INT), array(1, 2)[1]").rows() == [["2", "", "2"]]
    done = sqe.sql(f"SELECT x, y {values} {order}")
    assert done.rows() == [["", "c"], ["2", "a"], ["2", "b"], ["1", "a"]]
    # A key that is computed, and more rows than are sorted in the plan.
    done = sqe.sql(f"SELECT x, y {values} ORDER BY upper(y), -x")
    assert done.rows() == [["2", "a"], ["1", "a"], ["2", "b"], ["", "c"]]
    done = sqe.sql(f"SELECT x {values}, (SELECT explode(sequence(1, 1000)) AS n) {order} LIMIT 1 OFFSET 1000")
    assert done.rows() == [["2"]]


def test_time_travel_and_metadata_tables(sqe: Sqe) -> None:
    sqe.sql("CREATE TABLE t AS SELECT 1 AS id", "INSERT INTO t VALUES (2)")
    first = sqe.sql("SELECT snapshot_id FROM default.t.snapshots ORDER BY committed_at LIMIT 1").rows()[0][0]
    assert sqe.sql(f"SELECT count(*) FROM t VERSION AS OF {first}").rows() == [["1"]]
    assert sqe.sql("SELECT count(*) FROM t").rows() == [["2"]]
    assert sqe.sql("SELECT count(*) FROM default.t.files").rows() == [["2"]]


def test_ctas_runs_once(sqe: Sqe) -> None:
    sqe.sql("CREATE TABLE t AS SELECT 1 AS id", "INSERT INTO t SELECT id FROM t")
    assert sqe.sql("SELECT count(*) FROM default.t.snapshots").rows() == [["2"]]
    assert sqe.sql("SELECT count(*) FROM t").rows() == [["2"]]


def test_a_constant_that_fails_fails_only_where_its_branch_is_taken(sqe: Sqe) -> None:
    """By itself Spark never ends with such a predicate on a table of Iceberg's."""
    sqe.sql("CREATE TABLE branches AS SELECT * FROM VALUES (1), (2) AS t(b)")
    asked = "SELECT b FROM branches WHERE CAST(if(b = 0, 'x', '1') AS INT) = 1 ORDER BY b"
    assert sqe.sql(asked).rows() == [["1"], ["2"]]
    assert sqe.sql("INSERT INTO branches VALUES (0)", asked).err.startswith("error: INVALID_CAST")


def test_catalogs_are_joined_in_one_query(sqe: Sqe, tmp_path: Path) -> None:
    other = ["--catalog", f"other={tmp_path / 'other'}"]
    done = sqe.run(
        *other,
        *sqe.arguments(
            "CREATE TABLE t AS SELECT 1 AS id, 'left' AS side",
            "CREATE TABLE other.default.t AS SELECT 1 AS id, 'right' AS side",
            "SELECT a.side, b.side FROM t a JOIN other.default.t b ON a.id = b.id",
        ),
    )
    assert done.rows() == [["left", "right"]]
    assert (tmp_path / "other" / "catalog.db").exists()


def test_a_memory_warehouse_ends_with_its_session(sqe: Sqe) -> None:
    again = ("--memory", "--format", "csv", "-e", "CREATE TABLE t AS SELECT 1 AS id", "-e", "SELECT * FROM t")
    for _ in range(2):
        assert sqe.run(*again).out.split() == ["id", "1"]


def test_two_warehouses_do_not_mix(sqe: Sqe, tmp_path: Path) -> None:
    sqe.sql("CREATE TABLE t AS SELECT 1 AS id")
    done = Sqe(sqe.environment, tmp_path / "second").sql("SELECT * FROM t")
    assert done.code == 1
    assert "TABLE_NOT_FOUND" in done.err


def test_files_as_tables(sqe: Sqe, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id;name\n1;Ann\n2;Bob\n")
    (tmp_path / "a.csv").write_text("id,n\n1,10\n")
    (tmp_path / "b.csv").write_text("id,n\n2,20\n")
    (tmp_path / "events.jsonl").write_text("\n".join(json.dumps({"id": n, "tag": f"t{n}"}) for n in range(3)))
    (tmp_path / "list.json").write_text(json.dumps([{"id": 7}, {"id": 8}]))
    assert sqe.sql("SELECT sum(n) FROM '[ab].csv'").rows() == [["30"]]
    assert sqe.sql("SELECT name FROM read_csv('people.csv', delimiter => ';') WHERE id = 2").rows() == [
        ["Bob"]
    ]
    assert sqe.sql("SELECT count(*), max(tag) FROM 'events.jsonl'").rows() == [["3", "t2"]]
    assert sqe.sql("SELECT sum(id) FROM read_json('list.json', format => 'array')").rows() == [["15"]]
    joined = sqe.sql(
        f"SELECT p.name, a.n FROM read_csv('people.csv', sep => ';') p JOIN '{tmp_path}/a.csv' a ON p.id = a.id"
    )
    assert joined.rows() == [["Ann", "10"]]


def test_a_file_that_is_not_there(sqe: Sqe) -> None:
    done = sqe.sql("SELECT * FROM 'nothing.parquet'")
    assert done.code == 1
    assert "FILE_ERROR" in done.err
    assert "nothing.parquet" in done.err


def test_spark_path_tables_are_refused(sqe: Sqe, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id\n1\n")
    done = sqe.sql(f"SELECT * FROM csv.`{tmp_path}/a.csv`")
    assert done.code == 1


def test_every_pinned_setting_of_sql_holds_in_a_session(sqe: Sqe) -> None:
    pinned = {pin.key: pin.value for pin in PINNED if pin.key.startswith("spark.sql.")}
    done = sqe.sql(*(f"SET {key}" for key in pinned))
    assert done.code == 0, done.err
    rows = [line.split(",", 1) for line in done.out.splitlines() if line.startswith("spark.")]
    assert {key: value.strip('"') for key, value in rows} == pinned


def test_variables_are_not_substituted(sqe: Sqe) -> None:
    assert sqe.sql("SELECT '${env:HOME}' AS x").rows() == [["${env:HOME}"]]


def test_a_script_on_standard_input_goes_on_after_an_error_unless_told(sqe: Sqe) -> None:
    script = "SELECT 1 AS a;\nSELECT nope;\nSELECT 2 AS b;\n"
    place = sqe.arguments()
    goes_on = sqe.run(*place, stdin=script)
    assert (goes_on.code, goes_on.out.split()) == (1, ["a", "1", "b", "2"])
    stops = sqe.run(*place, "--stop-on-error", stdin=script)
    assert (stops.code, stops.out.split()) == (1, ["a", "1"])


def test_a_result_is_copied_to_a_file(sqe: Sqe) -> None:
    directory = sqe.directory or Path()
    copy = "COPY (SELECT id, CAST(id AS DECIMAL(6, 2)) AS d, array(id) AS a FROM range(5000)) TO"
    done = sqe.sql(
        f"{copy} 'a.parquet'",
        f"{copy} 'a.json'",
        "CREATE TABLE t AS SELECT * FROM 'a.parquet' WHERE id < 2",
        "COPY t (id, d) TO 'a.csv'",
        "SELECT (SELECT count(*) FROM 'a.parquet' p JOIN 'a.json' j ON p.id = j.id AND p.a = j.a), "
        "(SELECT count(*) FROM 'a.csv')",
    )
    assert done.rows() == [["5000", "2"]]
    assert (directory / "a.csv").read_text() == "id,d\n0,0.00\n1,1.00\n"
    done = sqe.sql(
        "COPY t TO 'a.csv'", "COPY (SELECT raise_error('x')) TO 'b.csv'", "COPY (SELECT 1,\n nope) TO 'c.csv'"
    )
    assert done.err.count("error: ") == 3
    assert "FILE_ERROR" in done.err
    assert "LINE 2:  nope" in done.err
    assert sorted(each.name for each in directory.glob("*.*")) == ["a.csv", "a.json", "a.parquet"]
