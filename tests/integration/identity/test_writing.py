"""Writes of a user: catalog and store see that user when tables are made, changed and dropped."""

from __future__ import annotations

from itertools import cycle

import pytest
from testing.people import FRONT_ENDS, Person, Refused
from tests.support.access_checks import check_accesses
from tests.support.identity_server import IdentityTestServer
from tests.support.lakes import Lake, fresh

pytestmark = pytest.mark.engine


def test_a_table_from_its_making_to_its_end(
    identity_server: IdentityTestServer, lake: Lake, alice: Person
) -> None:
    front_ends = cycle(FRONT_ENDS)  # each statement at one of them, in turn
    table, copy = lake.table(f"alice.{fresh()}"), lake.table(f"alice.{fresh('copy')}")
    statements = (
        f"CREATE TABLE {table} (id integer, city varchar)",
        f"INSERT INTO {table} VALUES (1, 'Delft'), (2, 'Leiden'), (3, 'Gouda')",
        f"CREATE TABLE {copy} AS SELECT id, city FROM {table} WHERE id > 1",
        f"UPDATE {table} SET city = 'Utrecht' WHERE id = 1",
        f"MERGE INTO {table} t USING {copy} c ON t.id = c.id WHEN MATCHED THEN UPDATE SET city = concat(c.city, '!')",
        f"DELETE FROM {table} WHERE id = 3",
    )
    for statement in statements:
        with lake.watched() as seen:
            alice.ask(next(front_ends), statement)
        assert {access.user for access in seen.catalog} == {"alice"}
        if not statement.endswith("varchar)"):  # that wrote nothing but the catalog's own metadata
            check_accesses(identity_server, seen, "alice")
    assert alice.ask(next(front_ends), f"SELECT id, city FROM {table} ORDER BY id") == [
        (1, "Utrecht"),
        (2, "Leiden!"),
    ]
    for dropped in (copy, table):
        with lake.watched() as seen:
            alice.ask(next(front_ends), f"DROP TABLE {dropped}")
        assert ("alice", "DELETE") in {(access.user, access.method) for access in seen.catalog}
        assert {access.user for access in seen.catalog} == {"alice"}
        with pytest.raises(Refused) as refused:
            alice.ask(next(front_ends), f"SELECT * FROM {dropped}")
        assert refused.value.code == "TABLE_NOT_FOUND"


def test_a_schema_from_its_making_to_its_end(lake: Lake, alice: Person) -> None:
    schema = lake.table(f"alice.{fresh('s')}")
    with lake.watched() as seen:
        alice.flight(f"CREATE SCHEMA {schema}", dialect="spark")
        alice.flight(f"CREATE TABLE {schema}.t AS SELECT 1 AS id", dialect="spark")
        assert alice.flight(f"SELECT * FROM {schema}.t", dialect="spark") == [(1,)]
        alice.flight(f"DROP TABLE {schema}.t", dialect="spark")
        alice.flight(f"DROP SCHEMA {schema}", dialect="spark")
    assert {access.user for access in seen.catalog} == {"alice"}
    assert {"POST", "DELETE"} <= {access.method for access in seen.catalog if "namespaces" in access.path}


def test_bob_writes_nothing_into_what_is_alices(lake: Lake, orders: str, alice: Person, bob: Person) -> None:
    with lake.watched() as seen:
        for statement in (
            f"INSERT INTO {orders} VALUES (4, 'Gouda')",
            f"DROP TABLE {orders}",
            f"CREATE TABLE {lake.table('sales.bobs')} AS SELECT 1 AS id",
        ):
            with pytest.raises(Refused) as refused:
                bob.flight(statement)
            assert refused.value.code == "ACCESS_DENIED", statement
    assert {access.user for access in seen.catalog} == {"bob"}
    assert [entry for entry in seen.own if entry.api == "PutObject" and entry.status == 200] == []
    assert alice.flight(f"SELECT count(*) FROM {orders}") == [(3,)]
