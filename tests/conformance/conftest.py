"""One server for all clients, and one of each client for all cases."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from testing.certificates import own_certificates
from testing.command import INTERPRETED
from testing.server import RunningServer, running_server
from tests.conformance.case_context import CATALOG, OTHER_CATALOG, TABLES, CaseContext
from tests.conformance.clients.base import ALICE, BOB, Client, Connection, FrontEnds, Setup
from tests.conformance.clients.flight_jdbc import FlightJdbc
from tests.conformance.clients.trino_cli import TrinoCli
from tests.conformance.clients.trino_jdbc import TrinoJdbc
from tests.conformance.clients.trino_python import TrinoPython
from tests.conformance.runtime import provide_java_clients

pytest.register_assert_rewrite("tests.conformance.cases")  # they are what the tests are made of


@pytest.fixture(scope="session", autouse=True)
def _own_certificates() -> Iterator[None]:
    with own_certificates():
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    with (
        tempfile.TemporaryDirectory(prefix="sqe-conformance-") as directory,
        running_server(
            users={user.name: user.password for user in (ALICE, BOB)},
            tls=True,
            catalogs={CATALOG: Path(directory, "one"), OTHER_CATALOG: Path(directory, "two")},
            settings={"engine__settings": INTERPRETED},
        ) as server,
    ):
        server.wait_until_ready()
        yield server


@pytest.fixture(scope="session")
def front_ends(server: RunningServer) -> FrontEnds:
    assert server.ca is not None
    return FrontEnds(server.flight, server.trino, server.ca)


@pytest.fixture(scope="session")
def setting_up(front_ends: FrontEnds) -> Iterator[Connection]:
    with TrinoPython(front_ends).connect(Setup()) as connection:
        for sql in TABLES:
            connection.update(sql)
        yield connection


@pytest.fixture(scope="session")
def context_of(
    server: RunningServer, front_ends: FrontEnds, setting_up: Connection
) -> Iterator[Callable[[type[Client]], CaseContext]]:
    made: list[CaseContext] = []

    @cache
    def make(kind: type[Client]) -> CaseContext:
        if issubclass(kind, FlightJdbc | TrinoJdbc | TrinoCli):
            client: Client = kind(front_ends, provide_java_clients())
        else:
            client = kind(front_ends)
        schema = f"of_{kind.name}"
        setting_up.update(f"CREATE SCHEMA {CATALOG}.{schema}")
        context = CaseContext(client, server, front_ends, schema, setting_up)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
        context.client.close()
