"""The engine interface of the query service, on a real engine."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from testing.command import clean_environment

from sqe.config.load import load
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.sessions import EngineSessions, SparkEngineSession
from sqe.errors import (
    CatalogNotFoundError,
    ColumnNotFoundError,
    DataError,
    SqeError,
    SqlSyntaxError,
    TableNotFoundError,
)
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog

pytestmark = pytest.mark.engine

Open = Callable[..., SparkEngineSession]


@pytest.fixture(scope="module")
def supervisor() -> Iterator[Supervisor]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    config = load(None, clean_environment(home) | {"SQE_ENGINE__MEMORY": "2GB"})
    locations = locate(config)
    engine = Supervisor(config, locations, private_directory(locations.run / "test"))
    engine.start()
    yield engine
    engine.stop()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="module")
def open_(supervisor: Supervisor) -> Iterator[Open]:
    with tempfile.TemporaryDirectory(prefix="sqe-test-") as scratch:
        sessions = EngineSessions(supervisor, Path(scratch))
        opened: list[SparkEngineSession] = []

        def open_(**spec: Any) -> SparkEngineSession:
            session = sessions.open(
                SessionSpec((WarehouseCatalog("lake", None),), **spec), Principal("me", "a test")
            )
            session.ready(lambda: False)
            opened.append(session)
            return session

        yield open_
        for session in opened:
            session.close()


@pytest.fixture(scope="module")
def session(open_: Open) -> SparkEngineSession:
    """One for tests that leave nothing behind, in a zone that has an hour twice a year."""
    session = open_(time_zone="Europe/Amsterdam")
    run(
        session,
        "CREATE TABLE trips (id BIGINT COMMENT 'the key', city STRING, price DECIMAL(10,2), day DATE, "
        "at TIMESTAMP, tags ARRAY<STRING>, stop STRUCT<name: STRING, nr: INT>)",
    )
    return session


def run(session: SparkEngineSession, sql: str, *parameters: pa.Scalar, tag: str | None = None) -> pa.Table:
    schema, *batches = session.stream(sql, tag or uuid.uuid4().hex, lambda progress: None, parameters)
    return pa.Table.from_batches(batches, schema)


def rows(session: SparkEngineSession, sql: str, *parameters: pa.Scalar) -> list[dict[str, Any]]:
    return list(run(session, sql, *parameters).to_pylist())


# -- parameters ---------------------------------------------------------------------------------------------------

VALUES = [
    pa.scalar(True),
    pa.scalar(-128, pa.int8()),
    pa.scalar(2**62),
    pa.scalar(0.1, pa.float32()),
    pa.scalar(float("-inf")),
    pa.scalar(Decimal("-0.01"), pa.decimal128(5, 2)),
    pa.scalar("it's \\n \" ? -- ${x} \n \0 €"),
    pa.scalar(b"\x00\xff'"),
    pa.scalar(-1_000_000, pa.date32()),
    pa.scalar(1_635_640_200_000_000, pa.timestamp("us", tz="Europe/Amsterdam")),  # 02:30, and
    pa.scalar(1_635_643_800_000_000, pa.timestamp("us", tz="Europe/Amsterdam")),  # 02:30 once more
    pa.scalar(-62_135_596_800_000_001, pa.timestamp("us")),
    pa.scalar(-1, pa.duration("us")),
    pa.scalar(pa.MonthDayNano([1, 2, 3_000])),
    pa.scalar([[1], None, []], pa.list_(pa.list_(pa.int32()))),
    pa.scalar([("a", 1), ("b", None)], pa.map_(pa.string(), pa.int64())),
    pa.scalar({"a": 1, "b": {"c": [Decimal("1.10")]}}),
    pa.scalar(None, pa.list_(pa.int8())),
    pa.scalar(None, pa.decimal128(7, 3)),
]


def test_a_parameter_arrives_as_it_is(session: SparkEngineSession) -> None:
    names = ", ".join(f"? AS v{index}" for index in range(len(VALUES)))
    back = run(session, f"SELECT {names}", *VALUES)
    for value, column in zip(VALUES, back.itercolumns(), strict=True):
        assert column.type == value.type
        assert column[0].equals(value)


def test_parameters_work_in_every_statement(session: SparkEngineSession) -> None:
    one, two, text = pa.scalar(1), pa.scalar(2), pa.scalar("x'?")
    run(session, "CREATE TABLE p AS SELECT ? AS id, ? AS name", one, text)
    run(session, "INSERT INTO p VALUES (?, ?), (3, 'c')", two, text)
    run(session, "INSERT INTO p SELECT ?, ?", pa.scalar(4), text)
    run(session, "UPDATE p SET name = ? WHERE id = ?", pa.scalar("u"), two)
    run(session, "DELETE FROM p WHERE id = ?", pa.scalar(3))
    run(
        session,
        "MERGE INTO p USING (SELECT ? AS id) s ON p.id = s.id WHEN MATCHED THEN UPDATE SET name = ?",
        pa.scalar(4),
        pa.scalar("m"),
    )
    assert rows(session, "SELECT * FROM p ORDER BY id LIMIT ? OFFSET ?", *map(pa.scalar, (10, 0))) == [
        {"id": 1, "name": "x'?"},
        {"id": 2, "name": "u"},
        {"id": 4, "name": "m"},
    ]
    nested = "WITH q AS (SELECT * FROM p WHERE id > ?) SELECT count(*) n FROM q WHERE id IN (SELECT ? UNION SELECT ?)"
    assert rows(session, nested, one, two, pa.scalar(9)) == [{"n": 1}]
    assert rows(session, "SHOW TABLES LIKE ?", pa.scalar("p"))[0]["tableName"] == "p"  # no place for a value
    run(session, "DROP TABLE p")


def test_a_parameter_too_few_is_an_error(session: SparkEngineSession) -> None:
    with pytest.raises(SqeError, match="unbound parameter"):
        run(session, "SELECT ?, ?", pa.scalar(1))


def test_the_place_of_an_error_is_one_in_the_text(session: SparkEngineSession) -> None:
    with pytest.raises(ColumnNotFoundError) as caught:
        run(session, "SELECT ?, nothing", pa.scalar("a value that is longer than its mark"))
    assert caught.value.position is not None
    assert caught.value.position.column == 11


# -- what a statement is, before it runs --------------------------------------------------------------------------


def test_a_described_schema_is_that_of_the_rows(session: SparkEngineSession) -> None:
    query = (
        "SELECT 1 AS a, 'x', cast(null AS void) n, 1S, float(1), 1.5, X'00', DATE'2020-01-01', current_timestamp(), "
        "TIMESTAMP_NTZ'2020-01-01 00:00:00', INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 02' DAY TO HOUR, "
        "make_interval(1, 2), array(1, null), map('a', 1), struct(1 AS x, array(INTERVAL '1' YEAR) AS y) s, "
        "parse_json('1') v, array(parse_json('1')), CAST('a' AS CHAR(3)), id AS twice, id AS twice FROM range(2)"
    )
    described = session.describe(query, "d")
    sent = run(session, query).schema
    assert described.equals(sent)
    assert [str(field.type) for field in described] == [str(field.type) for field in sent]
    variant = described.field("v").type.field("metadata")
    assert variant.metadata == sent.field("v").type.field("metadata").metadata == {b"variant": b"true"}


VOID_KEYS = [
    "map() AS x",
    "array(map()) AS x",
    "named_struct('a', map()) AS x",
    "map('k', map()) AS x",
    "map_filter(map(), (k, v) -> true) AS x",
    "map_from_arrays(array(), array()) AS x",
]
TWICE = [
    "named_struct('a', 1, 'a', 2) AS x, 1 AS y, 2 AS y",
    "array(named_struct('a', 1, 'b', named_struct('c', 1, 'C', 2, 'c', 3), 'a', 2)) AS x",
    "map('k', named_struct('a', 1, 'a', 'x')) AS x",
]


@pytest.mark.parametrize("columns", TWICE)
def test_names_that_a_struct_has_twice_are_described_as_they_are_sent(
    session: SparkEngineSession, columns: str
) -> None:
    query = f"SELECT {columns}"
    assert str(session.describe(query, "d")) == str(run(session, query).schema)


@pytest.mark.parametrize("rows", [0, 2])
@pytest.mark.parametrize("columns", VOID_KEYS)
def test_maps_without_entries_are_sent_as_they_are_described(
    session: SparkEngineSession, columns: str, rows: int
) -> None:
    query = f"SELECT {columns} FROM range({rows})"
    sent = run(session, query)
    assert session.describe(query, "d").equals(sent.schema)
    assert sent.num_rows == rows


def test_a_query_with_a_name_as_its_parameter_is_described_by_its_value(session: SparkEngineSession) -> None:
    query = "SELECT * FROM IDENTIFIER(?) WHERE id = ?"
    assert session.parameter_types(query, "d", 2)[0] == pa.string()
    values = [pa.scalar("trips"), pa.scalar(1, pa.int64())]
    described = session.describe(query, "d", values)
    assert described.names[:2] == ["id", "city"]
    assert run(session, query, *values).schema.names == described.names
    with pytest.raises(TableNotFoundError):
        session.describe(query, "d", [pa.scalar("nothing"), values[1]])


def test_a_query_with_parameters_is_described(session: SparkEngineSession) -> None:
    described = session.describe("SELECT id, ? AS p FROM trips WHERE day = ?", "d", [pa.int8(), pa.date32()])
    assert described == pa.schema([("id", pa.int64()), ("p", pa.int8())])
    assert described.field("id").metadata == {b"comment": b"the key"}


@pytest.mark.parametrize(
    ("sql", "types"),
    [
        (
            "SELECT * FROM trips WHERE id = ? AND city LIKE ? AND price > ? AND day BETWEEN ? AND ?",
            [pa.int64(), pa.string(), pa.decimal128(10, 2), pa.date32(), pa.date32()],
        ),
        ("SELECT * FROM trips WHERE at < ?", [pa.timestamp("us", tz="Europe/Amsterdam")]),
        ("SELECT '?' || ? -- ?\n /* ? */", [pa.string()]),
        ("SELECT ?", [pa.string()]),
        ("SELECT * FROM trips LIMIT ? OFFSET ?", [pa.int32(), pa.int32()]),
        ("SELECT CAST(? AS DATE), CASE WHEN ? THEN 1 END, ? + 1", [pa.date32(), pa.bool_(), pa.int32()]),
        (
            "SELECT * FROM trips WHERE id IN (?) AND city IN (SELECT city FROM trips WHERE day = ?)",
            [pa.int64(), pa.date32()],
        ),
        (
            "WITH q AS (SELECT * FROM trips WHERE day = ?) SELECT * FROM q WHERE id = ?",
            [pa.date32(), pa.int64()],
        ),
        ("INSERT INTO trips (city, id) VALUES (?, ?), ('x', 1), (?, ?)", [pa.string(), pa.int64()] * 2),
        (
            "INSERT INTO trips (price, id) SELECT ?, id FROM trips WHERE city = ?",
            [pa.decimal128(10, 2), pa.string()],
        ),
        (
            "INSERT INTO trips (tags, stop) VALUES (?, ?)",
            [pa.list_(pa.string()), pa.struct([("name", pa.string()), ("nr", pa.int32())])],
        ),
        (
            "UPDATE trips SET city = ?, price = ? WHERE id = ?",
            [pa.string(), pa.decimal128(10, 2), pa.int64()],
        ),
        ("DELETE FROM trips WHERE day = ?", [pa.date32()]),
        (
            "MERGE INTO trips t USING (SELECT ? AS id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET day = ?",
            [pa.int64(), pa.date32()],
        ),
        ("CREATE TABLE made AS SELECT * FROM trips WHERE id = ?", [pa.int64()]),
        ("SELECT CAST(? AS DECIMAL(38, 18))", [pa.decimal128(38, 18)]),
        ("SELECT * FROM range(?)", [pa.string()]),  # nothing says it
        ("SHOW TABLES LIKE ?", [pa.string()]),
        ("EXECUTE IMMEDIATE 'DROP TABLE trips' USING ?", [pa.string()]),
    ],
)
def test_a_parameter_has_the_type_that_spark_wants(
    session: SparkEngineSession, sql: str, types: list[pa.DataType]
) -> None:
    assert list(session.parameter_types(sql, "p", len(types))) == types
    assert rows(session, "SELECT count(*) n FROM trips") == [{"n": 0}]  # and nothing ran
    assert "made" not in {row["tableName"] for row in rows(session, "SHOW TABLES")}


def test_asking_for_the_parameters_of_a_call_does_not_run_it(session: SparkEngineSession) -> None:
    run(session, "CREATE TABLE called AS SELECT 1 AS a")
    run(session, "INSERT INTO called VALUES (2)")
    first = "SELECT snapshot_id FROM lake.default.called.snapshots ORDER BY committed_at LIMIT 1"
    [snapshot] = rows(session, first)
    sql = f"CALL lake.system.rollback_to_snapshot('default.called', {snapshot['snapshot_id']})"
    assert list(session.parameter_types(sql, "p", 1)) == [pa.string()]
    assert rows(session, "SELECT count(*) n FROM called") == [{"n": 2}]
    run(session, "DROP TABLE called")


@pytest.mark.parametrize(
    ("sql", "error", "column"),
    [
        ("SELECT * FROM trips WHERE nothing = ?", ColumnNotFoundError, 27),
        ("INSERT INTO nowhere VALUES (?)", TableNotFoundError, 13),
        ("SELECT * FORM trips WHERE id = ?", SqlSyntaxError, 15),
    ],
)
def test_a_wrong_statement_has_no_parameter_types(
    session: SparkEngineSession, sql: str, error: type[SqeError], column: int
) -> None:
    with pytest.raises(error) as caught:
        session.parameter_types(sql, "p", 1)
    assert caught.value.position is not None
    assert caught.value.position.column == column


def test_a_table_is_described_by_its_name(session: SparkEngineSession) -> None:
    schema = session.table_schema(["lake", "default", "trips"], "t")
    assert schema.names == ["id", "city", "price", "day", "at", "tags", "stop"]
    assert schema.field("id").metadata == {b"comment": b"the key"}
    run(session, "CREATE TABLE `we``ird name` (a INT NOT NULL)")
    assert session.table_schema(["we`ird name"], "t") == pa.schema(
        [pa.field("a", pa.int32(), nullable=False)]
    )
    run(session, "DROP TABLE `we``ird name`")
    with pytest.raises(TableNotFoundError):
        session.table_schema(["lake", "default", "nothing"], "t")


# -- what a statement changed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "mode"),
    [(2, "copy-on-write"), (3, "copy-on-write"), (2, "merge-on-read"), (3, "merge-on-read")],
)
def test_changed_rows_are_counted_or_not_known(open_: Open, version: int, mode: str) -> None:
    session = open_()
    marks = (version, mode) == (2, "merge-on-read")  # several delete files may name a row
    modes = ", ".join(f"'write.{command}.mode' = '{mode}'" for command in ("delete", "update", "merge"))
    run(
        session,
        f"CREATE TABLE t (id BIGINT, name STRING) TBLPROPERTIES ('format-version' = '{version}', {modes})",
    )
    merge = (
        "MERGE INTO t USING (SELECT * FROM VALUES (11), (12), (99) AS v(id)) s ON t.id = s.id "
        "WHEN MATCHED AND t.id = 11 THEN DELETE WHEN MATCHED THEN UPDATE SET name = 'm' "
        "WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)"
    )
    for sql, expected in {
        "INSERT INTO t SELECT id, 'x' FROM range(100)": 100,
        "INSERT INTO t SELECT id, 'x' FROM range(0)": 0,
        "UPDATE t SET name = 'y' WHERE id < 2": 2,
        "UPDATE t SET name = 'y' WHERE id = -1": 0,
        "UPDATE t SET name = 'y' WHERE id IN (SELECT id + 1 FROM t WHERE id < 3)": 3,
        "UPDATE t SET id = id WHERE name IS NULL": 0,
        "UPDATE t SET name = 'z'": 100,
        merge: 3,
        # A row that two rows of the source delete is one, which Spark counts twice.
        "MERGE INTO t USING (SELECT explode(array(20, 20, 21, 200)) AS id) s ON t.id = s.id "
        "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)": None if marks else 3,
        "CREATE TABLE copied AS SELECT * FROM t WHERE id < 5": 5,
        "INSERT OVERWRITE copied VALUES (1, 'a'), (2, 'b')": 2,
        "DELETE FROM copied WHERE id = 1": 1,
        "DELETE FROM copied WHERE id = -1": 0,
        "DROP TABLE copied": None,
        "SELECT 1": None,
    }.items():
        tag = uuid.uuid4().hex
        run(session, sql, tag=tag)
        assert session.changed_rows(tag) == expected, sql
    # A row that was deleted twice counts once.
    before = rows(session, "SELECT count(*) n FROM t")[0]["n"]
    run(session, "DELETE FROM t WHERE id IN (12, 50, 51)", tag="deleted")
    assert before - rows(session, "SELECT count(*) n FROM t")[0]["n"] == 3
    assert session.changed_rows("deleted") == 3
    # Its files go whole, with rows in them that were deleted before.
    left = rows(session, "SELECT count(*) n FROM t")[0]["n"]
    run(session, "DELETE FROM t", tag="emptied")
    assert session.changed_rows("emptied") == (None if marks else left)
    assert open_().changed_rows("deleted") is None  # another session's


# -- views over rows ----------------------------------------------------------------------------------------------


def test_rows_of_the_gateway_are_a_view(session: SparkEngineSession) -> None:
    table = pa.table({"n": pa.array([1, None], pa.uint8()), "s": pa.array(["a", None], pa.large_string())})
    session.register_rows("given", "v", table)
    assert rows(session, "SELECT * FROM given") == [{"n": 1, "s": "a"}, {"n": None, "s": None}]
    session.register_rows("given", "v", pa.table({"x": pa.array([], pa.int64())}))
    assert run(session, "SELECT * FROM given").schema == pa.schema([("x", pa.int64())])
    session.drop_view("given", "v")
    session.drop_view("given", "v")
    with pytest.raises(TableNotFoundError):
        run(session, "SELECT * FROM given")


# -- sessions -----------------------------------------------------------------------------------------------------


def test_a_session_starts_where_its_spec_says(open_: Open) -> None:
    session = open_(catalog="LAKE", namespace="soon", time_zone="Asia/Tokyo")
    where = "SELECT current_catalog() c, current_schema() s, current_timezone() z"
    assert rows(session, where) == [{"c": "lake", "s": "soon", "z": "Asia/Tokyo"}]
    with pytest.raises(TableNotFoundError):
        run(session, "SELECT * FROM t")
    run(session, "CREATE NAMESPACE soon")
    run(session, "CREATE TABLE t AS SELECT 1 AS n")
    assert rows(session, "SELECT * FROM t") == [{"n": 1}]  # what failed before is not remembered
    assert rows(session, "SELECT * FROM lake.soon.t") == [{"n": 1}]


def test_a_catalog_that_is_not_there_fails_when_it_is_used(open_: Open) -> None:
    session = open_(catalog="nowhere", namespace="default")
    assert rows(session, "SELECT 1 AS n") == [{"n": 1}]
    with pytest.raises(CatalogNotFoundError):
        run(session, "SELECT * FROM t")


def test_a_time_zone_that_there_is_not_is_an_error(open_: Open) -> None:
    with pytest.raises(DataError, match="Nowhere"):
        open_(time_zone="Nowhere/At_All")


# -- results ------------------------------------------------------------------------------------------------------


def test_no_rows_have_a_schema(session: SparkEngineSession) -> None:
    assert run(session, "SELECT id, city FROM trips").schema.types == [pa.int64(), pa.string()]
    assert run(session, "SELECT 1 AS n WHERE false").schema.names == ["n"]


def test_no_columns_are_a_result_too(session: SparkEngineSession) -> None:
    schema, *batches = session.stream("SELECT * EXCEPT (id) FROM range(5)", "n", lambda progress: None)
    assert len(schema) == 0
    assert sum(batch.num_rows for batch in batches) == 5
    assert len(run(session, "CREATE NAMESPACE IF NOT EXISTS default").schema) == 0


def test_temporary_files_are_in_the_engines_scratch(
    supervisor: Supervisor, session: SparkEngineSession
) -> None:
    assert rows(session, "SELECT count(*) n FROM trips")  # the catalog's SQLite is a native library
    assert supervisor.pid is not None
    maps = Path(f"/proc/{supervisor.pid}/maps")
    if not maps.exists():
        pytest.skip("no /proc here")
    native = {line.split()[-1] for line in maps.read_text().splitlines() if "sqlitejdbc" in line}
    assert native
    assert all("/run/test/scratch/tmp/" in os.path.realpath(path) for path in native)
