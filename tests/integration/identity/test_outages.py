"""Outages and refusals of services: clear errors for the user, and work as before afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from stack.catalog import CatalogService
from stack.running import Stack
from testing.command import until
from testing.people import Person, Refused
from tests.support.identity_server import IdentityTestServer, direct
from tests.support.lakes import Lake, fresh

pytestmark = pytest.mark.engine


@contextmanager
def within(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


def works_again(ask: Callable[[], object], seconds: float = 120.0) -> None:
    """Within a while; the first tries may come while others are still away."""

    def asked() -> bool:
        try:
            ask()
        except Refused:
            return False
        return True

    until(asked, "it works again", seconds)


def test_a_revoked_grant_counts_for_the_next_query(
    identity_server: IdentityTestServer,
    catalog: CatalogService,
    all_orders: Callable[[Lake], str],
    alice: Person,
) -> None:
    lake = Lake(identity_server.stack, catalog, "vended")
    orders = all_orders(lake)
    sql = f"SELECT sum(id) FROM {orders}"
    with alice.connection("trino") as trino, alice.connection("flight") as flight:
        for connection in (trino, flight):
            assert alice.on(connection, sql) == [(6,)]
        catalog.revoke("alice", orders.partition(".")[2])
        try:
            for connection in (trino, flight):
                with pytest.raises(Refused) as refused:
                    alice.on(connection, sql)
                assert refused.value.code in ("ACCESS_DENIED", "PERMISSION_DENIED")
        finally:
            catalog.grant("alice", orders.partition(".")[2])
        for connection in (trino, flight):
            assert alice.on(connection, sql) == [(6,)]


def test_a_catalog_that_is_down(
    identity_server: IdentityTestServer, catalog: CatalogService, alice: Person
) -> None:
    table = f"{direct(catalog)}.alice.{fresh()}"
    alice.flight(f"CREATE TABLE {table} AS SELECT 42 AS answer")
    with alice.connection("flight") as connection:
        assert alice.on(connection, f"SELECT * FROM {table}") == [(42,)]
        catalog.stop()
        try:
            with within(60), pytest.raises(Refused) as refused:
                alice.on(connection, f"SELECT * FROM {table}")
            assert refused.value.code == "CATALOG_UNAVAILABLE"
            assert direct(catalog) in refused.value.message
            with within(60), pytest.raises(Refused) as refused:
                alice.trino(f"SELECT * FROM {table}")
            assert refused.value.sqlstate == "08001"
            assert alice.on(connection, "SELECT 1") == [(1,)]  # nothing else is concerned
        finally:
            catalog.start()
        works_again(lambda: alice.on(connection, f"SELECT * FROM {table}"))


def test_a_store_that_is_down(stack: Stack, lake: Lake, orders: str, alice: Person) -> None:
    sql = f"SELECT sum(id) FROM {orders}"
    with alice.connection("flight") as connection:
        assert alice.on(connection, sql) == [(6,)]
        stack.minio.stop()
        try:
            with within(60), pytest.raises(Refused) as refused:
                alice.on(connection, sql)
            assert refused.value.code in ("FILE_ERROR", "CATALOG_UNAVAILABLE", "IDENTITY_PROVIDER_ERROR")
            assert "store" in refused.value.message
            assert alice.on(connection, "SELECT 1") == [(1,)]
        finally:
            stack.minio.start()
        works_again(lambda: alice.on(connection, sql))


def test_an_identity_provider_that_is_down(
    identity_server: IdentityTestServer, stack: Stack, alice: Person, all_orders: Callable[[Lake], str]
) -> None:
    orders = all_orders(Lake(stack, stack.nessie, "vended"))
    sql = f"SELECT sum(id) FROM {orders}"
    token = stack.keycloak.token("bob").access_token
    with alice.connection("flight") as flight, alice.connection("trino") as trino:
        for connection in (flight, trino):
            assert alice.on(connection, sql) == [(6,)]
        identity_server.with_token("bob", token).trino("SELECT 1")
        stack.keycloak.stop()
        try:
            for connection in (flight, trino):  # who is in goes on
                assert alice.on(connection, sql) == [(6,)]
            assert identity_server.with_token("bob", token).trino("SELECT 1") == [(1,)]
            for _ in range(2):  # a new login does not, and is told so at once
                with within(60), pytest.raises(Refused) as refused:
                    identity_server.person("carol").flight("SELECT 1")
                assert "identity provider does not answer" in refused.value.message
                assert refused.value.code == "IDENTITY_PROVIDER_ERROR"
        finally:
            stack.keycloak.start()
        works_again(lambda: identity_server.person("carol").flight("SELECT 1"))
        for connection in (flight, trino):
            assert alice.on(connection, sql) == [(6,)]
