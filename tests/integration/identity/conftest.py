"""The real services, and a server between them, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stack.catalog import CatalogService
from stack.running import Stack, running
from testing.certificates import own_certificates
from testing.people import Person
from tests.support.identity_server import IdentityTestServer, running_identity_server
from tests.support.lakes import WAYS, Lake, fresh


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    with running() as stack:
        yield stack


@pytest.fixture(scope="session")
def identity_server(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[IdentityTestServer]:
    with running_identity_server(stack, tmp_path_factory.mktemp("identity_server")) as identity_server:
        identity_server.server.wait_until_ready()
        yield identity_server


@pytest.fixture(scope="module", autouse=True)
def _own_certificates() -> Iterator[None]:
    with own_certificates():
        yield


@pytest.fixture(params=["nessie", "polaris"])
def catalog(stack: Stack, request: pytest.FixtureRequest) -> CatalogService:
    """Each of the catalogs."""
    return service(stack, request.param)


@pytest.fixture(params=WAYS, ids="-".join)
def lake(stack: Stack, request: pytest.FixtureRequest) -> Lake:
    """Each of the catalogs with each way to its storage."""
    name, storage = request.param
    return Lake(stack, service(stack, name), storage)


def service(stack: Stack, name: str) -> CatalogService:
    if name == "polaris" and stack.polaris is None:
        pytest.skip(stack.no_polaris or "")
    return next(one for one in stack.catalogs if one.name == name)


@pytest.fixture
def alice(identity_server: IdentityTestServer) -> Person:
    return identity_server.person("alice")


@pytest.fixture
def bob(identity_server: IdentityTestServer) -> Person:
    return identity_server.person("bob")


class Orders:
    """Tables of alice's with three rows, one for each lake, for tests that change nothing."""

    def __init__(self, identity_server: IdentityTestServer) -> None:
        self._identity_server = identity_server
        self._made: dict[str, str] = {}

    def __call__(self, lake: Lake) -> str:
        if lake.name not in self._made:
            table = lake.table(f"sales.{fresh('orders')}")
            rows = "(VALUES (1, 'Delft'), (2, 'Leiden'), (3, 'Delft')) AS t(id, city)"
            self._identity_server.person("alice").flight(f"CREATE TABLE {table} AS SELECT * FROM {rows}")
            self._made[lake.name] = table
        return self._made[lake.name]


@pytest.fixture(scope="session")
def all_orders(identity_server: IdentityTestServer) -> Orders:
    return Orders(identity_server)


@pytest.fixture
def orders(all_orders: Orders, lake: Lake) -> str:
    return all_orders(lake)
