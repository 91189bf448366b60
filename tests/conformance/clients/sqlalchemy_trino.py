"""SQLAlchemy with the dialect of trino-python-client, in the ways in which Superset uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import sqlalchemy
from sqlalchemy import pool
from sqlalchemy.exc import DBAPIError, NoSuchTableError
from tests.conformance.clients import trino_python
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
from tests.conformance.type_names import compact, parts

# Texts and comments, so that what is in them is left alone, and places of parameters.
_PLACES = re.compile(r"'[^']*'|/\*.*?\*/|--[^\n]*|\?", re.DOTALL)


def engine(client: Client, setup: Setup) -> sqlalchemy.Engine:
    path = "/".join(filter(None, (setup.catalog, setup.schema)))
    arguments = trino_python.arguments(client, setup)
    return sqlalchemy.create_engine(
        f"trino://{setup.user.name}@localhost:{client.front_ends.trino_port}/{path}",
        connect_args=arguments,
        poolclass=pool.StaticPool,  # one connection, so that USE lasts
    )


@contextmanager
def translated_errors() -> Iterator[None]:
    """SQLAlchemy wraps what the driver raises; its own class is what a program catches."""
    try:
        with trino_python.translated_errors():
            yield
    except DBAPIError as error:
        try:
            with trino_python.translated_errors():
                raise error.orig or error
        except Failed as inner:
            inner.kind = type(error).__name__
            raise inner from error
    except NoSuchTableError as error:
        raise Failed("NoSuchTableError", str(error), name="TABLE_NOT_FOUND") from error


class SqlAlchemyConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        self._engine = engine(client, setup)
        with translated_errors():
            self._own = self._engine.connect()

    def query(self, sql: str) -> Result:
        with translated_errors():
            done = self._own.exec_driver_sql(sql)
            types = tuple(compact(str(column[1])) for column in done.cursor.description)
            rows = [trino_python.row_of(row, types) for row in done.fetchall()]
        return Result(tuple(done.keys()), types, rows)

    def scan(self, sql: str) -> tuple[int, int]:
        count = total = 0
        with translated_errors():
            for part in self._own.execution_options(yield_per=10_000).exec_driver_sql(sql).partitions():
                count += len(part)
                total += sum(row[0] for row in part)
        return count, total

    def update(self, sql: str) -> int | None:
        with translated_errors():
            done = self._own.exec_driver_sql(sql)
            count = done.rowcount
            done.close()
        return count if count >= 0 else None

    def prepared(self, sql: str, parameters: Sequence[Parameter]) -> Result:
        named, values = _named(sql, parameters)
        with translated_errors():
            done = self._own.execute(sqlalchemy.text(named), values)
            types = tuple(compact(str(column[1])) for column in done.cursor.description)
            rows = [trino_python.row_of(row, types) for row in done.fetchall()]
        return Result(tuple(done.keys()), types, rows)

    def prepared_update(self, sql: str, rows: Sequence[Sequence[Parameter]]) -> int | None:
        count = None
        for row in rows:
            named, values = _named(sql, row)
            with translated_errors():
                done = self._own.execute(sqlalchemy.text(named), values)
                count = done.rowcount
                done.close()
        return count

    def catalogs(self) -> list[str]:
        return [row[0] for row in self.query("SHOW CATALOGS").rows]

    def schemas(self, catalog: str) -> list[str]:
        with translated_errors():
            return sqlalchemy.inspect(self._own).get_schema_names(catalog=catalog)

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        with translated_errors():
            inspector = sqlalchemy.inspect(self._own)
            # The dialect answers for the catalog of the connection; that is how Superset has one database per catalog.
            views = inspector.get_view_names(schema=schema)
            tables = inspector.get_table_names(schema=schema)
        return dict.fromkeys(tables, "TABLE") | dict.fromkeys(views, "VIEW")

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        with translated_errors():
            found = sqlalchemy.inspect(self._own).get_columns(table, schema=schema)
        return [(column["name"], str(column["type"]).lower()) for column in found]

    def start(self, sql: str) -> Running:
        # Superset keeps the driver's cursor and cancels through it.
        cursor = self._own.connection.cursor()

        def run() -> None:
            with translated_errors():
                cursor.execute(sql)
                cursor.fetchall()

        def cancel() -> None:
            with translated_errors():
                cursor.cancel()

        return Threaded(run, cancel)

    def transaction(self, statements: Sequence[str]) -> None:
        with translated_errors(), self._own.begin():
            for sql in statements:
                self._own.exec_driver_sql(sql).close()

    def close(self) -> None:
        with translated_errors():
            self._own.close()
            self._engine.dispose()


def _named(sql: str, parameters: Sequence[Parameter]) -> tuple[str, Mapping[str, Any]]:
    """SQLAlchemy's own way to write parameters has names."""
    names = iter([f"p{number}" for number in range(len(parameters))])
    text = _PLACES.sub(lambda found: f":{next(names)}" if found[0] == "?" else found[0], sql)
    return text, {f"p{number}": one.value for number, one in enumerate(parameters)}


class SqlAlchemyTrino(Client):
    name = "sqlalchemy"
    title = "SQLAlchemy with the Trino dialect (Superset)"
    front_end = "Trino"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("ProgrammingError",)}
    lacks: ClassVar[Mapping[Ability, str]] = {
        "valid": "SQLAlchemy asks with SELECT 1, which is a query",
        "describe": "SQLAlchemy has no such call",
        "ingest": "the protocol has no such thing",
    }
    tells = frozenset({"name", "position"})
    connect_example = """\
from sqlalchemy import create_engine

engine = create_engine(
    "trino://alice@sqe.example.com:8080/iceberg/default",
    connect_args={"http_scheme": "https", "auth": trino.auth.BasicAuthentication("alice", password)},
)
# In Superset: trino://alice:PASSWORD@sqe.example.com:8080/iceberg
"""

    def connect(self, setup: Setup) -> Connection:
        return SqlAlchemyConnection(self, setup)

    def listed_type(self, type_: str) -> str:
        # The texts of its own types: they leave out what is inside of a type.
        name = parts(type_)[0]
        return "timestamp" if name.startswith("timestamp") else name.replace(",", ", ")
