"""Reads of a user: catalog and store see that user, and never the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stack.catalog import CatalogService
from stack.running import Stack
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused
from tests.support.access_checks import check_accesses
from tests.support.identity_server import UNVENDED, IdentityTestServer
from tests.support.lakes import Lake

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_alice_reads_her_table_as_herself(
    identity_server: IdentityTestServer, lake: Lake, orders: str, alice: Person, front_end: FrontEnd
) -> None:
    with lake.watched() as seen:
        assert alice.ask(front_end, f"SELECT city, sum(id) FROM {orders} GROUP BY city ORDER BY city") == [
            ("Delft", 4),
            ("Leiden", 2),
        ]
    check_accesses(identity_server, seen, "alice")
    table = orders.rpartition(".")[2]
    assert any(access.method == "GET" and table in access.path for access in seen.catalog)
    assert any(entry.api == "GetObject" and entry.object.endswith(".parquet") for entry in seen.files)


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_token_in_the_place_of_a_password(
    identity_server: IdentityTestServer, stack: Stack, lake: Lake, orders: str, front_end: FrontEnd
) -> None:
    alice = identity_server.with_token("alice", stack.keycloak.token("alice").access_token)
    with lake.watched() as seen:
        assert alice.ask(front_end, f"SELECT count(*) FROM {orders} WHERE city = 'Delft'") == [(2,)]
    check_accesses(identity_server, seen, "alice")


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_bob_is_refused_by_the_catalog(lake: Lake, orders: str, bob: Person, front_end: FrontEnd) -> None:
    with lake.watched() as seen, pytest.raises(Refused) as refused:
        bob.ask(front_end, f"SELECT * FROM {orders}")
    assert refused.value.code == {"flight": "ACCESS_DENIED", "trino": "PERMISSION_DENIED"}[front_end]
    assert refused.value.sqlstate in (None, "42501")
    assert {access.user for access in seen.catalog} == {"bob"}
    assert {access.status for access in seen.catalog} & {403, 500}  # Nessie says no with a failure of its own
    assert seen.own == []


def test_a_person_without_any_rights_is_refused_by_the_catalog(
    identity_server: IdentityTestServer, catalog: CatalogService, all_orders: Callable[[Lake], str]
) -> None:
    lake = Lake(identity_server.stack, catalog, "vended")
    orders = all_orders(lake)
    with lake.watched() as seen, pytest.raises(Refused) as refused:
        identity_server.person("carol").flight(f"SELECT * FROM {orders}")
    assert refused.value.code == "ACCESS_DENIED"
    assert {access.user for access in seen.catalog} == {"carol"}
    assert seen.own == []


def test_nobody_steps_in_where_a_catalog_vends_no_keys(
    identity_server: IdentityTestServer, stack: Stack, alice: Person
) -> None:
    mark = stack.minio.audit.mark()
    with pytest.raises(Refused) as refused:
        alice.flight(f"SELECT * FROM {UNVENDED}.default.t")
    assert refused.value.code == "ACCESS_DENIED"
    assert "vended no credentials" in refused.value.message
    assert identity_server.unvended.of_catalog()
    assert identity_server.unvended.of_store() == []
    assert identity_server.metadata.asked == []
    assert stack.minio.audit.since(mark) == []


def test_the_engine_was_not_handed_the_keys_that_lay_around(identity_server: IdentityTestServer) -> None:
    [engine] = [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if _mentions(path, f"{identity_server.server.home}/run/")
    ]
    environment = Path(f"/proc/{engine}/environ").read_bytes()
    assert b"HOME=" in environment  # where a profile lies that nobody may use
    assert b"AWS_" not in environment


def _mentions(path: Path, text: str) -> bool:
    try:
        said = path.read_bytes()
    except OSError:  # it has just ended
        return False
    return text.encode() in said and b"engine.arguments" in said
