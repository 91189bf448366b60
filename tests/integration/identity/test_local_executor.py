"""Reads on the local executor: with the user's own keys, with the answers and refusals of Spark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from stack import accounts
from stack.audit import Entry
from stack.running import Stack
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused, metric
from tests.support.access_checks import check_accesses
from tests.support.identity_server import IdentityTestServer
from tests.support.lakes import Lake, Watched, fresh

pytestmark = pytest.mark.engine

SIGNED = "remote_signing"  # the catalog signs each request of Iceberg's client; DuckDB cannot ask it to


def read_by_duckdb(seen: Watched) -> list[Entry]:
    """Return the requests for data files that the local executor's workers made."""
    return [entry for entry in seen.files if str(entry.raw.get("userAgent")).startswith("duckdb/")]


def handed_over(identity_server: IdentityTestServer) -> float:
    """Return how often the engine has handed vended keys to the gateway."""
    return metric(identity_server.server, "sqe_control_calls_total", kind="store_keys", result="given")


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_local_executor_reads_with_the_users_keys(
    identity_server: IdentityTestServer, lake: Lake, orders: str, alice: Person, front_end: FrontEnd
) -> None:
    before = metric(identity_server.server, "sqe_executor_queries_total", executor="local")
    with lake.watched() as seen:
        assert alice.ask(front_end, f"SELECT city, sum(id) FROM {orders} GROUP BY city ORDER BY city") == [
            ("Delft", 4),
            ("Leiden", 2),
        ]
    check_accesses(identity_server, seen, "alice")
    requests = read_by_duckdb(seen)
    here = metric(identity_server.server, "sqe_executor_queries_total", executor="local") - before
    if lake.storage == SIGNED:
        assert (requests, here) == ([], 0)
        return
    assert here == 1
    assert {entry.status for entry in requests} <= {200, 206}
    assert {entry.api for entry in requests} == {"HeadObject", "GetObject"}
    # Everything else is the engine's: the executor opens data files and nothing else.
    assert {entry.object for entry in requests} == {
        entry.object for entry in seen.files if entry.object.endswith(".parquet")
    }


def test_a_statement_that_comes_again_is_read_with_keys_of_its_own(
    identity_server: IdentityTestServer, lake: Lake, orders: str, alice: Person
) -> None:
    """The engine keeps its rendered plan, and hands over the keys of the table as it is loaded anew."""
    if lake.storage == SIGNED:
        return
    before = handed_over(identity_server)
    keys = []
    with alice.connection("flight") as connection:
        for _ in range(3):
            with lake.watched() as seen:
                assert alice.on(connection, f"SELECT min(city), sum(id) FROM {orders}") == [("Delft", 6)]
            check_accesses(identity_server, seen, "alice")
            keys.append({entry.access_key for entry in read_by_duckdb(seen)})
    assert all(len(each) == 1 for each in keys)
    assert handed_over(identity_server) - before == (3 if lake.storage == "vended" else 0)


def test_a_query_over_two_catalogs_has_the_keys_of_both(
    identity_server: IdentityTestServer, stack: Stack, all_orders: Callable[[Lake], str], alice: Person
) -> None:
    vended = Lake(stack, stack.nessie, "vended")
    own = Lake(stack, stack.nessie, "web_identity")
    sql = f"SELECT count(*) FROM {all_orders(vended)} a JOIN {all_orders(own)} b ON a.city = b.city"
    with vended.watched() as seen:
        assert alice.flight(sql) == [(5,)]
    keys = {entry.access_key for entry in read_by_duckdb(seen)}
    assert keys & identity_server.vended_to("alice")
    assert keys & identity_server.exchanged_for("alice")
    assert keys <= identity_server.vended_to("alice") | identity_server.exchanged_for("alice")


def test_partitions_with_special_names(lake: Lake, alice: Person) -> None:
    table = lake.table(f"alice.{fresh('cities')}")
    alice.flight(f"CREATE TABLE {table} (id INT, city STRING) PARTITIONED BY (city)", dialect="spark")
    rows = "(1, 'Den Haag'), (2, 'a/b=c%20d+e'), (3, 'ü?*[x]#'), (4, 'Delft')"
    alice.flight(f"INSERT INTO {table} VALUES {rows}", dialect="spark")
    with lake.watched() as seen:
        answer = alice.flight(f"SELECT city, id FROM {table} ORDER BY id")
    assert answer == [("Den Haag", 1), ("a/b=c%20d+e", 2), ("ü?*[x]#", 3), ("Delft", 4)]
    assert bool(read_by_duckdb(seen)) is (lake.storage != SIGNED)


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_who_may_not_read_is_refused_as_by_spark(
    lake: Lake, orders: str, bob: Person, front_end: FrontEnd
) -> None:
    refusals = []
    for executor in ("auto", "off"):
        with bob.connection(front_end) as connection:
            bob.on(connection, f"SET SESSION local_executor = '{executor}'")
            with lake.watched() as seen, pytest.raises(Refused) as refused:
                bob.on(connection, f"SELECT * FROM {orders}")
        refusals.append((refused.value.code, refused.value.message, refused.value.sqlstate))
        assert seen.own == []
    assert refusals[0] == refusals[1]


def test_keys_that_end_soon_are_left_to_spark(
    identity_server: IdentityTestServer, stack: Stack, all_orders: Callable[[Lake], str]
) -> None:
    """A token that lives for a minute brings keys that live no longer; Spark renews them while it reads."""
    lake = Lake(stack, stack.nessie, "web_identity")
    orders = all_orders(lake)
    alice = identity_server.with_token(
        "alice", stack.keycloak.token("alice", client=accounts.SHORT).access_token
    )
    with lake.watched() as seen:
        assert alice.flight(f"SELECT count(*) FROM {orders} WHERE city = 'Delft'") == [(2,)]
    check_accesses(identity_server, seen, "alice")
    assert read_by_duckdb(seen) == []


def test_a_file_that_is_gone_is_an_error_of_spark(stack: Stack, lake: Lake, alice: Person) -> None:
    table = lake.table(f"alice.{fresh('gone')}")
    alice.flight(f"CREATE TABLE {table} AS SELECT * FROM (VALUES (1), (2)) AS t(id)")
    with lake.watched() as seen:
        assert alice.flight(f"SELECT sum(id) FROM {table}") == [(3,)]
    for file in {entry.object for entry in seen.files if entry.object.endswith(".parquet")}:
        stack.minio.remove(file)
    with pytest.raises(Refused) as refused:
        alice.flight(f"SELECT sum(id) FROM {table}")
    assert refused.value.code == "FILE_ERROR"


def test_explain_names_the_executor_and_hands_no_keys_over(
    identity_server: IdentityTestServer, lake: Lake, orders: str, alice: Person
) -> None:
    before = handed_over(identity_server)
    [(plan,)] = alice.flight(f"EXPLAIN SELECT sum(id) FROM {orders}", dialect="spark")
    expected = "Spark: files that the catalog signs for" if lake.storage == SIGNED else "local (DuckDB)"
    assert plan.rstrip().endswith(expected)
    assert handed_over(identity_server) == before
