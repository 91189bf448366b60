"""The directories of a warehouse's tables, in an engine of one user."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from testing.command import clean_environment

from sqe.config.load import load
from sqe.engine.interface import EngineSession
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.sessions import EngineSessions
from sqe.errors import SemanticError, SqeError
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog

pytestmark = pytest.mark.engine

DAY = 24 * 3600.0


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="module")
def session(home: Path) -> Iterator[EngineSession]:
    config = load(None, clean_environment(home))
    supervisor = Supervisor(config, locate(config), private_directory(home / "work"))
    supervisor.start()
    sessions = EngineSessions(supervisor, private_directory(home / "memory"))
    session = sessions.open(
        SessionSpec((WarehouseCatalog("lake", home / "lake"),)), Principal("ada", "a test")
    )
    session.ready(lambda: False)
    yield session
    session.close()
    supervisor.stop()


def run(session: EngineSession, sql: str) -> list[tuple[Any, ...]]:
    found = session.stream(sql, "q", lambda progress: None)
    batches = [item for item in found if isinstance(item, pa.RecordBatch)]
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


def test_cleaning_a_table_leaves_the_files_of_the_one_that_had_its_name_before(
    session: EngineSession, home: Path
) -> None:
    run(session, "CREATE TABLE lake.default.r3 AS SELECT 1 AS id")
    run(session, "ALTER TABLE lake.default.r3 RENAME TO default.r4")
    run(session, "CREATE TABLE lake.default.r3 AS SELECT 2 AS id")
    past = time.time() - 30 * DAY
    stray = {}
    for table in ("r3", "r4"):
        stray[table] = place(home, table) / "data" / "stray.parquet"
        stray[table].write_bytes(b"of nobody")
    for path in (home / "lake" / "data").rglob("*"):
        os.utime(path, (past, past))
    run(session, "CALL lake.system.remove_orphan_files(table => 'default.r3')")
    assert not stray["r3"].exists()
    assert stray["r4"].exists()
    assert run(session, "SELECT id FROM lake.default.r4") == [(1,)]
    run(session, "DROP TABLE lake.default.r3 PURGE")
    assert run(session, "SELECT id FROM lake.default.r4") == [(1,)]


def place(home: Path, table: str) -> Path:
    with closing(sqlite3.connect(home / "lake" / "catalog.db", timeout=20)) as database:
        found = database.execute(
            "SELECT metadata_location FROM iceberg_tables WHERE table_name = ?", (table,)
        ).fetchone()
    return Path(str(found[0]).removeprefix("file:")).parents[1]


def test_a_place_that_a_person_names_is_taken_where_they_are_alone(
    session: EngineSession, home: Path
) -> None:
    run(
        session,
        f"CREATE TABLE lake.default.elsewhere USING iceberg LOCATION '{home}/elsewhere' AS SELECT 1 AS id",
    )
    assert place(home, "elsewhere") == home / "elsewhere"


@pytest.mark.parametrize("name", ["../../out", "a.b", "a/b", ".."])
def test_a_name_does_not_lead_out_of_the_warehouse(session: EngineSession, home: Path, name: str) -> None:
    before = set(home.rglob("*"))
    for statement in (
        f"CREATE TABLE lake.default.`{name}` AS SELECT 1 AS id",
        f"CREATE TABLE lake.`{name}`.t AS SELECT 1 AS id",
        f"CREATE VIEW lake.default.`{name}` AS SELECT 1 AS id",
        f"CREATE NAMESPACE lake.`{name}`",
    ):
        with pytest.raises(SemanticError, match="is not valid"):
            run(session, statement)
    assert {path for path in set(home.rglob("*")) - before if path.suffix in {".json", ".parquet"}} == set()


def test_a_table_at_a_path_is_no_table_of_the_catalog(session: EngineSession, home: Path) -> None:
    run(session, "CREATE TABLE lake.default.known AS SELECT 1 AS id")
    with pytest.raises(SqeError):
        run(session, f"SELECT * FROM lake.`{place(home, 'known')}`")
