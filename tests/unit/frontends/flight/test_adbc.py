"""The ADBC driver, which is written in Go, through its DBAPI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import adbc_driver_flightsql
import adbc_driver_manager
import pyarrow as pa
import pytest
from adbc_driver_flightsql import dbapi
from tests.unit.frontends.flight.conftest import FlightFrontEnd, Opener
from tests.unit.frontends.flight.test_metadata import has

from sqe.errors import TableNotFoundError

ROWS = "SELECT fake('rows 3')"
USER, PASSWORD = (
    adbc_driver_manager.DatabaseOptions.USERNAME.value,
    adbc_driver_manager.DatabaseOptions.PASSWORD.value,
)
HEADER = adbc_driver_flightsql.DatabaseOptions.AUTHORIZATION_HEADER.value


def connect(front_end: FlightFrontEnd, **options: str) -> dbapi.Connection:
    return dbapi.connect(front_end.location, db_kwargs=options, autocommit=True)


@pytest.fixture
def connection(front_end: FlightFrontEnd) -> Iterator[dbapi.Connection]:
    with connect(front_end, **{USER: "ann", PASSWORD: "nna"}) as connection:
        yield connection


def test_rows_arrive(front_end: FlightFrontEnd, connection: dbapi.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute(ROWS)
        assert cursor.fetchall() == [(0,), (1,), (2,)]
        assert cursor.description is not None
        assert cursor.description[0][0] == "n"
        cursor.execute(ROWS)
        assert cursor.fetch_arrow_table().num_rows == 3
    assert front_end.engine.sessions[0].user == "ann"


def test_ddl_and_dml_run_once_and_tell_their_rows(
    front_end: FlightFrontEnd, connection: dbapi.Connection
) -> None:
    front_end.engine.changed = 5
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE t (id BIGINT)")
        cursor.execute("INSERT INTO t VALUES (1)")
        assert cursor.rowcount == 5
    assert len(front_end.engine.sessions[0].started) == 2


def test_parameters_are_values(front_end: FlightFrontEnd, connection: dbapi.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT fake('rows 2') WHERE ? > 1", (7,))
        assert len(cursor.fetchall()) == 2
        cursor.executemany("INSERT INTO t SELECT fake('rows 0'), ?", [("it's",), (None,)])
    values = [tuple(value.as_py() for value in row) for row in front_end.engine.sessions[0].parameters]
    assert values == [(7,), ("it's",), (None,)]


def test_errors_have_their_text_and_status(front_end: FlightFrontEnd, connection: dbapi.Connection) -> None:
    front_end.engine.failure = TableNotFoundError("There is no table t.", hint="Look.")
    with connection.cursor() as cursor:
        with pytest.raises(adbc_driver_manager.ProgrammingError, match="TABLE_NOT_FOUND: There") as caught:
            cursor.execute("DELETE FROM t WHERE fake('fail')")
        assert caught.value.status_code == adbc_driver_manager.AdbcStatusCode.NOT_FOUND
        cursor.execute(ROWS)
        assert len(cursor.fetchall()) == 3


def test_a_query_can_be_canceled(front_end: FlightFrontEnd, connection: dbapi.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT fake('endless')")
        reader = cursor.fetch_record_batch()
        reader.read_next_batch()
        cursor.adbc_cancel()
        with pytest.raises(Exception, match=r"(?i)cancel"):
            for _ in reader:
                pass


def test_the_current_catalog_and_schema_can_be_changed(
    front_end: FlightFrontEnd, connection: dbapi.Connection
) -> None:
    assert (connection.adbc_current_catalog, connection.adbc_current_db_schema) == ("iceberg", "default")
    connection.adbc_current_catalog = "lake"
    connection.adbc_current_db_schema = "sales"
    assert (connection.adbc_current_catalog, connection.adbc_current_db_schema) == ("lake", "sales")
    with connection.cursor() as cursor:
        cursor.execute(ROWS)
        cursor.fetchall()
    assert front_end.engine.sessions[-1].spec.namespace == "sales"


def test_objects_are_listed_with_their_columns(
    front_end: FlightFrontEnd, connection: dbapi.Connection
) -> None:
    has(front_end, "iceberg", default={"TABLES": ["trips"], "VIEWS": ["busy"]})
    has(front_end, "lake", default={})
    catalogs = connection.adbc_get_objects().read_all().to_pylist()
    assert [catalog["catalog_name"] for catalog in catalogs] == ["iceberg", "lake"]
    tables = catalogs[0]["catalog_db_schemas"][0]["db_schema_tables"]
    assert [(table["table_name"], table["table_type"]) for table in tables] == [
        ("busy", "VIEW"),
        ("trips", "TABLE"),
    ]
    [column] = tables[1]["table_columns"]
    assert (column["column_name"], column["xdbc_type_name"]) == ("n", "bigint")
    assert connection.adbc_get_table_types() == ["TABLE", "VIEW"]
    assert connection.adbc_get_table_schema("trips", db_schema_filter="default").names == ["n"]


def test_the_server_tells_what_it_is(connection: dbapi.Connection) -> None:
    info = connection.adbc_get_info()
    assert info["vendor_name"] == "SQE"
    assert info["vendor_arrow_version"] == pa.__version__


@pytest.mark.parametrize(
    ("mode", "statement"),
    [
        ("create", "CREATE TABLE `lake`.`default`.`t`"),
        ("append", "INSERT INTO `lake`.`default`.`t` BY NAME"),
        ("replace", "CREATE OR REPLACE TABLE `lake`.`default`.`t`"),
    ],
)
def test_rows_can_be_ingested(
    front_end: FlightFrontEnd, connection: dbapi.Connection, mode: Any, statement: str
) -> None:
    with connection.cursor() as cursor:
        count = cursor.adbc_ingest(
            "t", pa.table({"a": [1, 2]}), mode=mode, catalog_name="lake", db_schema_name="default"
        )
    assert count == 2
    assert front_end.engine.sessions[-1].started[0].startswith(statement)


def test_wrong_credentials_and_none_are_refused(open_front_end: Opener) -> None:
    front_end = open_front_end(anonymous=False)
    for options in ({USER: "ann", PASSWORD: "guess"}, {}, {HEADER: "Bearer nothing"}):
        with (
            pytest.raises(adbc_driver_manager.Error) as caught,
            connect(front_end, **options) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute(ROWS)
        assert caught.value.status_code == adbc_driver_manager.AdbcStatusCode.UNAUTHENTICATED


def test_a_header_and_anonymity_are_enough(front_end: FlightFrontEnd) -> None:
    for options, user in (({HEADER: "Basic YW5uOm5uYQ"}, "ann"), ({}, "anonymous")):
        with connect(front_end, **options) as connection, connection.cursor() as cursor:
            cursor.execute(ROWS)
            assert len(cursor.fetchall()) == 3
        assert front_end.engine.sessions[-1].user == user


def test_closing_the_connection_closes_the_session(front_end: FlightFrontEnd) -> None:
    with connect(front_end) as connection, connection.cursor() as cursor:
        cursor.execute(ROWS)
        cursor.fetchall()
    assert all(session.closed for session in front_end.engine.sessions)


def test_there_are_no_transactions(front_end: FlightFrontEnd) -> None:
    with pytest.warns(Warning, match="autocommit"):
        connection = dbapi.connect(front_end.location)
    with connection, connection.cursor() as cursor:
        cursor.execute(ROWS)
        assert len(cursor.fetchall()) == 3
