"""DELETE, UPDATE, MERGE and INSERT in all their spellings, and the snapshots that they leave."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.errors import AccessDeniedError, SqeError, UnsupportedError

pytestmark = pytest.mark.engine

STORED = [(1, "Ann", "eng"), (2, "Bob", "eng"), (3, "Cy", "hr")]
FILTERED = {"filter": "dept = 'eng'"}
MODES = ("copy-on-write", "merge-on-read")


@pytest.fixture(scope="module")
def running(guarded: GuardedEngine) -> GuardedEngine:
    guarded.run(ADMIN, "CREATE SCHEMA lake.db")
    guarded.run(ADMIN, "CREATE TABLE lake.db.other AS SELECT 2 AS id")
    return guarded


@pytest.fixture(params=MODES)
def engine(running: GuardedEngine, request: pytest.FixtureRequest) -> Iterator[GuardedEngine]:
    make(running, request.param)
    yield running
    running.forget()


def make(engine: GuardedEngine, mode: str) -> None:
    modes = ", ".join(f"'write.{kind}.mode' = '{mode}'" for kind in ("delete", "update", "merge"))
    values = ", ".join(str(row) for row in STORED)
    for sql in (
        "DROP TABLE IF EXISTS lake.db.t",
        f"CREATE TABLE lake.db.t (id INT, name STRING, dept STRING) TBLPROPERTIES ({modes})",
        f"INSERT INTO lake.db.t SELECT /*+ COALESCE(1) */ * FROM VALUES {values}",
    ):
        engine.run(ADMIN, sql)


def stored(engine: GuardedEngine) -> list[tuple[Any, ...]]:
    return sorted(engine.run(ADMIN, "SELECT * FROM lake.db.t"))


def ids(engine: GuardedEngine) -> list[int]:
    return [row[0] for row in stored(engine)]


def snapshots(engine: GuardedEngine) -> int:
    [(count,)] = engine.run(ADMIN, "SELECT count(*) FROM lake.db.t.snapshots")
    return int(count)


# What is left of 1, 2 and 3 after each, for somebody whom nothing restricts.
ALLOWED = {
    "DELETE FROM IDENTIFIER('lake.db.t') WHERE id = 2": [1, 3],
    "DELETE FROM IDENTIFIER('lake.' || 'db.t') AS x WHERE x.id = 2": [1, 3],
    "DELETE FROM lake.db.t WHERE IDENTIFIER('id') = 2": [1, 3],
    "EXECUTE IMMEDIATE 'DELETE FROM IDENTIFIER(?) WHERE id = ?' USING 'lake.db.t', 2": [1, 3],
    "WITH c AS (SELECT 2 AS k) DELETE FROM lake.db.t WHERE id IN (SELECT k FROM c)": [1, 3],
    "DELETE FROM lake.db.t WHERE id IN (WITH c AS (SELECT 2 AS k) SELECT k FROM c)": [1, 3],
    "DELETE FROM lake.db.t WHERE id = (SELECT max(id) FROM lake.db.t)": [1, 2],
    "DELETE FROM lake.db.t x WHERE NOT EXISTS (SELECT 1 FROM lake.db.t y WHERE y.id = x.id + 1)": [1, 2],
    "DELETE FROM lake.db.t WHERE id IN (SELECT id FROM lake.db.other)": [1, 3],
    "UPDATE IDENTIFIER('lake.db.t') SET id = 9 WHERE id = 2": [1, 3, 9],
    "UPDATE lake.db.t SET id = (SELECT max(id) FROM lake.db.t) + 1 WHERE id = 2": [1, 3, 4],
    "UPDATE lake.db.t SET id = 9 WHERE id IN (SELECT id - 1 FROM lake.db.t)": [3, 9, 9],
    "EXECUTE IMMEDIATE 'UPDATE lake.db.t SET id = ? WHERE id = ?' USING 9, 2": [1, 3, 9],
    "MERGE INTO IDENTIFIER('lake.db.t') x USING (SELECT 2 AS k) ON x.id = k WHEN MATCHED THEN DELETE": [1, 3],
    (
        "MERGE INTO IDENTIFIER('lake.db.t') USING (SELECT 9 AS k) s ON id = k "
        "WHEN NOT MATCHED THEN INSERT (id) VALUES (k)"
    ): [1, 2, 3, 9],
    "MERGE INTO lake.db.t x USING lake.db.t y ON x.id = y.id + 1 WHEN MATCHED THEN DELETE": [1],
    "WITH c AS (SELECT 2 AS k) MERGE INTO lake.db.t x USING c ON x.id = k WHEN MATCHED THEN DELETE": [1, 3],
    "INSERT INTO IDENTIFIER('lake.db.t') VALUES (9, 'x', 'eng')": [1, 2, 3, 9],
    "INSERT INTO lake.db.t SELECT id + 10, name, dept FROM lake.db.t WHERE id = 1": [1, 2, 3, 11],
    (
        "FROM lake.db.t INSERT INTO lake.db.t SELECT id + 10, name, dept WHERE id = 1 "
        "INSERT INTO lake.db.t SELECT id + 20, name, dept WHERE id = 1"
    ): [1, 2, 3, 11, 21],
    "INSERT OVERWRITE IDENTIFIER('lake.db.t') SELECT * FROM lake.db.t WHERE id = 1": [1],
    "TRUNCATE TABLE IDENTIFIER('lake.db.t')": [],
}


def test_every_spelling_works_for_whom_nothing_restricts(engine: GuardedEngine) -> None:
    wrong = {}
    before = engine.run(ADMIN, "SELECT max_by(snapshot_id, committed_at) FROM lake.db.t.snapshots")[0][0]
    for sql, expected in ALLOWED.items():
        try:
            engine.run("bob", sql)
            if ids(engine) != expected:
                wrong[sql] = f"{ids(engine)} instead of {expected}"
        except SqeError as error:
            wrong[sql] = error.message
        engine.run(ADMIN, f"CALL lake.system.set_current_snapshot('db.t', {before}L)")
    assert not wrong


# A row filter shows ann 1 and 2.
FILTERED_DELETES = (
    "DELETE FROM IDENTIFIER('lake.db.t') WHERE id > 1",
    "DELETE FROM IDENTIFIER('lake.db.t') x WHERE x.id > 1",
    "EXECUTE IMMEDIATE 'DELETE FROM lake.db.t WHERE id > ?' USING 1",
    "EXECUTE IMMEDIATE 'DELETE FROM IDENTIFIER(?) WHERE id > 1' USING 'lake.db.t'",
    "WITH c AS (SELECT 1) DELETE FROM lake.db.t WHERE id > 1",
)
REFUSED = (
    "DELETE FROM lake.db.t WHERE _pos >= 0",
    "DELETE FROM lake.db.t x WHERE x._file IS NOT NULL AND x.id > 1",
    "DELETE FROM IDENTIFIER('lake.db.t') WHERE id IN (SELECT id FROM lake.db.t)",
    "EXECUTE IMMEDIATE 'DELETE FROM lake.db.t WHERE 1 / (id - ?) > 0' USING 3",
    "UPDATE IDENTIFIER('lake.db.t') SET name = 'x' WHERE id = 1",
    "UPDATE lake.db.t SET name = (SELECT max(name) FROM lake.db.t)",
    (
        "MERGE INTO IDENTIFIER('lake.db.t') x USING (SELECT 3 AS k) s ON x.id = k "
        "WHEN NOT MATCHED THEN INSERT (id, dept) VALUES (k, 'eng')"
    ),
    "INSERT OVERWRITE IDENTIFIER('lake.db.t') SELECT * FROM lake.db.t",
    "TRUNCATE TABLE IDENTIFIER('lake.db.t')",
)


def test_no_spelling_changes_hidden_rows(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.t", **FILTERED)
    for sql in FILTERED_DELETES:
        engine.run("ann", sql)
        assert ids(engine) == [1, 3], sql
        engine.run(ADMIN, "INSERT INTO lake.db.t VALUES (2, 'Bob', 'eng')")
    for sql in REFUSED:
        error = engine.failure("ann", sql)
        assert type(error) is UnsupportedError, (sql, error)
        assert "guarded" not in error.message
    assert stored(engine) == STORED


def test_a_row_is_checked_by_the_names_of_its_values(running: GuardedEngine) -> None:
    """Iceberg finds the columns of a table that accepts any schema by name, wherever the values stand."""
    make(running, MODES[0])
    running.run(ADMIN, "ALTER TABLE lake.db.t SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')")
    running.rules.set("ann", "lake.db.t", **FILTERED)
    insert = "INSERT INTO lake.db.t WITH (`check-ordering` = 'false')"
    error = running.failure("ann", f"{insert} SELECT 9 AS id, 'hr' AS dept, 'eng' AS name")
    assert type(error) is AccessDeniedError
    assert error.message == "Cannot insert row that does not match a row filter."
    for rows in (
        "9 AS id, 'eng' AS dept",
        "9 AS id, 'x' AS name, 'eng' AS dept, 1 AS extra",
        "9, 'x', 'eng'",
    ):
        error = running.failure("ann", f"{insert} SELECT {rows}")
        assert type(error) is UnsupportedError, (rows, error)
        assert "all of its columns must be named" in error.message
    assert stored(running) == STORED
    running.run("ann", f"{insert} SELECT 'eng' AS dept, 9 AS id, 'x' AS name")
    assert stored(running) == [*STORED, (9, "x", "eng")]
    running.forget()


def test_what_is_no_table_is_not_changed(engine: GuardedEngine) -> None:
    engine.run("bob", "CREATE OR REPLACE VIEW lake.db.v AS SELECT * FROM lake.db.t")
    engine.run("bob", "CREATE OR REPLACE TEMPORARY VIEW mine AS SELECT * FROM lake.db.t")
    for target in ("lake.db.v", "mine"):
        for sql in (f"DELETE FROM {target} WHERE id = 1", f"UPDATE {target} SET id = 1"):
            error = engine.failure("bob", sql)
            assert type(error) is UnsupportedError, (sql, error)
            assert error.message == "Only a table can be changed, not a view or a query."
    assert stored(engine) == STORED


def test_metadata_columns_in_conditions_are_refused(engine: GuardedEngine) -> None:
    for sql in (
        "DELETE FROM lake.db.t WHERE _pos = 0",
        "DELETE FROM lake.db.t WHERE _file = 'x' AND id = 1",
        "DELETE FROM lake.db.t WHERE _partition IS NULL",
        "DELETE FROM lake.db.t WHERE _spec_id = 0",
        "UPDATE lake.db.t x SET name = 'x' WHERE x._pos = 0",
        "MERGE INTO lake.db.t x USING (SELECT 1 AS k) s ON x.id = k AND x._pos = 0 WHEN MATCHED THEN DELETE",
        (
            "MERGE INTO lake.db.t x USING (SELECT 1 AS k) s ON x.id = k "
            "WHEN MATCHED AND x._file = 'x' THEN UPDATE SET name = 'x'"
        ),
    ):
        error = engine.failure("bob", sql)
        assert type(error) is UnsupportedError, (sql, error)
        assert error.message.startswith("The metadata column _"), error.message
    assert stored(engine) == STORED
    assert engine.run("bob", "SELECT id FROM lake.db.t WHERE _pos = 0") == [(1,)]


UNCHANGED = (
    "DELETE FROM lake.db.t WHERE id = 99",
    "DELETE FROM lake.db.t WHERE id + 1 = 99",
    "DELETE FROM lake.db.t WHERE false",
    "DELETE FROM lake.db.t WHERE id IN (SELECT id + 97 FROM lake.db.other)",
    "UPDATE lake.db.t SET name = 'x' WHERE id = 99",
    "UPDATE lake.db.t SET name = 'x' WHERE id + 1 = 99",
    "MERGE INTO lake.db.t x USING (SELECT 99 AS k) s ON x.id = k WHEN MATCHED THEN DELETE",
    "MERGE INTO lake.db.t x USING (SELECT 1 AS k) s ON x.id = k WHEN NOT MATCHED THEN INSERT (id) VALUES (k)",
    "INSERT INTO lake.db.t SELECT * FROM lake.db.t WHERE id = 99",
)


@pytest.mark.parametrize("user", ["bob", "ann"])
def test_what_changes_nothing_commits_nothing(engine: GuardedEngine, user: str) -> None:
    if user == "ann":
        engine.rules.set("ann", "lake.db.t", **FILTERED)
    before = snapshots(engine)
    for sql in UNCHANGED if user == "bob" else UNCHANGED[:1]:
        tag = uuid.uuid4().hex
        engine.run(user, sql, tag)
        assert snapshots(engine) == before, sql
        assert engine.session(user).changed_rows(tag) == 0, sql
    assert stored(engine) == STORED


def test_what_changes_something_commits_once(engine: GuardedEngine) -> None:
    before = snapshots(engine)
    for sql, expected in (
        ("INSERT INTO lake.db.t VALUES (4, 'x', 'eng')", [1, 2, 3, 4]),
        ("UPDATE lake.db.t SET id = 5 WHERE id = 4", [1, 2, 3, 5]),
        ("MERGE INTO lake.db.t x USING (SELECT 3 AS k) s ON x.id = k WHEN MATCHED THEN DELETE", [1, 2, 5]),
        ("DELETE FROM lake.db.t WHERE id = 1", [2, 5]),
        ("DELETE FROM lake.db.t", []),
    ):
        engine.run("bob", sql)
        before += 1
        assert (ids(engine), snapshots(engine)) == (expected, before), sql
    engine.run("bob", "DELETE FROM lake.db.t")  # it is empty
    assert snapshots(engine) == before


def test_truncate_and_overwrite_always_commit(engine: GuardedEngine) -> None:
    engine.run("bob", "DELETE FROM lake.db.t")
    before = snapshots(engine)
    for sql in ("TRUNCATE TABLE lake.db.t", "INSERT OVERWRITE lake.db.t SELECT * FROM lake.db.t WHERE false"):
        engine.run("bob", sql)
        before += 1
        assert snapshots(engine) == before, sql
