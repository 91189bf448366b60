"""Translated Trino SQL on Spark: it parses, and Spark's analyzer knows its functions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from testing.command import Sqe
from testing.server import RunningServer, running_server
from tests.parity.client import Answer, run_all
from tests.support.sql_pairs import read_pairs
from tests.support.writers import CONFLICT, write_at_once

from sqe.sql.trino.rules.analyzer_functions import REGISTERED

pytestmark = pytest.mark.engine

UNIT = Path(__file__).parent.parent / "unit/sql/trino"
FIXTURES = sorted([*(UNIT / "rules/fixtures").glob("*.sql"), *(UNIT / "statements/fixtures").glob("*.sql")])


QUERIES = ("SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE", "TABLE")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        running.wait_until_ready()
        yield running


def test_spark_parses_every_translation(server: RunningServer) -> None:
    pairs = [pair for path in FIXTURES for pair in read_pairs(path)]
    # EXPLAIN runs nothing. What is no query, and Iceberg's own statements, cannot stand behind it.
    texts = [f"EXPLAIN {pair.sent}" for pair in pairs if pair.sent.startswith(QUERIES)]
    failed = [
        f"{text}: {answer.message}"
        for text, answer in zip(texts, run_all(server.trino, texts), strict=True)
        if answer.error == "SYNTAX_ERROR"
    ]
    assert not failed, failed
    assert len(texts) > 100


def test_the_analyzer_has_the_functions_that_the_translation_calls(sqe: Sqe, tmp_path: Path) -> None:
    names = sorted(REGISTERED)
    path = tmp_path / "functions.sql"
    path.write_text("".join(f"DESCRIBE FUNCTION {name};\n" for name in [*names, "trino_nothing"]))
    done = sqe.run("--memory", "--format", "jsonl", "-f", str(path))
    assert done.err.count("error: ") == 1, done.err  # the last one, which shows that they are told


def test_users_cannot_call_the_functions_of_the_translation(server: RunningServer, sqe: Sqe) -> None:
    for call in ("trino_eq(1, 1)", "`trino_eq`(1, 1)", "system.builtin.TRINO_EQ /* */ (1, 1)"):
        done = sqe.run("--memory", "-e", f"SELECT {call}")
        assert "FUNCTION_NOT_FOUND" in done.err, done.err
    answers = run_all(server.trino, ["SELECT trino_eq(1, 1)", 'SELECT "trino_eq"(1, 1)'])
    assert [answer.error for answer in answers] == ["FUNCTION_NOT_FOUND"] * 2


def test_conditions_reach_the_scan(server: RunningServer) -> None:
    created, plan = run_all(
        server.trino,
        [
            "CREATE TABLE iceberg.default.pushed (a integer, c date)",
            "EXPLAIN SELECT a FROM iceberg.default.pushed WHERE a = 7 AND c >= DATE '2020-01-01'",
        ],
        threads=1,
    )
    assert created.error is None, created.message
    text = str(plan.rows)
    filters = text.partition("filters=")[2].partition("]")[0]
    assert all(wanted in filters for wanted in ("a = 7", "c >= ")), text


def in_order(server: RunningServer, *statements: str) -> list[Answer]:
    answers = run_all(server.trino, statements, threads=1)
    for statement, answer in zip(statements, answers, strict=True):
        assert answer.error is None, f"{statement}: {answer.message}"
    return answers


def refused(server: RunningServer, statement: str) -> Answer:
    (answer,) = run_all(server.trino, [statement])
    assert answer.error is not None, statement
    return answer


def test_a_row_change_with_a_second_table(server: RunningServer) -> None:
    *_, updated, deleted, left = in_order(
        server,
        "CREATE TABLE iceberg.default.changed AS SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c')) AS t(id, name)",
        "UPDATE iceberg.default.changed SET name = upper(s.n)"
        " FROM (VALUES (1, 'x'), (9, 'y')) AS s(i, n) WHERE changed.id = s.i",
        # A row of the target that matches twice is deleted once, and counted once.
        "DELETE FROM iceberg.default.changed AS t USING (VALUES 3, 3) AS s(i) WHERE t.id = s.i",
        "SELECT * FROM iceberg.default.changed ORDER BY id",
    )
    assert (updated.rows, deleted.rows) == (((1,),), ((1,),))
    assert left.rows == ((1, "X"), (2, "b"))
    # A name that both have is no match of itself.
    twice = "DELETE FROM iceberg.default.changed t USING iceberg.default.changed s WHERE id = 1"
    assert "ambiguous" in refused(server, twice).message.lower()


def test_what_need_not_be_there(server: RunningServer) -> None:
    table = "iceberg.default.there"
    *_, columns = in_order(
        server,
        f"CREATE TABLE {table} (id integer)",
        "ALTER TABLE IF EXISTS iceberg.default.nothing ADD COLUMN x integer",
        "ALTER TABLE IF EXISTS iceberg.default.nothing RENAME TO iceberg.default.other",
        f"ALTER TABLE IF EXISTS {table} ADD COLUMN name varchar",
        f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS name bigint",
        f"ALTER TABLE {table} RENAME COLUMN IF EXISTS nothing TO x",
        f"ALTER TABLE {table} RENAME COLUMN IF EXISTS name TO label",
        f"DESCRIBE {table}",
    )
    assert [row[:2] for row in columns.rows] == [("id", "integer"), ("label", "varchar")]
    assert (
        refused(server, "ALTER TABLE iceberg.default.nothing ADD COLUMN x integer").error == "TABLE_NOT_FOUND"
    )
    assert refused(server, f"ALTER TABLE {table} ADD COLUMN label varchar").error == "ALREADY_EXISTS"


def test_maintenance_in_the_words_of_trino(server: RunningServer) -> None:
    table = "iceberg.default.maintained"
    in_order(server, f"CREATE TABLE {table} (id integer, name varchar)")
    in_order(server, *[f"INSERT INTO {table} VALUES ({number}, 'it''s')" for number in range(3)])
    files = 'SELECT count(*) FROM "iceberg"."default"."maintained$files"'
    (before,) = in_order(server, files)
    assert before.rows == ((3,),)
    *_, after, rows = in_order(
        server,
        f"ALTER TABLE {table} EXECUTE optimize(file_size_threshold => '10MB') WHERE id < 0",
        f"ALTER TABLE {table} EXECUTE optimize WHERE name = 'it''s'",
        f"ALTER TABLE {table} EXECUTE optimize_manifests",
        f"ALTER TABLE {table} EXECUTE expire_snapshots(retention_threshold => '7d')",
        files,
        f"SELECT sum(id) FROM {table}",
    )
    assert (after.rows, rows.rows) == (((1,),), ((3,),))
    young = refused(server, f"ALTER TABLE {table} EXECUTE expire_snapshots(retention_threshold => '6d')")
    assert "shorter than the minimum retention" in young.message


def test_a_schema_is_dropped_with_what_is_in_it(server: RunningServer) -> None:
    in_order(
        server,
        "CREATE SCHEMA iceberg.full",
        "CREATE TABLE iceberg.full.t AS SELECT 1 AS a",
        "CREATE VIEW iceberg.full.v AS SELECT a FROM iceberg.full.t",
        'CREATE SCHEMA iceberg."full.deep"',
        'CREATE TABLE iceberg."full.deep".t AS SELECT 1 AS a',
        "CREATE SCHEMA iceberg.fuller",  # which only begins alike
        "CREATE TABLE iceberg.fuller.t AS SELECT 1 AS a",
    )
    refused(server, "DROP SCHEMA iceberg.full")
    *_, schemas, kept = in_order(
        server,
        "DROP SCHEMA iceberg.full CASCADE",
        "DROP SCHEMA IF EXISTS iceberg.full CASCADE",
        "SHOW SCHEMAS FROM iceberg LIKE 'full%'",
        "SELECT a FROM iceberg.fuller.t",
    )
    assert (schemas.rows, kept.rows) == ((("fuller",),), ((1,),))
    assert refused(server, "DROP SCHEMA iceberg.full CASCADE").error == "SCHEMA_NOT_FOUND"


def test_the_fields_of_rows_are_assigned_by_their_position(server: RunningServer) -> None:
    table = "iceberg.assigned.t"
    swapped = "CAST(ROW('x', 'y') AS row(b varchar, a varchar))"
    answers = in_order(
        server,
        "CREATE SCHEMA iceberg.assigned",
        f"CREATE TABLE {table} (id integer, r row(a varchar, b varchar), n array(row(x bigint, y row(z date))))",
        f"INSERT INTO {table} VALUES (1, ROW('a', 'b'), ARRAY[ROW(1, ROW(DATE '2020-01-01'))])",
        f"INSERT INTO {table} (id, r) SELECT 2, {swapped}",
        f"UPDATE {table} SET r = {swapped} WHERE id = 1",
        f"UPDATE {table} SET n = ARRAY[ROW(SMALLINT '7', ROW(DATE '2021-01-01')), NULL], id = id + 1 WHERE id = 2",
        f"MERGE INTO {table} USING (VALUES 1, 4) s(k) ON t.id = s.k WHEN MATCHED THEN UPDATE SET r = ROW('m', NULL) "
        f"WHEN NOT MATCHED THEN INSERT (id, r) VALUES (4, {swapped})",
        f"SELECT id, r, n FROM {table} ORDER BY id",
    )
    assert answers[-1].rows == (
        (1, ["m", None], [[1, ["2020-01-01"]]]),
        (3, ["x", "y"], [[7, ["2021-01-01"]], None]),
        (4, ["x", "y"], None),
    )
    for value in ("ROW('a')", "ROW('a', 'b', 'c')", "ROW(ROW(1), 'b')", "'a'"):
        assert refused(server, f"UPDATE {table} SET r = {value}").error == "TYPE_MISMATCH"
    in_order(server, "DROP SCHEMA iceberg.assigned CASCADE")


def test_a_stored_function_is_called(server: RunningServer) -> None:
    schema = "iceberg.stored_functions"
    answers = in_order(
        server,
        f"CREATE SCHEMA {schema}",
        f"CREATE FUNCTION {schema}.plus(x integer, y bigint) RETURNS bigint RETURN x + y",
        f"CREATE FUNCTION {schema}.next(x integer) RETURNS bigint COMMENT 'after' RETURN {schema}.plus(x, 1)",
        f"CREATE TABLE {schema}.t AS SELECT {schema}.next(a) AS b FROM (VALUES 1, 2) u(a)",
        f"UPDATE {schema}.t SET b = {schema}.next(5) WHERE {schema}.plus(1, b) = 3",
        f"SELECT {schema}.plus(1, b), stored_functions.NEXT(3) FROM {schema}.t ORDER BY b",
        f"SHOW FUNCTIONS FROM {schema}",
        f"SHOW CREATE FUNCTION {schema}.next",
    )
    assert answers[-3].rows == ((4, 4), (7, 4))
    assert answers[-3].types == ("bigint", "bigint")
    assert answers[-2].rows == (
        ("next", "bigint", "integer", "scalar", True, "after"),
        ("plus", "bigint", "integer, bigint", "scalar", True, ""),
    )
    ((definition,),) = answers[-1].rows
    in_order(server, str(definition).replace("CREATE", "CREATE OR REPLACE"))
    for statement in (
        f"CREATE FUNCTION {schema}.wrong(x integer) RETURNS bigint RETURN 'a'",
        f"CREATE FUNCTION {schema}.wrong(x integer) RETURNS bigint RETURN sum(x)",
        f"CREATE FUNCTION {schema}.wrong(x integer) RETURNS bigint RETURN frob(x)",
        f"CREATE OR REPLACE FUNCTION {schema}.plus(x integer, y bigint) RETURNS bigint RETURN {schema}.next(x)",
        f"SELECT {schema}.next('a')",
        "SELECT next(1)",
    ):
        refused(server, statement)
    in_order(server, f"DROP FUNCTION {schema}.plus(integer, bigint)")
    assert refused(server, f"SELECT {schema}.next(1)").error == "FUNCTION_NOT_FOUND"
    in_order(server, f"DROP SCHEMA {schema} CASCADE")


def test_a_table_like_another(server: RunningServer) -> None:
    *_, columns = in_order(
        server,
        "CREATE TABLE iceberg.default.first"
        " (id integer NOT NULL COMMENT 'it''s', d decimal(9, 2), a array(row(x bigint, \"Y z\" varchar)))",
        "CREATE TABLE iceberg.default.second"
        " (k bigint, LIKE iceberg.default.first EXCLUDING PROPERTIES, z varchar) WITH (partitioning = ARRAY['k'])",
        "SELECT column_name, data_type, is_nullable, comment FROM iceberg.information_schema.columns"
        " WHERE table_schema = 'default' AND table_name = 'second' ORDER BY ordinal_position",
    )
    assert columns.rows == (
        ("k", "bigint", "YES", None),
        ("id", "integer", "NO", "it's"),
        ("d", "decimal(9,2)", "YES", None),
        ("a", 'array(row(x bigint, "Y z" varchar))', "YES", None),
        ("z", "varchar", "YES", None),
    )
    assert (
        refused(server, "CREATE TABLE iceberg.default.x (LIKE iceberg.default.nope)").error
        == "TABLE_NOT_FOUND"
    )


def test_a_table_like_another_has_its_properties(server: RunningServer) -> None:
    *_, same, other = in_order(
        server,
        "CREATE TABLE iceberg.default.third (id integer, day date) WITH (format = 'ORC',"
        " partitioning = ARRAY['month(day)', 'bucket(id, 4)'], sorted_by = ARRAY['id DESC'], format_version = 2,"
        " extra_properties = MAP(ARRAY['a.b'], ARRAY['it''s']))",
        "CREATE TABLE iceberg.default.fourth (LIKE iceberg.default.third INCLUDING PROPERTIES) COMMENT 'x'",
        "CREATE TABLE iceberg.default.fifth (k bigint, LIKE iceberg.default.third INCLUDING PROPERTIES)"
        " WITH (format = 'PARQUET', partitioning = ARRAY['k'])",
        "SHOW CREATE TABLE iceberg.default.fourth",
        "SHOW CREATE TABLE iceberg.default.fifth",
    )
    for wanted in (
        "format = 'ORC'",
        "partitioning = ARRAY['month(day)', 'bucket(id, 4)']",
        "sorted_by = ARRAY['id DESC NULLS FIRST']",
        "MAP(ARRAY['a.b'], ARRAY['it''s'])",
    ):
        assert wanted in str(same.rows[0][0])
    for wanted in (
        "format = 'PARQUET'",
        "partitioning = ARRAY['k']",
        "sorted_by = ARRAY['id DESC NULLS FIRST']",
    ):
        assert wanted in str(other.rows[0][0])
    twice = "LIKE iceberg.default.third INCLUDING PROPERTIES"
    answer = refused(server, f"CREATE TABLE iceberg.default.sixth ({twice}, k bigint, {twice})")
    assert "Only one LIKE clause" in str(answer.message)


def test_a_table_is_made_with_its_sort_order(server: RunningServer) -> None:
    made, replaced, changed, without = (
        str(answer.rows[0][0])
        for answer in in_order(
            server,
            'CREATE TABLE iceberg.default.ordered (id integer, "b c" varchar)'
            """ WITH (sorted_by = ARRAY['ID DESC NULLS LAST', '"b c"'])""",
            "SHOW CREATE TABLE iceberg.default.ordered",
            "CREATE OR REPLACE TABLE iceberg.default.ordered WITH (sorted_by = ARRAY['x']) AS SELECT 1 AS x",
            "SHOW CREATE TABLE iceberg.default.ordered",
            "ALTER TABLE iceberg.default.ordered SET PROPERTIES sorted_by = ARRAY['x DESC']",
            "SHOW CREATE TABLE iceberg.default.ordered",
            "ALTER TABLE iceberg.default.ordered SET PROPERTIES sorted_by = ARRAY[]",
            "SHOW CREATE TABLE iceberg.default.ordered",
        )[1::2]
    )
    assert """sorted_by = ARRAY['id DESC NULLS LAST', '"b c" ASC NULLS FIRST']""" in made
    assert "sorted_by = ARRAY['x ASC NULLS FIRST']" in replaced
    assert "sorted_by = ARRAY['x DESC NULLS FIRST']" in changed
    assert "sorted_by" not in without
    assert "sqe." not in made
    refused(server, "CREATE TABLE iceberg.default.unordered (id integer) WITH (sorted_by = ARRAY['nothing'])")
    assert refused(server, "DESCRIBE iceberg.default.unordered").error == "TABLE_NOT_FOUND"


def test_statistics_are_those_of_the_files(server: RunningServer) -> None:
    table = "iceberg.default.counted"
    columns = '(id integer, "b c" varchar, d date, x double, n decimal(9, 2), a array(integer))'
    empty = in_order(server, f"CREATE TABLE {table} {columns}", f"SHOW STATS FOR {table}")[-1]
    assert empty.rows[-1] == (None, None, None, None, 0.0, None, None)
    found = in_order(
        server,
        f"INSERT INTO {table} VALUES (7, 'abc', DATE '2020-02-03', 1.5, 3.25, NULL),"
        " (NULL, NULL, NULL, NULL, NULL, NULL)",
        f"INSERT INTO {table} VALUES (10, 'z', DATE '1999-01-01', -2.5, 10.00, ARRAY[1])",
        f"INSERT INTO {table} VALUES (11, 'z', DATE '1999-01-01', -2.5, 10.00, ARRAY[1])",
        f"DELETE FROM {table} WHERE id = 11",
        f"SHOW STATS FOR {table}",
    )[-1]
    assert found.types == ("varchar", "double", "double", "double", "double", "varchar", "varchar")
    third = pytest.approx(1 / 3)
    numbers, text, days, reals, decimals, lists, rows = found.rows
    assert numbers == ("id", None, None, third, None, "7", "10")
    assert text[0] == "b c"
    assert text[1] > 0
    assert text[3] == third
    assert days[5:] == ("1999-01-01", "2020-02-03")
    assert reals[5:] == ("-2.5", "1.5")
    assert decimals[5:] == ("3.25", "10.00")
    assert lists == ("a", None, None, None, None, None, None)
    assert rows == (None, None, None, None, 3.0, None, None)
    assert refused(server, "SHOW STATS FOR iceberg.default.nothing").error == "TABLE_NOT_FOUND"


def test_digests_are_merged_and_kept_as_bytes(server: RunningServer) -> None:
    table = "iceberg.default.digests"
    *_, merged, kept = in_order(
        server,
        f"CREATE TABLE {table} AS SELECT g, CAST(approx_set(x) AS varbinary) AS h,"
        " CAST(tdigest_agg(x) AS varbinary) AS d"
        " FROM (VALUES (1, 1), (1, 2), (2, 2), (2, 9)) AS t(g, x) GROUP BY g",
        "SELECT cardinality(merge(CAST(h AS HyperLogLog))), value_at_quantile(merge(CAST(d AS tdigest)), 1)"
        f" FROM {table}",
        f"SELECT merge(q), count(*) FROM (SELECT qdigest_agg(g) AS q FROM {table} GROUP BY g)",
    )
    assert merged.rows == ((3, 9.0),)
    assert kept.types == ("qdigest(bigint)", "bigint")
    wrong = refused(server, f"SELECT cardinality(CAST(substr(h, 2) AS HyperLogLog)) FROM {table}")
    assert wrong.error == "INVALID_FUNCTION_ARGUMENT"
    assert refused(server, f"SELECT merge(h) FROM {table}").error == "FUNCTION_NOT_FOUND"


def test_the_states_of_aggregates_are_put_together(server: RunningServer) -> None:
    # Many rows, several tasks.
    rows = "(SELECT n % 1000 AS x FROM TABLE(sequence(1, 20000)) AS t(n))"
    exact, estimates, windows = in_order(
        server,
        f"SELECT checksum(x) = checksum(1000 - x - 1), reduce_agg(x, 0, (a, b) -> a + b, (a, b) -> a + b) FROM {rows}",
        f"SELECT approx_distinct(x), approx_percentile(x, 0.5), approx_most_frequent(2, x % 2, 10) FROM {rows}",
        "SELECT sum(x) OVER (ORDER BY x GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW), count(DISTINCT x) OVER ()"
        " FROM (VALUES 1, 1, 3, 6) AS t(x) ORDER BY x",
    )
    assert exact.rows == ((True, 9_990_000),)
    distinct, middle, frequent = estimates.rows[0]
    assert distinct == pytest.approx(1_000, rel=0.1)
    assert middle == pytest.approx(500, abs=40)
    assert sum(frequent.values()) == 20_000
    assert windows.rows == ((2, 3), (2, 3), (5, 3), (9, 3))


def test_values_with_zones_of_their_own(server: RunningServer) -> None:
    values = "(VALUES TIMESTAMP '2024-01-01 12:00:00 UTC', TIMESTAMP '2024-01-01 13:00:00 +01:00') t(x)"
    answers = run_all(
        server.trino,
        [
            f"SELECT CAST(x AS varchar) FROM {values} ORDER BY 1",
            f"SELECT count(DISTINCT x), count(*) FROM {values}",
            f"SELECT count(*) FROM {values} GROUP BY x",
            f"SELECT rank() OVER (ORDER BY x), count(*) OVER (PARTITION BY x) FROM {values}",
            f"SELECT count(*) FROM {values} JOIN {values.replace('t(x)', 'u(y)')} ON x = y",
            "SELECT TIME '10:00+01:00' = TIME '11:00+02:00', TIME '10:00:00.123456789' + INTERVAL '1' SECOND",
            "CREATE TABLE iceberg.default.stored_time AS SELECT TIME '10:00+02:00' AS x",
        ],
    )
    assert [answer.rows for answer in answers[:-1]] == [
        (("2024-01-01 12:00:00 UTC",), ("2024-01-01 13:00:00 +01:00",)),
        ((1, 2),),
        ((2,),),
        ((1, 2), (1, 2)),
        ((4,),),
        ((True, "10:00:01.123456789"),),
    ]
    assert answers[-1].error == "NOT_SUPPORTED"


def test_literals_keep_their_types_as_parameters(server: RunningServer) -> None:
    given = "'abc', TIME '16:43:22.32 -08:00', MAP(ARRAY[], ARRAY[]), CAST('a' AS char(3))"
    skipped = "EXECUTE IMMEDIATE 'SELECT ?' USING TIMESTAMP '2021-03-28 02:30:00 Europe/Brussels'"
    (found,) = in_order(
        server, f"EXECUTE IMMEDIATE 'SELECT ?, ?, cardinality(?), ? WHERE ? = ?' USING {given}, 'x', 'x'"
    )
    assert found.types == ("varchar", "time(2) with time zone", "bigint", "char(3)")
    assert found.rows == (("abc", "16:43:22.32-08:00", 0, "a  "),)
    assert refused(server, skipped).error == "INVALID_CAST_ARGUMENT"
    zoned = "ARRAY[TIMESTAMP '2020-01-01 00:00:00.000000 UTC']"
    (named,) = in_order(
        server, f"EXECUTE IMMEDIATE 'SELECT typeof(?), (1, NULL) IN (SELECT 1, 2)' USING {zoned}"
    )
    assert named.rows == (("array(timestamp(6) with time zone)", None),)
    (listed,) = in_order(
        server, "SELECT query FROM system.runtime.queries WHERE query LIKE 'EXECUTE %, ''x'''"
    )
    assert len(listed.rows) == 1


def test_a_query_is_validated_and_not_run(server: RunningServer) -> None:
    (valid,) = in_order(server, "EXPLAIN (TYPE VALIDATE) SELECT 1 / 0")
    assert (valid.types, valid.rows) == (("boolean",), ((True,),))
    wrong = refused(server, "EXPLAIN (TYPE VALIDATE)\nSELECT nothing")
    assert wrong.error == "COLUMN_NOT_FOUND"
    assert wrong.message.startswith("line 2:8: ")


def test_explain_analyze_and_plans_as_json(server: RunningServer) -> None:
    table = "iceberg.default.analyzed"
    _, inserted, read, tables, operators, left = in_order(
        server,
        f"CREATE TABLE {table} AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, name)",
        f"EXPLAIN ANALYZE INSERT INTO {table} VALUES (3, 'c')",
        f"EXPLAIN ANALYZE VERBOSE SELECT name, count(*) FROM {table} WHERE id > 1 GROUP BY name",
        f"EXPLAIN (TYPE IO, FORMAT JSON) INSERT INTO {table} SELECT count(*), 'n' FROM {table}",
        f"EXPLAIN (FORMAT JSON) SELECT * FROM {table}",
        f"SELECT count(*) FROM {table}",
    )
    assert "Changed: 1 row" in inserted.rows[0][0]
    text = read.rows[0][0]
    assert "Result: 2 rows" in text
    assert "Files: " in text
    assert "number of output rows: 2" in text
    shown = json.loads(tables.rows[0][0])
    name = {"catalog": "iceberg", "schemaTable": {"schema": "default", "table": "analyzed"}}
    assert shown["outputTable"] == name
    assert [each["table"] for each in shown["inputTableColumnInfos"]] == [name]
    (root,) = json.loads(operators.rows[0][0]).values()
    assert [each["type"] for each in root["outputs"]] == ["integer", "varchar"]
    assert left.rows == ((3,),)


def test_what_show_create_shows_makes_the_same_again(server: RunningServer) -> None:
    in_order(
        server,
        "CREATE SCHEMA iceberg.shown",
        "CREATE TABLE iceberg.shown.t (a bigint NOT NULL COMMENT 'it''s', \"b c\" varchar, d decimal(10,2),"
        " e row(x integer, y array(varchar)), ts timestamp(6), \"select\" date) COMMENT 'a \\'"
        " WITH (format = 'ORC', partitioning = ARRAY['day(ts)', 'bucket(a, 4)', 'truncate(\"b c\", 2)'],"
        " sorted_by = ARRAY['a DESC NULLS LAST'], extra_properties = MAP(ARRAY['x.y'], ARRAY['1']))",
        "CREATE VIEW iceberg.shown.v COMMENT 'c' AS SELECT a / 2 AS h, 'it''s' AS x FROM iceberg.shown.t",
    )
    shows = (
        "SHOW CREATE TABLE iceberg.shown.t",
        "SHOW CREATE VIEW iceberg.shown.v",
        "SHOW CREATE SCHEMA iceberg.shown",
    )
    shown = [answer.rows[0][0] for answer in in_order(server, *shows)]
    assert "partitioning = ARRAY['day(ts)', 'bucket(a, 4)', 'truncate(\"b c\", 2)']" in shown[0]
    assert "COMMENT 'it''s'" in shown[0]
    assert shown[1].endswith("AS\nSELECT a / 2 AS h, 'it''s' AS x FROM iceberg.shown.t")
    in_order(server, "DROP SCHEMA iceberg.shown CASCADE", *(shown[index] for index in (2, 0, 1)))
    assert [answer.rows[0][0] for answer in in_order(server, *shows)] == shown
    assert refused(server, "SHOW CREATE TABLE iceberg.shown.v").error == "NOT_SUPPORTED"
    assert refused(server, "SHOW CREATE SCHEMA iceberg.nothing").error == "SCHEMA_NOT_FOUND"


def test_partitions_and_properties_have_trino_s_columns(server: RunningServer) -> None:
    *_, found, named, properties, times, described = in_order(
        server,
        "CREATE TABLE iceberg.default.parted (a integer, d date, r row(x integer))"
        " WITH (partitioning = ARRAY['d'], extra_properties = MAP(ARRAY['x.y'], ARRAY['1']))",
        "INSERT INTO iceberg.default.parted VALUES (1, DATE '2020-01-01', NULL), (NULL, DATE '2020-01-01', NULL)",
        'SELECT * FROM iceberg.default."parted$partitions"',
        'SELECT p.partition.d, data.a.max FROM iceberg.default."parted$partitions" AS p WHERE record_count = 2',
        "SELECT * FROM iceberg.default.\"parted$properties\" WHERE key = 'x.y'",
        'SELECT committed_at, "parted$snapshots".operation FROM iceberg.default."parted$snapshots"',
        'DESCRIBE iceberg.default."parted$partitions"',
    )
    assert [row[:2] for row in described.rows][:2] == [
        ("partition", "row(d date)"),
        ("record_count", "bigint"),
    ]
    figures = "row(min integer, max integer, null_count bigint, nan_count bigint)"
    assert found.types == ("row(d date)", "bigint", "bigint", "bigint", f"row(a {figures})")
    assert found.rows[0][1:3] == (2, 1)
    assert [list(each) for each in found.rows[0][4]] == [[1, 1, 1, None]]
    assert named.rows == (("2020-01-01", 1),)
    assert properties.rows == (("x.y", "1"),)
    assert times.types == ("timestamp(3) with time zone", "varchar")
    assert refused(server, 'SELECT * FROM iceberg.default."nothing$partitions"').error == "TABLE_NOT_FOUND"


def test_a_column_of_a_view_has_a_comment(server: RunningServer) -> None:
    *_, columns, rows, shown = in_order(
        server,
        "CREATE VIEW iceberg.default.said COMMENT 'c' AS SELECT 7 / 2 AS h, 'it''s' AS x",
        "COMMENT ON COLUMN iceberg.default.said.h IS 'it''s half'",
        "COMMENT ON COLUMN iceberg.default.said.x IS 'text'",
        "DESCRIBE iceberg.default.said",
        "SELECT * FROM iceberg.default.said",
        "SHOW CREATE VIEW iceberg.default.said",
    )
    assert [(row[0], row[3]) for row in columns.rows] == [("h", "it's half"), ("x", "text")]
    assert rows.rows == ((3, "it's"),)
    assert shown.rows[0][0].startswith(
        "CREATE VIEW iceberg.default.said COMMENT 'c' SECURITY INVOKER AS\nSELECT 7 / 2"
    )
    assert refused(server, "COMMENT ON COLUMN iceberg.default.said.y IS 'x'").error == "COLUMN_NOT_FOUND"


def test_in_spark_s_dialect_a_schema_is_dropped_by_its_own_name(sqe: Sqe) -> None:
    done = sqe.sql(
        "CREATE SCHEMA kept",
        "CREATE TABLE kept.t AS SELECT 1 AS a",
        "DROP SCHEMA KEPT CASCADE",  # another name: Iceberg's catalogs know case
    )
    assert "SCHEMA_NOT_FOUND" in done.err
    assert sqe.sql("SELECT a FROM kept.t").rows() == [["1"]]
    assert sqe.sql("DROP SCHEMA kept CASCADE", "SHOW SCHEMAS LIKE 'kept'").rows() == []


def test_an_overwrite_replaces_the_partitions_of_its_rows(server: RunningServer) -> None:
    answers = in_order(
        server,
        "CREATE TABLE iceberg.default.parts (k integer, v integer) WITH (partitioning = ARRAY['k'])",
        "INSERT INTO iceberg.default.parts VALUES (1, 1), (1, 2), (2, 3)",
        "INSERT OVERWRITE iceberg.default.parts VALUES (2, 4), (3, 5)",
        "INSERT OVERWRITE iceberg.default.parts SELECT * FROM iceberg.default.parts WHERE false",
        "SELECT * FROM iceberg.default.parts ORDER BY v",
        "INSERT OVERWRITE iceberg.default.parts PARTITION (k = 1) (v) SELECT 9 WHERE false",
        "SELECT * FROM iceberg.default.parts ORDER BY v",
        "CREATE TABLE iceberg.default.whole AS SELECT * FROM iceberg.default.parts",
        "INSERT OVERWRITE iceberg.default.whole VALUES (7, 7)",
        "SELECT * FROM iceberg.default.whole",
        "INSERT OVERWRITE iceberg.default.whole SELECT * FROM iceberg.default.whole WHERE false",
        "SELECT * FROM iceberg.default.whole",
    )
    read = [answers[index].rows for index in (4, 6, 9, 11)]
    assert read == [((1, 1), (1, 2), (2, 4), (3, 5)), ((2, 4), (3, 5)), ((7, 7),), ()]
    counts = [answers[index].rows for index in (2, 3, 5, 8, 10)]
    assert counts == [((2,),), ((0,),), ((0,),), ((1,),), ((0,),)]


def test_an_overwrite_leaves_no_row_of_an_earlier_partitioning_behind(server: RunningServer) -> None:
    in_order(
        server,
        "CREATE TABLE iceberg.default.evolved AS SELECT 1 AS k, 1 AS v",
        "ALTER TABLE iceberg.default.evolved ADD PARTITION FIELD k",
        "INSERT INTO iceberg.default.evolved VALUES (2, 2)",
    )
    wrong = refused(server, "INSERT OVERWRITE iceberg.default.evolved VALUES (1, 3)")
    assert wrong.error == "NOT_SUPPORTED"
    assert "earlier partitioning" in wrong.message
    in_order(
        server,
        "CALL iceberg.system.rewrite_data_files(table => 'default.evolved', options => map('rewrite-all', 'true'))",
        "INSERT OVERWRITE iceberg.default.evolved VALUES (1, 3)",
    )
    assert in_order(server, "SELECT * FROM iceberg.default.evolved ORDER BY k")[0].rows == ((1, 3), (2, 2))


def test_the_mode_of_an_overwrite_can_be_set(sqe: Sqe) -> None:
    done = sqe.sql(
        "CREATE TABLE parts (k INT, v INT) USING iceberg PARTITIONED BY (k)",
        "INSERT INTO parts VALUES (1, 1), (2, 2)",
        "INSERT OVERWRITE parts VALUES (2, 20)",
        "SET spark.sql.sources.partitionOverwriteMode = static",
        "CREATE TABLE seen AS SELECT * FROM parts",
        "INSERT OVERWRITE parts VALUES (3, 3)",
        "SELECT (SELECT count(*) FROM seen), k, v FROM parts",
    )
    assert done.rows()[-1] == ["2", "3", "3"]


def test_eight_writers_change_one_table(server: RunningServer) -> None:
    """At length with `make writers`. Who is too late gets a conflict, and the table holds what was committed."""
    seconds = 60.0 if os.environ.get("SQE_TEST_AT_LENGTH") else 8.0
    in_order(server, "CREATE TABLE iceberg.default.written (id bigint, n bigint)")
    committed = write_at_once(server.trino, "iceberg.default.written", writers=8, seconds=seconds)
    rows, snapshots = in_order(
        server,
        "SELECT id, n FROM iceberg.default.written",
        'SELECT count(*) FROM iceberg.default."written$snapshots"',
    )
    assert sorted(rows.rows) == sorted(committed.rows().items()), committed
    assert snapshots.rows == ((sum(committed.statements.values()),),), committed
    assert set(committed.errors) <= {
        (CONFLICT, "Another statement changed the table while this one ran. Run the statement again.")
    }
    assert set(committed.statements) == {"INSERT", "MERGE", "DELETE"}, committed


def test_the_empty_grouping_set_has_its_row(server: RunningServer) -> None:
    nothing, some, above = in_order(
        server,
        "SELECT x, count(*), sum(x), count(DISTINCT x), array_agg(x), count(*) FILTER (WHERE x > 0)"
        " FROM (VALUES 1) t(x) WHERE false GROUP BY GROUPING SETS ((x), (), ())",
        "SELECT x, count(*), sum(x), grouping(x) FROM (VALUES 1, NULL) t(x) GROUP BY ROLLUP (x) ORDER BY 4, 1",
        # HAVING comes before windows.
        "SELECT x, count(*) OVER () FROM (VALUES 1, 1, 2) t(x) GROUP BY ROLLUP (x) HAVING count(*) > 1 ORDER BY 1",
    )
    assert nothing.rows == ((None, 0, None, 0, None, 0),) * 2
    assert some.rows == ((1, 1, 1, 0), (None, 1, None, 0), (None, 2, 1, 1))
    assert above.rows == ((1, 2), (None, 2))


@pytest.mark.parametrize(
    ("query", "type_", "rows"),
    [
        ("SELECT BIGINT '5' AS x UNION ALL SELECT 2.5 ORDER BY x", "decimal(20, 1)", ["2.5", "5.0"]),
        ("SELECT BIGINT '5' UNION SELECT CAST(5 AS decimal(38, 20))", "decimal(38, 20)", [f"5.{'0' * 20}"]),
        ("SELECT BIGINT '5' INTERSECT SELECT 5.0", "decimal(20, 1)", ["5.0"]),
        ("SELECT 1 EXCEPT SELECT REAL '2.5'", "real", [1.0]),
        (
            "SELECT CAST('ab' AS char(4)) AS x UNION ALL SELECT 'abcdef' ORDER BY 1",
            "char(6)",
            ["ab    ", "abcdef"],
        ),
        ("SELECT x FROM (SELECT 'ab ' UNION SELECT CAST('ab' AS char(4))) t(x)", "char(4)", ["ab  "]),
        # a query that refers to the columns twice
        (
            (
                "WITH a AS (SELECT CAST('yz' AS varchar(2)) AS c), u AS"
                " (SELECT c FROM a UNION SELECT CAST('x' AS char(5)))"
                " SELECT concat(typeof(u.c), '|', CAST(u.c = 'x' AS varchar)) FROM u"
                " JOIN u AS v ON u.c = v.c ORDER BY 1"
            ),
            "varchar",
            ["char(5)|false", "char(5)|true"],
        ),
        ("SELECT DATE '2020-01-01' UNION SELECT TIMESTAMP '2020-01-01 00:00:00.0'", "timestamp(1)", None),
    ],
)
def test_set_operations_have_trino_s_common_types(
    server: RunningServer, query: str, type_: str, rows: list[str | float] | None
) -> None:
    [answer] = in_order(server, query)
    assert [kind.replace(" ", "") for kind in answer.types] == [type_.replace(" ", "")]
    if rows is not None:
        assert [row[0] for row in answer.rows] == rows


def test_set_operations_without_a_common_type_are_refused(server: RunningServer) -> None:
    assert refused(server, "SELECT 1 UNION SELECT '5'").error == "TYPE_MISMATCH"
    answer = refused(server, "SELECT CAST('a' AS char(4)) UNION SELECT CAST('a' AS varchar)")
    assert answer.error == "NOT_SUPPORTED"
