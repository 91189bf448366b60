"""adbc-driver-flightsql through its DBAPI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import adbc_driver_flightsql.dbapi
import adbc_driver_manager
import pyarrow as pa
import pytest
from adbc_driver_flightsql import DatabaseOptions
from tests.conformance.clients import arrow_values
from tests.conformance.clients.base import Ability, Client, Connection, Parameter, Result, Running, Setup
from tests.conformance.clients.flight_errors import failed
from tests.conformance.clients.threads import Threaded

_SESSION_OPTION = "adbc.flight.sql.session.option."


def connect(client: Client, setup: Setup, *, autocommit: bool = True) -> Any:
    """A DBAPI connection, also for those who only read through one."""
    with translated_errors():
        return adbc_driver_flightsql.dbapi.connect(
            client.front_ends.flight,
            db_kwargs={
                "username": setup.user.name,
                "password": setup.user.password,
                DatabaseOptions.TLS_ROOT_CERTS.value: client.front_ends.ca.read_text(encoding="ascii"),
            },
            conn_kwargs={
                **({"adbc.connection.catalog": setup.catalog} if setup.catalog else {}),
                **({"adbc.connection.db_schema": setup.schema} if setup.schema else {}),
                **({f"{_SESSION_OPTION}time_zone": setup.time_zone} if setup.time_zone else {}),
                **{f"{_SESSION_OPTION}{name}": value for name, value in setup.properties.items()},
            },
            autocommit=autocommit,
        )


@contextmanager
def translated_errors() -> Iterator[None]:
    """Put the driver's errors in the suite's form."""
    try:
        yield
    except (adbc_driver_manager.Error, pa.ArrowException) as error:
        # A stream that breaks while Arrow reads it raises Arrow's exception. Neither hands on the server's details.
        raise failed(type(error).__name__, str(error)) from error


class AdbcConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        self._client, self._setup = client, setup
        self._own = connect(client, setup)

    def query(self, sql: str) -> Result:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql)
            return arrow_values.result(cursor.fetch_arrow_table())

    def scan(self, sql: str) -> tuple[int, int]:
        count = total = 0
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql)
            for batch in cursor.fetch_record_batch():
                count += batch.num_rows
                total += pa.compute.sum(batch.column(0)).as_py() or 0
        return count, total

    def update(self, sql: str) -> int | None:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql)
            return cursor.rowcount if cursor.rowcount >= 0 else None

    def prepared(self, sql: str, parameters: Sequence[Parameter]) -> Result:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql, arrow_values.parameter_batch(parameters))
            return arrow_values.result(cursor.fetch_arrow_table())

    def prepared_update(self, sql: str, rows: Sequence[Sequence[Parameter]]) -> int | None:
        batch = pa.Table.from_batches([arrow_values.parameter_batch(row) for row in rows]).combine_chunks()
        with translated_errors(), self._own.cursor() as cursor:
            cursor.executemany(sql, batch.to_batches()[0])
            return cursor.rowcount if cursor.rowcount >= 0 else None

    def describe(self, sql: str) -> tuple[tuple[str, ...], Result]:
        with translated_errors(), self._own.cursor() as cursor:
            parameters = cursor.adbc_prepare(sql)
            columns = cursor.adbc_execute_schema(sql)
        types = tuple(arrow_values.type_name(field.type) for field in parameters or ())
        return types, arrow_values.result(columns.empty_table())

    def catalogs(self) -> list[str]:
        return [row["catalog_name"] for row in self._objects("catalogs")]

    def schemas(self, catalog: str) -> list[str]:
        [found] = self._objects("db_schemas", catalog_filter=catalog)
        return [row["db_schema_name"] for row in found["catalog_db_schemas"]]

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        [found] = self._objects("tables", catalog_filter=catalog, db_schema_filter=schema)
        return {
            table["table_name"]: table["table_type"]
            for one in found["catalog_db_schemas"]
            for table in one["db_schema_tables"]
        }

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        with translated_errors():
            found = self._own.adbc_get_table_schema(table, catalog_filter=catalog, db_schema_filter=schema)
        return [(field.name, arrow_values.type_name(field.type)) for field in found]

    def _objects(self, depth: str, **filters: str) -> list[dict[str, Any]]:
        with translated_errors():
            rows: list[dict[str, Any]] = (
                self._own.adbc_get_objects(depth=depth, **filters).read_all().to_pylist()
            )
        return rows

    def start(self, sql: str) -> Running:
        cursor = self._own.cursor()

        def run() -> None:
            with translated_errors(), cursor:
                cursor.execute(sql)
                cursor.fetch_arrow_table()

        return Threaded(run, cursor.adbc_cancel)

    def transaction(self, statements: Sequence[str]) -> None:
        with (
            translated_errors(),
            pytest.warns(Warning, match="Cannot disable autocommit"),
        ):  # the driver says so and goes on
            connection = connect(self._client, self._setup, autocommit=False)
        with translated_errors(), connection as own, own.cursor() as cursor:
            for sql in statements:
                cursor.execute(sql)
            own.commit()

    def ingest(self, table: str, data: Any, mode: str) -> int:
        with translated_errors(), self._own.cursor() as cursor:
            return int(cursor.adbc_ingest(table, data, mode=mode))

    def close(self) -> None:
        with translated_errors():
            self._own.close()


class Adbc(Client):
    name = "adbc"
    title = "ADBC for Flight SQL (Python DBAPI)"
    front_end = "Flight SQL"
    tells = frozenset({"name"})
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("ProgrammingError", "ArrowInvalid")}
    lacks: ClassVar[Mapping[Ability, str]] = {
        "valid": "the DBAPI has no such call",
    }
    connect_example = """\
import adbc_driver_flightsql.dbapi as flightsql

with flightsql.connect(
    "grpc+tls://sqe.example.com:50051",
    db_kwargs={"username": "alice", "password": password},  # or "adbc.flight.sql.authorization_header": "Bearer ..."
    conn_kwargs={"adbc.connection.catalog": "iceberg", "adbc.connection.db_schema": "default"},
    autocommit=True,
) as connection, connection.cursor() as cursor:
    cursor.execute("SELECT * FROM trips WHERE city = ?", ("Delft",))
    table = cursor.fetch_arrow_table()
"""

    def connect(self, setup: Setup) -> Connection:
        return AdbcConnection(self, setup)
