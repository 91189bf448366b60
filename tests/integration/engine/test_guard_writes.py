"""Writes under policies: rows of protected tables, tables, views and schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.errors import (
    AccessDeniedError,
    ColumnNotFoundError,
    SchemaNotFoundError,
    TableNotFoundError,
    UnsupportedError,
)

pytestmark = pytest.mark.engine

FILTER = {"filter": "dept = 'eng'"}
MASK = {"masks": {"name": "'x'"}}
RESTRICTED = {"restricted": ["name"]}
STORED = [(1, "Ann", "eng"), (2, "Bob", "eng"), (3, "Cy", "hr"), (4, "Di", "hr")]


@pytest.fixture(scope="module")
def running(guarded: GuardedEngine) -> GuardedEngine:
    guarded.run(ADMIN, "CREATE SCHEMA lake.db")
    return guarded


@pytest.fixture(params=["copy-on-write", "merge-on-read"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def engine(running: GuardedEngine) -> Iterator[GuardedEngine]:
    make(running)
    yield running
    running.forget()
    running.run(ADMIN, "DROP TABLE IF EXISTS lake.db.t")
    running.run(ADMIN, "DROP TABLE IF EXISTS lake.db.other")
    running.forget()


def make(engine: GuardedEngine, mode: str = "copy-on-write") -> None:
    engine.run(ADMIN, "DROP TABLE IF EXISTS lake.db.t")
    modes = ", ".join(f"'write.{kind}.mode' = '{mode}'" for kind in ("delete", "update", "merge"))
    engine.run(
        ADMIN,
        f"CREATE TABLE lake.db.t (id INT, name STRING, dept STRING) TBLPROPERTIES ({modes}, 'format-version' = '2')",
    )
    values = ", ".join(str(row) for row in STORED)
    engine.run(ADMIN, f"INSERT INTO lake.db.t SELECT /*+ COALESCE(1) */ * FROM VALUES {values}")


def stored(engine: GuardedEngine, table: str = "lake.db.t") -> list[tuple[Any, ...]]:
    return sorted(engine.run(ADMIN, f"SELECT * FROM {table}"))


def test_rows_that_satisfy_the_filter_can_be_inserted(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.t", **FILTER)
    engine.run("ann", "INSERT INTO lake.db.t VALUES (5, 'Ed', 'eng')")
    engine.run("ann", "INSERT INTO lake.db.t (dept, id) VALUES ('eng', 6)")
    engine.run("ann", "INSERT INTO lake.db.t SELECT id + 10, name, dept FROM lake.db.t WHERE id = 1")
    engine.run(ADMIN, "CREATE TABLE lake.db.other AS SELECT 12 AS id, 'Flo' AS name, 'eng' AS dept")
    engine.run("ann", "INSERT INTO lake.db.t TABLE lake.db.other")
    assert stored(engine)[4:] == [(5, "Ed", "eng"), (6, None, "eng"), (11, "Ann", "eng"), (12, "Flo", "eng")]


@pytest.mark.parametrize(
    "rows", ["(5, 'Ed', 'hr')", "(5, 'Ed', 'eng'), (6, 'Flo', 'hr')", "(5, 'Ed', NULL)", "(5, 'eng', 'hr')"]
)
def test_a_row_that_does_not_satisfy_the_filter_fails_the_insert(engine: GuardedEngine, rows: str) -> None:
    engine.rules.set("ann", "lake.db.t", **FILTER)
    error = engine.failure("ann", f"INSERT INTO lake.db.t VALUES {rows}")
    assert type(error) is AccessDeniedError
    assert error.message == "Cannot insert row that does not match a row filter."
    assert stored(engine) == STORED


def test_an_insert_into_a_branch_is_checked_too(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "ALTER TABLE lake.db.t CREATE BRANCH side")
    engine.rules.set("ann", "lake.db.t", **FILTER)
    for target in ("lake.db.t.branch_side", "lake.db.t"):
        assert (
            type(engine.failure("ann", f"INSERT INTO {target} VALUES (5, 'Ed', 'hr')")) is AccessDeniedError
        )
        engine.run("ann", f"INSERT INTO {target} VALUES (5, 'Ed', 'eng')")
    assert len(stored(engine, "lake.db.t.branch_side")) == 5


def test_a_filter_that_looks_something_up_holds_for_inserts(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE TABLE lake.db.other AS SELECT 'eng' AS d")
    engine.rules.set("ann", "lake.db.t", filter="dept IN (SELECT d FROM lake.db.other)")
    engine.run("ann", "INSERT INTO lake.db.t VALUES (5, 'Ed', 'eng')")
    error = engine.failure("ann", "INSERT INTO lake.db.t VALUES (6, 'Ed', 'hr')")
    assert type(error) is AccessDeniedError
    assert len(stored(engine)) == 5


def test_deletes_leave_hidden_rows_alone(engine: GuardedEngine, mode: str) -> None:
    make(engine, mode)
    engine.rules.set("ann", "lake.db.t", **FILTER)
    engine.run("ann", "DELETE FROM lake.db.t WHERE id > 1")
    assert stored(engine) == [STORED[0], *STORED[2:]]
    engine.run("ann", "DELETE FROM lake.db.t x WHERE x.name IN ('Ann', 'Cy') OR x.id = 4")
    assert stored(engine) == STORED[2:]
    engine.run(ADMIN, "INSERT INTO lake.db.t VALUES (7, 'Gus', 'eng')")
    engine.run("ann", "DELETE FROM lake.db.t")
    assert stored(engine) == STORED[2:]


@pytest.mark.parametrize(
    "condition",
    [
        "1 / (id - 3) > 0",
        "CAST(name AS INT) = 1",
        "raise_error(name) IS NULL",
        "id IN (SELECT id FROM lake.db.t)",
        "EXISTS (SELECT 1 FROM lake.db.t x WHERE x.id = id)",
    ],
)
def test_a_delete_whose_condition_could_tell_of_hidden_rows_is_not_supported(
    engine: GuardedEngine, condition: str
) -> None:
    engine.rules.set("ann", "lake.db.t", **FILTER)
    assert type(engine.failure("ann", f"DELETE FROM lake.db.t WHERE {condition}")) is UnsupportedError
    assert stored(engine) == STORED


STATEMENTS = {
    "update": "UPDATE lake.db.t SET name = 'y' WHERE id = 1",
    "merge": "MERGE INTO lake.db.t t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE",
    "merge that inserts": "MERGE INTO lake.db.t t USING (SELECT 9 AS id) s ON t.id = s.id"
    " WHEN NOT MATCHED THEN INSERT (id, name, dept) VALUES (9, 'n', 'eng')",
    "overwrite": "INSERT OVERWRITE lake.db.t SELECT * FROM lake.db.t",
    "overwrite by condition": "INSERT INTO lake.db.t REPLACE WHERE id = 1 SELECT 1, 'x', 'eng'",
    "truncate": "TRUNCATE TABLE lake.db.t",
    "replace": "CREATE OR REPLACE TABLE lake.db.t AS SELECT 1 AS id",
    "procedure": "CALL lake.system.rewrite_data_files(table => 'db.t', options => map('rewrite-all', 'true'))",
    "analyze": "ANALYZE TABLE lake.db.t COMPUTE STATISTICS",
}


@pytest.mark.parametrize("rule", [FILTER, MASK, RESTRICTED], ids=["filter", "mask", "restricted"])
@pytest.mark.parametrize("statement", [key for key in STATEMENTS if key != "analyze"])
def test_what_would_change_rows_that_one_cannot_see_is_not_supported(
    engine: GuardedEngine, rule: dict[str, Any], statement: str
) -> None:
    engine.rules.set("ann", "lake.db.t", **rule)
    error = engine.failure("ann", STATEMENTS[statement])
    assert isinstance(error, UnsupportedError | ColumnNotFoundError), error
    assert stored(engine) == STORED


@pytest.mark.parametrize("rule", [MASK, RESTRICTED], ids=["mask", "restricted"])
def test_masked_rows_are_neither_inserted_nor_deleted(engine: GuardedEngine, rule: dict[str, Any]) -> None:
    engine.rules.set("ann", "lake.db.t", **rule)
    for sql in ("INSERT INTO lake.db.t VALUES (5, 'Ed', 'eng')", "DELETE FROM lake.db.t WHERE id = 1"):
        assert type(engine.failure("ann", sql)) is UnsupportedError
    assert stored(engine) == STORED


def test_without_a_policy_everything_works(engine: GuardedEngine, mode: str) -> None:
    make(engine, mode)
    engine.run("bob", "UPDATE lake.db.t SET name = 'y' WHERE id = 1")
    engine.run("bob", "UPDATE lake.db.t SET name = trino_assigned(concat('', name)) WHERE id = 1")
    engine.run("bob", "DELETE FROM lake.db.t WHERE length(name) = 3")
    engine.run(
        "bob",
        "MERGE INTO lake.db.t t USING (SELECT 3 AS id UNION ALL SELECT 8) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET name = 'm' WHEN NOT MATCHED THEN INSERT (id, name, dept) VALUES (8, 'n', 'eng')",
    )
    assert stored(engine) == [(1, "y", "eng"), (3, "m", "hr"), (4, "Di", "hr"), (8, "n", "eng")]
    engine.run("bob", STATEMENTS["merge that inserts"])
    engine.run("bob", "INSERT OVERWRITE lake.db.t SELECT id, name, 'all' FROM lake.db.t WHERE id > 7")
    assert stored(engine) == [(8, "n", "all"), (9, "n", "all")]
    engine.run("bob", STATEMENTS["procedure"])
    assert len(stored(engine)) == 2
    engine.run("bob", "TRUNCATE TABLE lake.db.t")
    assert stored(engine) == []
    engine.run("bob", STATEMENTS["replace"])
    assert stored(engine) == [(1,)]


def test_the_sources_of_writes_are_guarded(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.t", filter="dept = 'eng'", masks={"name": "'x'"})
    engine.run("ann", "CREATE TABLE lake.db.other AS SELECT * FROM lake.db.t")
    engine.run("ann", "INSERT INTO lake.db.other TABLE lake.db.t")
    engine.run(
        "ann",
        "MERGE INTO lake.db.other o USING lake.db.t t ON o.id = t.id + 100"
        " WHEN NOT MATCHED THEN INSERT (id, name, dept) VALUES (t.id + 100, t.name, t.dept)",
    )
    ids = (1, 1, 2, 2, 101, 102)
    assert stored(engine, "lake.db.other") == [(each, "x", "eng") for each in ids]
    engine.run("ann", "DELETE FROM lake.db.other WHERE id NOT IN (SELECT id FROM lake.db.t)")
    assert stored(engine, "lake.db.other") == [(each, "x", "eng") for each in ids[:4]]


DENIED = {
    "insert": "INSERT INTO lake.db.t VALUES (5, 'Ed', 'eng')",
    "update": STATEMENTS["update"],
    "delete": "DELETE FROM lake.db.t WHERE id = 1",
    "merge": STATEMENTS["merge"],
    "overwrite": STATEMENTS["overwrite"],
    "truncate": STATEMENTS["truncate"],
    "replace_table": STATEMENTS["replace"],
    "procedure": STATEMENTS["procedure"],
    "drop": "DROP TABLE lake.db.t",
    "rename": "ALTER TABLE lake.db.t RENAME TO db.u",
    "show_create": "SHOW CREATE TABLE lake.db.t",
}
ALTERS = [
    "ALTER TABLE lake.db.t ADD COLUMN more INT",
    "ALTER TABLE lake.db.t RENAME COLUMN name TO called",
    "ALTER TABLE lake.db.t DROP COLUMN name",
    "ALTER TABLE lake.db.t SET TBLPROPERTIES ('a' = 'b')",
    "ALTER TABLE lake.db.t UNSET TBLPROPERTIES ('a')",
    "ALTER TABLE lake.db.t CREATE BRANCH side",
    "ALTER TABLE lake.db.t CREATE OR REPLACE TAG side",
    "ALTER TABLE lake.db.t ADD PARTITION FIELD dept",
    "ALTER TABLE lake.db.t WRITE ORDERED BY id",
    "ALTER TABLE lake.db.t SET IDENTIFIER FIELDS id",
    "COMMENT ON TABLE lake.db.t IS 'x'",
]


@pytest.mark.parametrize(
    ("operation", "sql"),
    [*DENIED.items(), *(("alter", sql) for sql in ALTERS), ("drop", "DROP TABLE lake.db.t PURGE")],
)
def test_what_is_denied_is_not_done(engine: GuardedEngine, operation: str, sql: str) -> None:
    engine.rules.set("ann", "lake.db.t", denied={operation})
    before = engine.run(ADMIN, "SELECT file FROM lake.db.t.metadata_log_entries")
    error = engine.failure("ann", sql)
    assert type(error) is AccessDeniedError
    assert error.message == f"Access denied: cannot {operation} lake.db.t."
    assert engine.run(ADMIN, "SELECT file FROM lake.db.t.metadata_log_entries") == before


@pytest.mark.parametrize(
    ("operation", "name", "sql"),
    [
        ("create_table", "lake.db.new", "CREATE TABLE lake.db.new (id INT)"),
        ("create_table", "lake.db.new", "CREATE TABLE lake.db.new AS SELECT 1 AS id"),
        ("create_table", "lake.db.new", "CREATE OR REPLACE TABLE lake.db.new AS SELECT 1 AS id"),
        ("create_table", "lake.db.new", "ALTER TABLE lake.db.t RENAME TO db.new"),
        ("create_view", "lake.db.new", "CREATE VIEW lake.db.new AS SELECT 1 AS id"),
        ("create_view", "lake.db.new", "CREATE OR REPLACE VIEW lake.db.new AS SELECT 1 AS id"),
        ("create_schema", "lake.new", "CREATE SCHEMA lake.new"),
        ("drop_schema", "lake.db", "DROP SCHEMA lake.db"),
        ("alter_schema", "lake.db", "ALTER SCHEMA lake.db SET PROPERTIES ('a' = 'b')"),
    ],
)
def test_making_something_is_asked_about_first(
    engine: GuardedEngine, operation: str, name: str, sql: str
) -> None:
    engine.rules.set("ann", name, denied={operation})
    error = engine.failure("ann", sql)
    assert (type(error), error.message) == (AccessDeniedError, f"Access denied: cannot {operation} {name}.")
    assert "new" not in str(engine.run(ADMIN, "SHOW TABLES IN lake.db"))


def test_views_belong_to_who_made_them_and_are_asked_about(engine: GuardedEngine) -> None:
    engine.run("ann", "CREATE OR REPLACE VIEW lake.db.v AS SELECT id FROM lake.db.t")
    engine.run("bob", "SELECT * FROM lake.db.v")
    asked = [question for body in engine.control.questions for question in body["questions"]]
    assert {each["owner"] for each in asked if each["kind"] == "view" and each["operation"] == "select"} == {
        "ann"
    }
    engine.rules.set("bob", "lake.db.v", denied={"drop", "alter"})
    for sql in (
        "DROP VIEW lake.db.v",
        "CREATE OR REPLACE VIEW lake.db.v AS SELECT 1 AS id",
        "ALTER VIEW lake.db.v SET TBLPROPERTIES ('a' = 'b')",
    ):
        assert type(engine.failure("bob", sql)) is AccessDeniedError, sql
    facts = engine.facts("bob", "lake", "db", "v")
    assert '"owner":"ann","kind":"view"' in facts
    engine.run("ann", "CREATE OR REPLACE VIEW lake.db.v AS SELECT 2 AS id")
    assert engine.run("bob", "SELECT * FROM lake.db.v") == [(2,)]
    assert engine.control.questions[-1]["questions"][0]["owner"] == "ann"
    engine.run("ann", "DROP VIEW lake.db.v")


def test_what_is_ours_is_nobodys_to_set_or_see(engine: GuardedEngine) -> None:
    for sql in (
        "ALTER TABLE lake.db.t SET TBLPROPERTIES ('sqe.owner' = 'ann')",
        "ALTER TABLE lake.db.t SET TBLPROPERTIES ('SQE.tags' = '{}')",
        "ALTER TABLE lake.db.t UNSET TBLPROPERTIES ('sqe.owner')",
        "CREATE TABLE lake.db.other (id INT) TBLPROPERTIES ('sqe.owner' = 'bob')",
        "CREATE OR REPLACE TABLE lake.db.t (id INT) TBLPROPERTIES ('sqe.owner' = 'bob')",
        "CREATE VIEW lake.db.v TBLPROPERTIES ('sqe.owner' = 'bob') AS SELECT 1 AS id",
    ):
        assert type(engine.failure(ADMIN, sql)) is AccessDeniedError, sql
    for sql in ("SHOW TBLPROPERTIES lake.db.t", "DESCRIBE EXTENDED lake.db.t", "SHOW CREATE TABLE lake.db.t"):
        assert "sqe." not in str(engine.run(ADMIN, sql)), sql


def test_a_replaced_table_stays_its_owners(engine: GuardedEngine) -> None:
    engine.run("ann", "CREATE OR REPLACE TABLE lake.db.t AS SELECT 1 AS id")
    engine.run("ann", "CREATE TABLE lake.db.other (id INT)")
    for table, owner in (("t", ADMIN), ("other", "ann")):
        engine.run("bob", f"SELECT * FROM lake.db.{table}")
        assert engine.control.questions[-1]["questions"][0]["owner"] == owner


def test_properties_of_a_protected_table_tell_nothing_of_its_rows(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.t", **FILTER)
    shown = dict(engine.run("ann", "SHOW TBLPROPERTIES lake.db.t"))
    assert "current-snapshot-id" not in shown
    assert "write.delete.mode" in shown
    assert "current-snapshot-id" in dict(engine.run("bob", "SHOW TBLPROPERTIES lake.db.t"))


SHOWING = ["SHOW TBLPROPERTIES lake.db.v", "DESCRIBE EXTENDED lake.db.v", "SHOW CREATE TABLE lake.db.v"]


def test_properties_of_a_view_tell_nothing_of_where_it_lies(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE VIEW lake.db.v COMMENT 'words' TBLPROPERTIES ('a' = 'b') AS SELECT 1 AS id")
    try:
        engine.rules.set("ann", "lake.db.v", denied={"alter"})
        for sql in SHOWING:
            shown = str(engine.run("ann", sql))
            assert "words" in shown or sql == SHOWING[0], sql
            assert str(engine.warehouse) not in shown, sql
            assert "sqe." not in shown, sql
            assert "sqe." not in str(engine.run("bob", sql)), sql
        assert "location" not in dict(engine.run("ann", SHOWING[0]))
        assert dict(engine.run("bob", SHOWING[0]))["a"] == "b"
        assert str(engine.warehouse) in dict(engine.run("bob", SHOWING[0]))["location"]
        engine.run("bob", "ALTER VIEW lake.db.v UNSET TBLPROPERTIES ('a')")
        assert engine.run("ann", "SELECT * FROM lake.db.v") == [(1,)]
        engine.run("bob", "SELECT * FROM lake.db.v")
        assert engine.control.questions[-1]["questions"][0]["owner"] == ADMIN
    finally:
        engine.run(ADMIN, "DROP VIEW lake.db.v")


def test_only_names_that_one_may_see_are_listed(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE TABLE lake.db.other (id INT)")
    engine.run(ADMIN, "CREATE VIEW lake.db.v AS SELECT 1 AS id")
    engine.run(ADMIN, "CREATE SCHEMA lake.hidden")
    for name in ("lake.db.t", "lake.db.v", "lake.hidden"):
        engine.rules.set("ann", name, denied={"list"})
    assert [row[1] for row in engine.run("ann", "SHOW TABLES IN lake.db")] == ["other"]
    assert engine.run("ann", "SHOW VIEWS IN lake.db") == []
    assert ("hidden",) not in engine.run("ann", "SHOW SCHEMAS IN lake")
    assert ("db",) in engine.run("ann", "SHOW SCHEMAS IN lake")
    assert type(engine.failure("ann", "DESCRIBE SCHEMA lake.hidden")) is SchemaNotFoundError
    assert {row[1] for row in engine.run("bob", "SHOW TABLES IN lake.db")} >= {"t", "other"}
    for sql in ("DROP VIEW lake.db.v", "DROP SCHEMA lake.hidden"):
        engine.run(ADMIN, sql)


def test_a_procedure_is_asked_about_with_its_table_and_its_name(engine: GuardedEngine) -> None:
    engine.run("bob", "CALL lake.system.expire_snapshots('db.t', TIMESTAMP '2020-01-01')")
    asked = [question for body in engine.control.questions for question in body["questions"]]
    (procedure,) = [each for each in asked if each["operation"] == "procedure"]
    assert (procedure["name"], procedure["procedure"]) == ("t", "expire_snapshots")
    assert procedure["columns"]
    for sql in (
        "CALL lake.system.register_table('db.stolen', 'file:/nowhere.metadata.json')",
        "CALL lake.system.expire_snapshots('db.nothing')",
    ):
        assert isinstance(engine.failure("bob", sql), AccessDeniedError), sql


def test_tags_are_set_by_who_may(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.t", denied={"set_tags"})
    with pytest.raises(AccessDeniedError):
        engine.set_tags("ann", "lake.db.t", {"id": ["pii"]})
    assert "pii" not in engine.facts("ann", "lake", "db", "t")


def test_tags_are_kept_by_the_id_of_the_column_and_told_with_it(engine: GuardedEngine) -> None:
    engine.set_tags(ADMIN, "lake.db.t", {"name": ["pii", "x"], "DEPT": ["org"]})
    engine.run(ADMIN, "ALTER TABLE lake.db.t RENAME COLUMN name TO called")
    engine.run("ann", "SELECT id FROM lake.db.t")
    columns = {each["name"]: each["tags"] for each in engine.control.questions[-1]["questions"][0]["columns"]}
    assert columns == {"id": [], "called": ["pii", "x"], "dept": ["org"]}
    engine.set_tags(ADMIN, "lake.db.t", {}, ["called"])
    facts = engine.facts("ann", "lake", "db", "t")
    assert '"tags":["org"]' in facts
    assert "pii" not in facts
    assert f'"owner":"{ADMIN}"' in facts
    with pytest.raises(ColumnNotFoundError):
        engine.set_tags(ADMIN, "lake.db.t", {"nothing": ["x"]})
    with pytest.raises(TableNotFoundError):
        engine.facts("ann", "lake", "db", "nothing")
    engine.rules.set("ann", "lake.db.t", restricted=["dept"])
    facts = engine.facts("ann", "lake", "db", "t")
    assert "dept" not in facts


def test_the_default_of_a_column_is_checked_and_hidden_as_its_values_are(engine: GuardedEngine) -> None:
    engine.run(
        ADMIN,
        "CREATE OR REPLACE TABLE lake.db.t (id INT, name STRING DEFAULT 'Zoe', dept STRING DEFAULT 'hr') "
        "TBLPROPERTIES ('format-version' = '3')",
    )
    engine.rules.set("ann", "lake.db.t", **FILTER)
    engine.failure("ann", "INSERT INTO lake.db.t (id) VALUES (1)")
    assert (
        type(engine.failure("ann", "ALTER TABLE lake.db.t ALTER COLUMN dept SET DEFAULT 'eng'"))
        is UnsupportedError
    )
    assert stored(engine) == []
    engine.run(ADMIN, "ALTER TABLE lake.db.t ALTER COLUMN dept SET DEFAULT 'eng'")
    engine.run("ann", "INSERT INTO lake.db.t (id) VALUES (2)")
    assert stored(engine) == [(2, "Zoe", "eng")]
    engine.run(ADMIN, "ALTER TABLE lake.db.t ADD COLUMN city STRING DEFAULT 'Delft'")
    engine.rules.set("ann", "lake.db.t", masks={"city": "'?'", "name": "'?'"})
    assert engine.run("ann", "SELECT * FROM lake.db.t") == [(2, "?", "eng", "?")]
    for sql in ("DESCRIBE EXTENDED lake.db.t", "SHOW CREATE TABLE lake.db.t"):
        try:
            shown = str(engine.run("ann", sql))
        except UnsupportedError:
            continue  # which tells nothing either
        assert "Delft" not in shown, sql
        assert "Zoe" not in shown, sql


@pytest.mark.parametrize("sql", ["DELETE FROM lake.db.whole", "DELETE FROM lake.db.whole WHERE true"])
def test_a_delete_of_everything_is_asked_about_too(engine: GuardedEngine, sql: str) -> None:
    engine.run(
        ADMIN, "CREATE TABLE lake.db.whole AS SELECT * FROM VALUES (1, 'eng'), (2, 'hr') AS t(id, dept)"
    )
    try:
        engine.rules.set("ann", "lake.db.whole", denied={"delete"})
        assert type(engine.failure("ann", sql)) is AccessDeniedError
        engine.rules.set("ann", "lake.db.whole", filter="dept = 'eng'")
        engine.run("ann", sql)
        assert engine.run(ADMIN, "SELECT id FROM lake.db.whole") == [(2,)]
        engine.run("bob", sql)
        assert engine.run(ADMIN, "SELECT id FROM lake.db.whole") == []
    finally:
        engine.run(ADMIN, "DROP TABLE lake.db.whole")


def test_the_new_name_of_a_rename_may_begin_with_its_own_catalog(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE SCHEMA IF NOT EXISTS lake.second")
    engine.run(ADMIN, "CREATE OR REPLACE VIEW lake.db.v AS SELECT 1 AS a")
    engine.run(ADMIN, "USE lake.second")
    for kind, old in (("TABLE", "lake.db.t"), ("VIEW", "lake.db.v")):
        where = old
        for new, then in (
            ("lake.db.new", "lake.db.new"),
            ("newer", "lake.db.newer"),  # in its own schema, whatever is current
            ("second.newest", "lake.second.newest"),
            (old, old),
        ):
            engine.run(ADMIN, f"ALTER {kind} {where} RENAME TO {new}")
            where = then
            assert engine.run(ADMIN, f"SELECT * FROM {where}"), where
        error = engine.failure(ADMIN, f"ALTER {kind} {old} RENAME TO spark_catalog.db.x")
        assert type(error) is UnsupportedError
        assert error.message == "RENAME to another catalog is not supported."
        error = engine.failure(ADMIN, f"ALTER {kind} {old} RENAME TO nothing.db.x")
        assert type(error) is SchemaNotFoundError
    engine.run(ADMIN, "DROP VIEW lake.db.v")


def test_a_rename_is_decided_on_where_it_goes(engine: GuardedEngine) -> None:
    engine.rules.set("ann", "lake.db.other", denied={"create_table"})
    for new in ("other", "db.other", "lake.db.other"):
        error = engine.failure("ann", f"ALTER TABLE lake.db.t RENAME TO {new}")
        assert type(error) is AccessDeniedError, new
        assert "cannot create_table lake.db.other" in error.message
