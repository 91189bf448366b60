"""Each object has one valid name; objects that a principal may not see do not exist for it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.engine.launcher.supervisor import Supervisor
from sqe.errors import (
    AccessDeniedError,
    DuplicateObjectError,
    SchemaNotFoundError,
    SemanticError,
    SqeError,
    TableNotFoundError,
)
from sqe.model.decision import Operation

pytestmark = pytest.mark.engine

TABLE = "lake.deep.inner.sec"
SET_UP = (
    "CREATE SCHEMA lake.deep",
    "CREATE SCHEMA lake.deep.inner",
    "CREATE SCHEMA lake.pub",
    "CREATE TABLE lake.deep.inner.sec (id INT, word STRING)",
    "INSERT INTO lake.deep.inner.sec VALUES (1, 'seen'), (2, 'hidden')",
    "ALTER TABLE lake.deep.inner.sec CREATE BRANCH side",
    "CREATE VIEW lake.deep.inner.v AS SELECT 1 AS one",
    "CREATE TABLE lake.pub.t (id INT)",
)
NOTHING = {operation.value for operation in Operation}
"""Denied, all of it."""


@pytest.fixture(scope="module")
def running(guarded: GuardedEngine) -> GuardedEngine:
    for statement in SET_UP:
        guarded.run(ADMIN, statement)
    return guarded


@pytest.fixture
def engine(running: GuardedEngine) -> Iterator[GuardedEngine]:
    running.rules.set("ann", TABLE, filter="id = 1")
    yield running
    running.forget()


def error_parts(engine: GuardedEngine, user: str, sql: str) -> tuple[type[SqeError], str, str | None, object]:
    """Return all parts of an error."""
    error = engine.failure(user, sql)
    return type(error), error.message, error.hint, error.position


# -- One spelling -----------------------------------------------------------------------------------------------------

OTHER_SPELLINGS = (
    "lake.`deep.inner`.sec",
    "lake.`deep.inner.sec`",
    "lake.deep.`inner.sec`",
    "IDENTIFIER('lake.`deep.inner`.sec')",
    "lake.`deep.inner`.sec.files",
    "lake.`deep.inner`.sec.branch_side",
    "lake.`deep.inner`.sec VERSION AS OF 'side'",
    "lake.deep.``.inner.sec",
    "lake.`deep\u001finner`.sec",
    "lake.`deep/inner`.sec",
    "lake.deep.inner.`sec `",
    "lake.deep.inner.` sec`",
    "lake.deep.inner.`s\u200bec`",
    "lake.deep.inner.SEC",
    "lake.DEEP.inner.sec",
)


@pytest.mark.parametrize("name", OTHER_SPELLINGS)
def test_a_table_is_not_reached_by_another_spelling(engine: GuardedEngine, name: str) -> None:
    for user in ("ann", ADMIN):
        with pytest.raises(SqeError) as raised:
            engine.run(user, f"SELECT * FROM {name}")
        assert "hidden" not in raised.value.message
        assert raised.value.code in {"TABLE_NOT_FOUND", "SYNTAX_ERROR"}, name


@pytest.mark.parametrize(
    "statement",
    [
        "DESCRIBE lake.`deep.inner`.sec",
        "SHOW CREATE TABLE lake.`deep.inner`.sec",
        "SHOW COLUMNS IN lake.`deep.inner`.sec",
        "INSERT INTO lake.`deep.inner`.sec VALUES (3, 'x')",
        "DELETE FROM lake.`deep.inner`.sec",
        "UPDATE lake.`deep.inner`.sec SET id = 3",
        "ALTER TABLE lake.`deep.inner`.sec ADD COLUMN x INT",
        "ALTER TABLE lake.`deep.inner`.sec ADD PARTITION FIELD id",
        "ALTER TABLE lake.`deep.inner`.sec CREATE BRANCH other",
        "ALTER TABLE lake.`deep.inner`.sec RENAME TO pub.taken",
        "DROP TABLE lake.`deep.inner`.sec",
        "DROP TABLE lake.`deep.inner`.sec PURGE",
        "DROP VIEW lake.`deep.inner`.v",
        "CALL lake.system.rewrite_data_files('`deep.inner`.sec')",
        "CALL lake.system.expire_snapshots('lake.`deep.inner`.sec')",
        'SELECT * FROM sqe_table(\'["lake","deep.inner","sec"]\')',
    ],
)
def test_a_command_does_not_reach_it_either(engine: GuardedEngine, statement: str) -> None:
    with pytest.raises(SqeError):
        engine.run(ADMIN, statement)
    assert sorted(engine.run(ADMIN, "SELECT * FROM lake.deep.inner.sec")) == [(1, "seen"), (2, "hidden")]
    assert engine.run(ADMIN, "SELECT * FROM lake.deep.inner.v") == [(1,)]


@pytest.mark.parametrize(
    "statement",
    [
        "SHOW TABLES IN lake.`deep.inner`",
        "SHOW VIEWS IN lake.`deep.inner`",
        "SHOW NAMESPACES IN lake.`deep.inner`",
        "DESCRIBE NAMESPACE lake.`deep.inner`",
        "USE lake.`deep.inner`",
        "DROP NAMESPACE lake.`deep.inner`",
        "ALTER NAMESPACE lake.`deep.inner` SET PROPERTIES ('a' = 'b')",
    ],
)
def test_a_schema_has_one_spelling_too(engine: GuardedEngine, statement: str) -> None:
    assert isinstance(engine.failure(ADMIN, statement), SchemaNotFoundError)


BAD_PARTS = (
    *("a.b", "a..b", ".", "..", "../x", "a/b", "/tmp/x", "a\\b", " a", "a ", "a\tb", "a\nb", "a\u001fb"),
    *("a\u200bb", "\u202eab", "a\u00a0b", "a\ufeff", "\u3164", "caf" + "e\u0301", "a\ufe0f", "x" * 256),
)


@pytest.mark.parametrize("part", BAD_PARTS)
def test_nothing_gets_a_name_that_is_not_valid(engine: GuardedEngine, part: str) -> None:
    before = set(engine.warehouse.parent.rglob("*"))
    for statement in (
        f"CREATE TABLE lake.pub.`{part}` (id INT)",
        f"CREATE TABLE lake.pub.`{part}` AS SELECT 1 AS id",
        f"CREATE OR REPLACE TABLE lake.pub.`{part}` (id INT)",
        f"CREATE OR REPLACE TABLE lake.pub.`{part}` AS SELECT 1 AS id",
        f"CREATE TABLE lake.`{part}`.t (id INT)",
        f"CREATE VIEW lake.pub.`{part}` AS SELECT 1 AS one",
        f"CREATE OR REPLACE VIEW lake.pub.`{part}` AS SELECT 1 AS one",
        f"CREATE NAMESPACE lake.`{part}`",
        f"CREATE NAMESPACE lake.pub.`{part}`",
        f"ALTER TABLE lake.pub.t RENAME TO pub.`{part}`",
        f"ALTER VIEW lake.deep.inner.v RENAME TO pub.`{part}`",
    ):
        error = engine.failure(ADMIN, statement)
        assert isinstance(error, SemanticError), (statement, error)
        assert "is not valid: it " in error.message, statement
    assert set(engine.warehouse.parent.rglob("*")) - before == set()


@pytest.mark.parametrize(
    "part", ["a b", "ünï", "$a", "a-b", "名前", "q`r", "1", "a'b", "%2e", "\uff21", "*", "x" * 255]
)
def test_other_names_are_fine(engine: GuardedEngine, part: str) -> None:
    quoted = part.replace("`", "``")
    engine.run(ADMIN, f"CREATE NAMESPACE lake.pub.`{quoted}`")
    engine.run(ADMIN, f"CREATE TABLE lake.pub.`{quoted}`.`{quoted}` AS SELECT 7 AS id")
    assert engine.run(ADMIN, f"SELECT id FROM lake.pub.`{quoted}`.`{quoted}`") == [(7,)]
    engine.run(ADMIN, f"DROP TABLE lake.pub.`{quoted}`.`{quoted}` PURGE")
    engine.run(ADMIN, f"DROP NAMESPACE lake.pub.`{quoted}`")


# -- Bad objects in listings ------------------------------------------------------------------------------------------

BAD_ROWS = ("pub.a..b", "..", "x/y", " blank", "z\u200bz", "a\u001fb")


def test_an_object_with_a_bad_name_is_left_out_of_listings_and_harms_no_other(engine: GuardedEngine) -> None:
    namespaces = sorted(engine.run(ADMIN, "SHOW NAMESPACES IN lake"))
    tables = sorted(engine.run(ADMIN, "SHOW TABLES IN lake.pub"))
    with closing(sqlite3.connect(engine.warehouse / "catalog.db", timeout=20)) as database, database:
        for name in BAD_ROWS:
            database.execute(
                "INSERT INTO iceberg_namespace_properties VALUES ('lake', ?, 'exists', 'true')", (name,)
            )
            database.execute(
                "INSERT INTO iceberg_tables VALUES ('lake', 'pub', ?, '/nowhere', NULL, 'TABLE')", (name,)
            )
            database.execute(
                "INSERT INTO iceberg_tables VALUES ('lake', 'pub', ?, '/nowhere', NULL, 'VIEW')",
                (f"{name} ",),
            )
    try:
        assert sorted(engine.run(ADMIN, "SHOW NAMESPACES IN lake")) == namespaces
        assert sorted(engine.run(ADMIN, "SHOW TABLES IN lake.pub")) == tables
        assert engine.run(ADMIN, "SHOW VIEWS IN lake.pub") == []
        assert engine.run(ADMIN, "SHOW NAMESPACES IN lake.pub.a") == []
    finally:
        with closing(sqlite3.connect(engine.warehouse / "catalog.db", timeout=20)) as database, database:
            for name in BAD_ROWS:
                database.execute("DELETE FROM iceberg_namespace_properties WHERE namespace = ?", (name,))
            database.execute("DELETE FROM iceberg_tables WHERE metadata_location = '/nowhere'")


# -- Places -----------------------------------------------------------------------------------------------------------


def location(engine: GuardedEngine, table: str) -> str:
    _, schema, name = table.split(".")
    with closing(sqlite3.connect(engine.warehouse / "catalog.db", timeout=20)) as database:
        found = database.execute(
            "SELECT metadata_location FROM iceberg_tables WHERE table_namespace = ? AND table_name = ?",
            (schema, name),
        ).fetchone()
    return str(found[0]).partition("/metadata/")[0].removeprefix("file:")


def test_a_table_never_shares_the_directory_of_one_that_had_its_name(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE TABLE lake.pub.r3 AS SELECT 1 AS id")
    engine.run(ADMIN, "ALTER TABLE lake.pub.r3 RENAME TO pub.r4")
    engine.run(ADMIN, "CREATE TABLE lake.pub.r3 (id INT)")
    engine.run(ADMIN, "INSERT INTO lake.pub.r3 VALUES (2)")
    places = [location(engine, "lake.pub.r3"), location(engine, "lake.pub.r4")]
    assert not places[0].startswith(places[1])
    assert not places[1].startswith(places[0])
    engine.run(ADMIN, "DROP TABLE lake.pub.r3 PURGE")
    assert engine.run(ADMIN, "SELECT * FROM lake.pub.r4") == [(1,)]
    engine.run(ADMIN, "DROP TABLE lake.pub.r4 PURGE")


def test_a_table_that_is_replaced_stays_where_it_is(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE OR REPLACE TABLE lake.pub.same AS SELECT 1 AS id")
    place = location(engine, "lake.pub.same")
    engine.run(ADMIN, "CREATE OR REPLACE TABLE lake.pub.same AS SELECT 2 AS id")
    engine.run(ADMIN, "REPLACE TABLE lake.pub.same AS SELECT 3 AS id")
    assert location(engine, "lake.pub.same") == place
    assert engine.run(ADMIN, "SELECT * FROM lake.pub.same") == [(3,)]
    engine.run(ADMIN, "DROP TABLE lake.pub.same PURGE")


def test_files_lie_below_the_warehouse_and_are_private(engine: GuardedEngine) -> None:
    engine.run(ADMIN, "CREATE VIEW lake.pub.seen AS SELECT 1 AS one")
    engine.run(ADMIN, "CREATE TABLE lake.pub.private AS SELECT 1 AS id")
    data = engine.warehouse / "data"
    place = location(engine, "lake.pub.private")
    assert re.fullmatch(re.escape(f"{data}/pub/private-") + "[0-9a-f-]{36}", place)
    modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in (data / "pub").rglob("*")}
    assert modes == {(True, 0o700), (False, 0o600)}
    engine.run(ADMIN, "DROP VIEW lake.pub.seen")
    engine.run(ADMIN, "DROP TABLE lake.pub.private PURGE")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_writing_files_starts_no_process(engine: GuardedEngine) -> None:
    """Hadoop would start chmod for each file and directory."""
    supervisor = engine.sessions.source
    assert isinstance(supervisor, Supervisor)

    def faults_of_children() -> int:
        """Return the page faults of processes that the engine has started and that have ended."""
        return int(Path(f"/proc/{supervisor.pid}/stat").read_text().rpartition(")")[2].split()[8])

    before = faults_of_children()
    engine.run(ADMIN, "CREATE TABLE lake.pub.quiet AS SELECT 1 AS id")
    engine.run(ADMIN, "DROP TABLE lake.pub.quiet PURGE")
    assert faults_of_children() == before


def test_a_link_out_of_the_warehouse_is_not_followed(engine: GuardedEngine) -> None:
    outside = engine.warehouse.parent / "outside"
    outside.mkdir()
    (engine.warehouse / "data" / "linked").symlink_to(outside)
    engine.run(ADMIN, "CREATE NAMESPACE lake.linked")
    for statement in (
        "CREATE TABLE lake.linked.t AS SELECT 1 AS id",
        "CREATE VIEW lake.linked.v AS SELECT 1 AS one",
    ):
        assert "warehouse" in engine.failure(ADMIN, statement).message
    assert list(outside.iterdir()) == []


# -- What is not there for somebody -----------------------------------------------------------------------------------

HIDDEN_READS = (
    "SELECT * FROM {}",
    "SELECT * FROM {} TIMESTAMP AS OF '1999-01-01'",
    "SELECT * FROM {} VERSION AS OF 42",
    "SELECT * FROM {} VERSION AS OF 'none'",
    "SELECT * FROM {}.branch_side",
    "SELECT * FROM {}.branch_none",
    "SELECT * FROM {}.tag_none",
    "SELECT * FROM {}.snapshot_id_42",
    "SELECT * FROM {}.at_timestamp_42",
    "SELECT * FROM {}.files",
    "SELECT * FROM {}.changes",
    "SELECT * FROM {}.other",
    "SELECT * FROM IDENTIFIER('{}')",
    "DESCRIBE {}",
    "DESCRIBE EXTENDED {}",
    "SHOW CREATE TABLE {}",
    "SHOW COLUMNS IN {}",
    "SHOW TBLPROPERTIES {}",
    "ALTER TABLE {} ADD COLUMN x INT",
    "ALTER TABLE {} ADD PARTITION FIELD id",
    "ALTER TABLE {} WRITE ORDERED BY id",
    "ALTER TABLE {} CREATE BRANCH x",
    "ALTER TABLE {} RENAME TO pub.x",
    "DROP TABLE {}",
    "DROP TABLE {} PURGE",
    "DROP TABLE IF EXISTS {}",
    "DROP VIEW {}",
    "TRUNCATE TABLE {}",
    "INSERT INTO {} VALUES (1, 'x')",
    "INSERT OVERWRITE {} VALUES (1, 'x')",
    "UPDATE {} SET id = 1",
    "DELETE FROM {} WHERE id = 1",
    "MERGE INTO {} USING lake.pub.t s ON false WHEN NOT MATCHED THEN INSERT *",
    "CREATE TABLE {} (id INT)",
    "CREATE TABLE IF NOT EXISTS {} (id INT)",
    "CREATE TABLE {} AS SELECT 1 AS id",
    "CREATE OR REPLACE TABLE {} AS SELECT 1 AS id",
    "REPLACE TABLE {} AS SELECT 1 AS id",
    "CREATE VIEW {} AS SELECT 1 AS id",
    "CREATE OR REPLACE VIEW {} AS SELECT 1 AS id",
    "CREATE VIEW lake.pub.w AS SELECT * FROM {}",
    "CALL lake.system.rewrite_data_files('{}')",
    "SELECT * FROM sqe_table('[\"{}\"]')",
)


@pytest.mark.parametrize("statement", HIDDEN_READS)
@pytest.mark.parametrize("hidden", ["sec", "v"])
def test_what_somebody_may_not_see_is_as_if_it_were_not_there(
    engine: GuardedEngine, statement: str, hidden: str
) -> None:
    for name in (hidden, "nul"):
        engine.rules.set("eve", f"lake.deep.inner.{name}", denied=NOTHING)
    table, none = f"lake.deep.inner.{hidden}", "lake.deep.inner.nul"
    if "sqe_table" in statement:
        table, none = (name.replace(".", '","') for name in (table, none))
    answers = []
    for name in (table, none):
        try:
            answers.append(repr(engine.run("eve", statement.format(name))))
        except SqeError as error:
            answers.append(f"{type(error).__name__} {error.message} {error.hint} {error.position}")
    assert answers[0] == re.sub(r"\bnul\b", hidden, answers[1])
    assert sorted(engine.run(ADMIN, "SELECT id FROM lake.deep.inner.sec")) == [(1,), (2,)]
    assert engine.run(ADMIN, "SELECT * FROM lake.deep.inner.v") == [(1,)]


def test_the_gateway_s_listings_hide_what_statements_hide(engine: GuardedEngine) -> None:
    inner = ("deep", "inner")
    everything = engine.session(ADMIN).tables("lake", inner, "q")
    assert everything["sec"] is False
    assert everything["v"] is True
    assert inner in engine.session(ADMIN).namespaces("lake", "q")
    for name in ("sec", "v"):
        engine.rules.set("eve", f"lake.deep.inner.{name}", denied=NOTHING)
    eve = engine.session("eve")
    shown = {row[1] for row in engine.run("eve", "SHOW TABLES IN lake.deep.inner")}
    assert set(eve.tables("lake", inner, "q")) == shown == everything.keys() - {"sec", "v"}
    for nothing in (("deep.inner",), ("deep", "nul"), ("deep", ""), ("..",)):
        with pytest.raises(SqeError):
            eve.tables("lake", nothing, "q")
    for catalog in ("nul", "", "spark_catalog"):
        with pytest.raises(SqeError):
            eve.namespaces(catalog, "q")


def test_who_may_list_it_is_told_that_they_may_not(engine: GuardedEngine) -> None:
    engine.rules.set("eve", TABLE, denied=NOTHING - {"list"})
    assert error_parts(engine, "eve", f"SELECT * FROM {TABLE}")[0] is AccessDeniedError
    assert error_parts(engine, "eve", f"DROP TABLE {TABLE}")[0] is AccessDeniedError
    assert error_parts(engine, "eve", f"CREATE TABLE {TABLE} (id INT)")[0] is DuplicateObjectError


def test_who_may_create_learns_that_a_name_is_taken_and_replaces_nothing(engine: GuardedEngine) -> None:
    for name in ("sec", "v"):
        engine.rules.set("eve", f"lake.deep.inner.{name}", denied=NOTHING - {"create_table", "create_view"})
    for statement in (
        f"CREATE TABLE {TABLE} (id INT)",
        f"CREATE OR REPLACE TABLE {TABLE} AS SELECT 3 AS id",
        "CREATE OR REPLACE VIEW lake.deep.inner.v AS SELECT 3 AS one",
    ):
        assert error_parts(engine, "eve", statement)[0] is DuplicateObjectError, statement
    assert error_parts(engine, "eve", f"SELECT * FROM {TABLE}")[0] is TableNotFoundError


@pytest.mark.parametrize(
    "statement",
    [
        "SHOW TABLES IN {}",
        "SHOW VIEWS IN {}",
        "SHOW NAMESPACES IN {}",
        "DESCRIBE NAMESPACE {}",
        "USE {}",
        "DROP NAMESPACE {}",
        "DROP NAMESPACE IF EXISTS {}",
        "ALTER NAMESPACE {} SET PROPERTIES ('a' = 'b')",
        "CREATE NAMESPACE {}",
        "CREATE NAMESPACE IF NOT EXISTS {}",
    ],
)
def test_a_schema_that_somebody_may_not_see_is_as_if_it_were_not_there(
    engine: GuardedEngine, statement: str
) -> None:
    for name in ("deep", "nope"):
        engine.rules.set("eve", f"lake.{name}", denied=NOTHING)
    answers = []
    for name in ("deep", "nope"):
        try:
            answers.append(repr(engine.run("eve", statement.format(f"lake.{name}"))))
        except SqeError as error:
            answers.append(f"{type(error).__name__} {error.message} {error.hint} {error.position}")
    assert answers[0] == answers[1].replace("nope", "deep")


def test_a_schema_shows_neither_directories_nor_the_account_of_the_server(engine: GuardedEngine) -> None:
    text = repr(engine.run(ADMIN, "DESCRIBE NAMESPACE EXTENDED lake.pub"))
    assert str(engine.warehouse) not in text
    assert "Owner" not in text
    assert "Location" not in text
