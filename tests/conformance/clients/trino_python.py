"""trino-python-client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import requests
import trino
from dateutil.relativedelta import relativedelta  # type: ignore[import-untyped]
from tests.conformance.clients.base import (
    Ability,
    Client,
    Connection,
    Failed,
    Parameter,
    Result,
    Running,
    Setup,
)
from tests.conformance.clients.threads import Threaded
from tests.conformance.type_names import compact
from tests.conformance.values import Months, real


@contextmanager
def translated_errors() -> Iterator[None]:
    try:
        yield
    except trino.exceptions.TrinoQueryError as error:
        line, column = error.error_location or (None, None)
        raise Failed(
            type(error).__name__, error.message, name=error.error_name, line=line, column=column
        ) from error
    except (trino.exceptions.Error, trino.exceptions.HttpError, requests.RequestException) as error:
        raise Failed(type(error).__name__, str(error)) from error


def arguments(client: Client, setup: Setup) -> dict[str, Any]:
    """What `trino.dbapi.connect` takes, also through SQLAlchemy."""
    return {
        "http_scheme": "https",
        "auth": trino.auth.BasicAuthentication(setup.user.name, setup.user.password),
        "verify": str(client.front_ends.ca),
        "session_properties": dict(setup.properties),
        "timezone": setup.time_zone or "UTC",
        "request_timeout": 60,
        "max_attempts": 1,
    }


def value(raw: Any) -> Any:
    """The client's rows are tuples with names, and its intervals relativedelta."""
    if isinstance(raw, tuple):
        return tuple(map(value, raw))
    if isinstance(raw, list):
        return list(map(value, raw))
    if isinstance(raw, dict):
        return {value(key): value(item) for key, item in raw.items()}
    if isinstance(raw, relativedelta):
        return Months(raw.years * 12 + raw.months)
    return raw


def result(cursor: Any) -> Result:
    fetched = cursor.fetchall()
    names = [column[0] for column in cursor.description]
    types = [compact(column[1]) for column in cursor.description]
    return Result(tuple(names), tuple(types), [row_of(row, types) for row in fetched])


def row_of(row: Sequence[Any], types: Sequence[str]) -> tuple[Any, ...]:
    return tuple(
        # The client reads a REAL's text as a number of 64 bits.
        real(item) if type_ == "real" and item is not None else value(item)
        for item, type_ in zip(row, types, strict=True)
    )


class TrinoPythonConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        self._client, self._setup = client, setup
        self._own = self._connect()

    def _connect(self, **more: Any) -> Any:
        with translated_errors():
            return trino.dbapi.connect(  # type: ignore[no-untyped-call]
                host="localhost",
                port=self._client.front_ends.trino_port,
                user=self._setup.user.name,
                catalog=self._setup.catalog,
                schema=self._setup.schema,
                **arguments(self._client, self._setup),
                **more,
            )

    def query(self, sql: str) -> Result:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql)
            return result(cursor)

    def scan(self, sql: str) -> tuple[int, int]:
        count = total = 0
        with translated_errors(), self._own.cursor() as cursor:
            for row in cursor.execute(sql):
                count += 1
                total += row[0]
        return count, total

    def update(self, sql: str) -> int | None:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql)
            cursor.fetchall()
            return cursor.rowcount if cursor.rowcount >= 0 else None

    def prepared(self, sql: str, parameters: Sequence[Parameter]) -> Result:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(sql, tuple(one.value for one in parameters))
            return result(cursor)

    def prepared_update(self, sql: str, rows: Sequence[Sequence[Parameter]]) -> int | None:
        with translated_errors(), self._own.cursor() as cursor:
            cursor.executemany(sql, [tuple(one.value for one in row) for row in rows])
            cursor.fetchall()
            return cursor.rowcount if cursor.rowcount >= 0 else None

    def describe(self, sql: str) -> tuple[tuple[str, ...], Result]:
        # The client has `describe` for columns. For parameters it has the statement that its JDBC sister uses.
        with translated_errors(), self._own.cursor() as cursor:
            columns = cursor.describe(sql)
        with translated_errors(), self._own.cursor() as cursor:
            cursor.execute(f"PREPARE conformance FROM {sql}").fetchall()
            rows = cursor.execute("DESCRIBE INPUT conformance").fetchall()
            cursor.execute("DEALLOCATE PREPARE conformance").fetchall()
        names, types = [one.name for one in columns], [one.type for one in columns]
        return tuple(row[1] for row in rows), Result(tuple(names), tuple(types), [])

    def catalogs(self) -> list[str]:
        return [row[0] for row in self.query("SHOW CATALOGS").rows]

    def schemas(self, catalog: str) -> list[str]:
        return [row[0] for row in self.query(f'SHOW SCHEMAS FROM "{catalog}"').rows]

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        found = self.query(
            f'SELECT table_name, table_type FROM "{catalog}".information_schema.tables '
            f"WHERE table_schema = '{schema}'"
        )
        return {name: "TABLE" if kind == "BASE TABLE" else kind for name, kind in found.rows}

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        return [(row[0], row[1]) for row in self.query(f'DESCRIBE "{catalog}"."{schema}"."{table}"').rows]

    def start(self, sql: str) -> Running:
        cursor = self._own.cursor()

        def run() -> None:
            with translated_errors():
                cursor.execute(sql)
                cursor.fetchall()

        def cancel() -> None:
            with translated_errors():
                cursor.cancel()

        return Threaded(run, cancel)

    def transaction(self, statements: Sequence[str]) -> None:
        with translated_errors():
            own = self._connect(isolation_level=trino.transaction.IsolationLevel.READ_COMMITTED)
            with own.cursor() as cursor:
                for sql in statements:
                    cursor.execute(sql)
                    cursor.fetchall()
            own.commit()
            own.close()

    def close(self) -> None:
        with translated_errors():
            self._own.close()


class TrinoPython(Client):
    name = "trino_python"
    title = "Trino Python client"
    front_end = "Trino"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("TrinoUserError",)}
    lacks: ClassVar[Mapping[Ability, str]] = {
        "valid": "the client has no such call",
        "ingest": "the protocol has no such thing",
    }
    tells = frozenset({"name", "position"})
    connect_example = """\
import trino

connection = trino.dbapi.connect(
    host="sqe.example.com", port=8080, http_scheme="https",
    user="alice", auth=trino.auth.BasicAuthentication("alice", password),
    catalog="iceberg", schema="default",
)
cursor = connection.cursor()
cursor.execute("SELECT * FROM trips WHERE city = ?", ("Delft",))
rows = cursor.fetchall()
"""

    def connect(self, setup: Setup) -> Connection:
        return TrinoPythonConnection(self, setup)
