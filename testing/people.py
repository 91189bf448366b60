"""Run statements as a user at a server with real clients: ADBC for Flight SQL, the Trino client for Trino.

alice = Person.with_password(server, "alice", "alice-pw")
alice.flight("SELECT 1"), alice.trino("SELECT 1")         # rows; Refused with the server's words
alice.ask("flight", sql)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import adbc_driver_flightsql.dbapi as flight_sql
import adbc_driver_manager
import pyarrow as pa
import trino
from adbc_driver_flightsql import DatabaseOptions
from testing.server import RunningServer

FrontEnd = Literal["flight", "trino"]
FRONT_ENDS: tuple[FrontEnd, ...] = ("flight", "trino")
Rows = list[tuple[Any, ...]]

_SECONDS = 240.0
_OPTION = "adbc.flight.sql.session.option."
# gRPC's status before it, and the server's own code: `UNAUTHENTICATED: [FlightSQL] AUTHENTICATION_FAILED: ...`.
_FLIGHT = re.compile(
    r"\[FlightSQL\] (?:(?P<code>[A-Z]+(?:_[A-Z]+)+): )?(?P<message>.*?)(?: Detail: .*)?$", re.DOTALL
)


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """What the server said instead of an answer."""

    def __init__(self, code: str | None, message: str, sqlstate: str | None = None) -> None:
        super().__init__(f"{code} [{sqlstate}]: {message}")
        self.code = code  # SQE's at the Flight SQL front end, Trino's at the Trino front end
        self.message = message
        self.sqlstate = sqlstate  # only Trino's client hands it on


@dataclass(frozen=True)
class Person:
    server: RunningServer
    user: str
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    catalog: str | None = None
    schema: str | None = None
    known_as: str | None = None  # where the name after the login is another one
    responses: list[str] = field(default_factory=list, repr=False)
    """All answers and errors, as text."""

    def ask(self, front_end: FrontEnd, sql: str) -> Rows:
        return self.flight(sql) if front_end == "flight" else self.trino(sql)

    def trino(self, sql: str, *, dialect: str | None = None) -> Rows:
        with self.trino_connection(dialect) as connection:
            return self.on(connection, sql)

    def flight(self, sql: str, *, dialect: str | None = None) -> Rows:
        with self.flight_connection(dialect) as connection:
            return self.on(connection, sql)

    def connection(self, front_end: FrontEnd) -> AbstractContextManager[Any]:
        return self.flight_connection() if front_end == "flight" else self.trino_connection()

    def on(self, connection: Any, sql: str) -> Rows:
        """Run a statement on a connection of either kind."""
        with self._told(), _closed(connection.cursor()) as cursor:
            cursor.execute(sql)
            rows = [tuple(row) for row in cursor.fetchall()] if cursor.description else []
            self.responses.append(repr(rows))
            return rows

    @contextmanager
    def trino_connection(self, dialect: str | None = None) -> Iterator[Any]:
        if self.password is not None:
            auth: Any = trino.auth.BasicAuthentication(self.user, self.password)
        else:
            auth = trino.auth.JWTAuthentication(self.token)  # type: ignore[arg-type]
        with self._told():
            connection = trino.dbapi.connect(  # type: ignore[no-untyped-call]
                host="localhost",
                port=self.server.port("trino"),
                http_scheme="https",
                verify=str(self.server.ca),
                user=self.known_as or self.user,
                auth=auth,
                catalog=self.catalog,
                schema=self.schema,
                session_properties={"dialect": dialect} if dialect else None,
                request_timeout=_SECONDS,
                max_attempts=1,
            )
        with closing(connection):
            yield connection

    @contextmanager
    def flight_connection(self, dialect: str | None = None) -> Iterator[Any]:
        assert self.server.ca is not None
        if self.password is not None:
            credentials = {"username": self.user, "password": self.password}
        else:
            credentials = {DatabaseOptions.AUTHORIZATION_HEADER.value: f"Bearer {self.token}"}
        with self._told():
            connection = flight_sql.connect(
                self.server.flight,
                db_kwargs={
                    **credentials,
                    DatabaseOptions.TLS_ROOT_CERTS.value: self.server.ca.read_text(encoding="ascii"),
                },
                conn_kwargs={
                    **({"adbc.connection.catalog": self.catalog} if self.catalog else {}),
                    **({"adbc.connection.db_schema": self.schema} if self.schema else {}),
                    **({f"{_OPTION}dialect": dialect} if dialect else {}),
                },
                autocommit=True,
            )
        with _closed(connection):
            yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except Refused:
            raise
        except (adbc_driver_manager.Error, pa.ArrowException) as error:
            self.responses.append(str(error))
            found = _FLIGHT.search(str(error))
            raise Refused(found and found["code"], found["message"] if found else str(error)) from error
        except trino.exceptions.TrinoQueryError as error:
            self.responses.append(str(error))
            details: Mapping[str, Any] = error._error
            raise Refused(error.error_name, error.message, details.get("sqlState")) from error
        except (trino.exceptions.Error, trino.exceptions.HttpError) as error:
            self.responses.append(str(error))
            raise Refused(None, str(error)) from error


@contextmanager
def _closed(opened: Any) -> Iterator[Any]:
    """Close a cursor or a connection at the end, also one whose login has ended: the server refuses to hear of that."""
    try:
        yield opened
    finally:
        try:
            opened.close()
        except (adbc_driver_manager.Error, RuntimeError):
            opened._closed = True  # ADBC would try again when it is collected


def metric(server: RunningServer, name: str, **labels: str) -> float:
    """The sum of a metric over everything that has these labels."""
    status, text = server.get(f"{server.metrics}/metrics")
    assert status == 200, text
    total = 0.0
    for line in text.splitlines():
        found = re.match(r"(\w+)(?:\{(.*)\})? (\S+)$", line)
        if (
            found
            and found[1] == name
            and all(f'{key}="{value}"' in (found[2] or "") for key, value in labels.items())
        ):
            total += float(found[3])
    return total
