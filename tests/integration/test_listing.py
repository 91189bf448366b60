"""The catalogs of a real engine, and the virtual tables that are made of them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from testing.command import clean_environment

from sqe.config.load import load
from sqe.engine.interface import EngineSession
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.sessions import EngineSessions
from sqe.errors import SchemaNotFoundError, SqeError, TableNotFoundError
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog
from sqe.service.listing import Listing
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.types import trino_type
from sqe.sql.trino.virtual.reference import VirtualReference
from sqe.sql.trino.virtual.source import TableEntry
from sqe.sql.trino.virtual.tables import rows

pytestmark = pytest.mark.engine

SCOPE = Scope("iceberg", "default", "ada", None)
STATEMENTS = (
    r"CREATE TABLE t (id INT NOT NULL COMMENT 'the key', `Odd ``Näme.x` STRING) COMMENT 'it\'s mine'",
    "CREATE TABLE types (a DECIMAL(10,2), b TIMESTAMP, c TIMESTAMP_NTZ, d ARRAY<STRUCT<x: INT>>, e BINARY, f FLOAT)",
    "CREATE VIEW v COMMENT 'seen' AS SELECT id AS `a b` FROM t WHERE 'AS' <> ''",
    "CREATE TABLE base (x INT)",
    "CREATE VIEW broken AS SELECT x FROM base",
    "DROP TABLE base",
    "CREATE NAMESPACE a",
    "CREATE NAMESPACE a.b",
    "CREATE NAMESPACE iceberg.`Ünï``q`",
    "CREATE TABLE a.b.`deep er` (x INT)",
    "CREATE TABLE iceberg.`Ünï``q`.`Tä``ble` (x INT)",
    "CREATE TABLE lake.default.cities (name STRING)",
    "CREATE TEMPORARY VIEW passing AS SELECT 1 AS one",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[EngineSessions]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    config = load(None, clean_environment(home))
    supervisor = Supervisor(config, locate(config), private_directory(home / "work"))
    supervisor.start()
    yield EngineSessions(supervisor, private_directory(home / "memory"))
    supervisor.stop()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> SessionSpec:
    root = tmp_path_factory.mktemp("warehouses")
    return SessionSpec(
        (WarehouseCatalog("iceberg", root / "iceberg"), WarehouseCatalog("lake", root / "lake"))
    )


@pytest.fixture(scope="module")
def session(engine: EngineSessions, spec: SessionSpec) -> Iterator[EngineSession]:
    session = engine.open(spec, Principal("ada", "a test"))
    session.ready(lambda: False)
    for statement in STATEMENTS:
        run(session, statement)
    yield session
    session.close()


@pytest.fixture
def listing(session: EngineSession, spec: SessionSpec) -> Listing:
    return Listing(session, spec, "q_test")


def run(session: EngineSession, sql: str) -> pa.Table:
    schema, *batches = session.stream(sql, "q_test", lambda progress: None)
    return pa.Table.from_batches(batches, schema)


def test_schemas_of_both_catalogs_at_every_depth(listing: Listing) -> None:
    assert listing.catalogs() == ["iceberg", "lake"]
    assert listing.schemas("iceberg") == ["a", "a.b", "default", "Ünï`q"]
    assert listing.schemas("lake") == ["default"]


def test_tables_and_views_but_nothing_temporary(listing: Listing) -> None:
    assert [(entry.name, entry.kind) for entry in listing.tables("iceberg", "default")] == [
        ("broken", "VIEW"),
        ("t", "TABLE"),
        ("types", "TABLE"),
        ("v", "VIEW"),
    ]
    assert listing.tables("iceberg", "a.b") == [TableEntry("iceberg", "a.b", "deep er", "TABLE")]
    assert listing.tables("iceberg", "Ünï`q") == [TableEntry("iceberg", "Ünï`q", "Tä`ble", "TABLE")]
    assert [entry.name for entry in listing.tables("lake", "default")] == ["cities"]
    with pytest.raises(SchemaNotFoundError):
        listing.tables("iceberg", "nope")


def test_comments_and_the_query_of_a_view(listing: Listing) -> None:
    assert listing.comment("iceberg", "default", "t") == "it's mine"
    assert listing.comment("iceberg", "default", "v") == "seen"
    assert listing.comment("iceberg", "a.b", "deep er") is None
    assert listing.view_definition("iceberg", "default", "v") == "SELECT id AS `a b` FROM t WHERE 'AS' <> ''"


def test_columns_with_comments_and_nulls(listing: Listing) -> None:
    columns = listing.columns("iceberg", "default", "t")
    assert columns.names == ["id", "Odd `Näme.x"]
    assert [field.nullable for field in columns] == [False, True]
    assert (columns.field("id").metadata or {}).get(b"comment") == b"the key"
    assert listing.columns("iceberg", "default", "v").names == ["a b"]
    assert listing.columns("iceberg", "Ünï`q", "Tä`ble").names == ["x"]
    texts = [
        trino_type(field.type, field.metadata).text
        for field in listing.columns("iceberg", "default", "types")
    ]
    assert texts == [
        "decimal(10,2)",
        "timestamp(6) with time zone",
        "timestamp(6)",
        "array(row(x integer))",
        "varbinary",
        "real",
    ]
    with pytest.raises(TableNotFoundError):
        listing.columns("iceberg", "default", "nope")
    with pytest.raises(SqeError):
        listing.columns("iceberg", "default", "broken")


def test_virtual_tables_of_it_can_be_queried(session: EngineSession, listing: Listing) -> None:
    everything = rows(VirtualReference("v", None, "information_schema", "columns"), listing, SCOPE, ())
    session.register_rows("everything", "q_test", everything)
    try:
        answer = run(
            session,
            "SELECT table_schema, table_name, column_name, comment FROM everything"
            " WHERE table_schema <> 'information_schema' AND table_name <> 'types' ORDER BY 1, 2, ordinal_position",
        )
    finally:
        session.drop_view("everything", "q_test")
    found = [tuple(row.values()) for row in answer.to_pylist()]
    assert found == [
        ("a.b", "deep er", "x", None),
        ("default", "t", "id", "the key"),
        ("default", "t", "Odd `Näme.x", None),
        ("default", "v", "a b", "the key"),
        ("Ünï`q", "Tä`ble", "x", None),
    ]


def test_all_virtual_tables_can_be_given_to_spark(session: EngineSession, listing: Listing) -> None:
    tables = rows(
        VirtualReference("v", "system", "jdbc", "tables", {"table_cat": "system"}), listing, SCOPE, ()
    )
    for schema, name in zip(tables["table_schem"].to_pylist(), tables["table_name"].to_pylist(), strict=True):
        table = rows(VirtualReference("v", "system", schema, name), listing, SCOPE, ())
        session.register_rows("one", "q_test", table)
        assert run(session, "SELECT * FROM one").num_rows == table.num_rows, name
    session.drop_view("one", "q_test")
    comments = rows(VirtualReference("v", "system", "metadata", "table_comments"), listing, SCOPE, ())
    assert ("t", "it's mine") in zip(
        comments["table_name"].to_pylist(), comments["comment"].to_pylist(), strict=True
    )
