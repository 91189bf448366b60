"""Grants in a real PostgreSQL."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from sqe.errors import PolicyUnavailableError, SqeError
from sqe.model.session import Dialect
from sqe.policy.binding import BoundExpression
from sqe.policy.grants.entries import (
    Authority,
    ColumnReference,
    Effect,
    Grant,
    Place,
    Policy,
)
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy.statement_types import Grantee, GranteeKind, ObjectKind, PolicyKind, Privilege

pgserver = pytest.importorskip("pgserver")

GRANT = Grant(
    Effect.GRANT,
    Privilege.SELECT,
    Place(ObjectKind.TABLE, "lake", ("a.b", "c"), "t", "u-1"),
    Grantee(GranteeKind.USER, "ada"),
    "root",
    Authority.ADMIN,
    (ColumnReference("id", 1),),
    BoundExpression("region = 'eu'", Dialect.TRINO, {"region": 3}),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    directory = tmp_path_factory.mktemp("postgresql")
    for parent in (directory, *directory.parents[:2]):
        parent.chmod(0o755)  # as root, it runs under an account of its own
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where XDG_RUNTIME_DIR is not set
        found = pgserver.get_server(directory)
    yield found
    found.cleanup()


@pytest.fixture
def address(server: object, request: pytest.FixtureRequest) -> str:
    """Of a database of its own."""
    name = f"grants_{abs(hash(request.node.name)) % 10**9}"
    server.psql(f"CREATE DATABASE {name}")  # type: ignore[attr-defined]
    return str(server.get_uri(name))  # type: ignore[attr-defined]


def add(store: GrantStore, who: str = "root", statement: str = "GRANT") -> None:
    with store.change(who, statement) as change:
        change.add_grant(GRANT)


def test_what_was_written_comes_back(address: str) -> None:
    store = GrantStore(address, timeout=5)
    with store.change("root", "GRANT") as change:
        change.add_grant(GRANT)
        change.put_policy(Policy("p", PolicyKind.RESTRICT_COLUMNS, "root", Authority.ADMIN, tag="pii"))
    store.close()
    again = GrantStore(address, timeout=5)
    (grant,), (policy,) = again.snapshot().grants, again.snapshot().policies
    assert (grant.place, grant.columns, grant.rows) == (GRANT.place, GRANT.columns, GRANT.rows)
    assert (policy.name, policy.tag) == ("p", "pii")
    assert [(entry.version, entry.who) for entry in again.history()] == [(1, "root")]
    again.close()


def test_gateways_that_start_and_write_together_do_not_disturb_each_other(address: str) -> None:
    stores: list[GrantStore] = []
    failures: list[SqeError] = []

    def work(name: str) -> None:
        try:
            store = GrantStore(address, timeout=20)
            stores.append(store)
            for number in range(10):
                add(store, name, str(number))
        except SqeError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert {len(store.snapshot().grants) for store in stores} == {30}
    assert len({store.version() for store in stores}) == 1
    assert [entry.version for entry in stores[0].history()] == list(range(1, 31))
    for store in stores:
        store.close()


def test_a_writer_who_holds_the_lock_makes_others_give_up_and_readers_go_on(address: str) -> None:
    store, other = GrantStore(address, timeout=5), GrantStore(address, timeout=0.5)
    with store.change("root", "slow") as change:
        change.add_grant(GRANT)
        with pytest.raises(PolicyUnavailableError):
            add(other)
        assert other.snapshot().grants == ()  # nothing is seen of what is not done
    add(other)
    assert len(other.snapshot().grants) == 2
    store.close()
    other.close()


def add_and_fail(store: GrantStore) -> None:
    with store.change("root", "GRANT") as change:
        change.add_grant(GRANT)
        raise RuntimeError


def test_an_exception_undoes_a_change(address: str) -> None:
    store = GrantStore(address, timeout=5)
    before = store.version()
    with pytest.raises(RuntimeError):
        add_and_fail(store)
    assert (store.version(), store.snapshot().grants, store.history()) == (before, (), [])
    store.close()


def test_connections_that_were_cut_are_made_again(address: str, server: object) -> None:
    store = GrantStore(address, timeout=5)
    add(store)
    assert len(store.snapshot().grants) == 1
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sqe'"
    server.psql(cut)  # type: ignore[attr-defined]
    assert store.version()
    server.psql(cut)  # type: ignore[attr-defined]
    assert len(store.snapshot().grants) == 1
    store.close()


def test_a_server_that_is_gone_is_a_refusal(tmp_path: Path, address: str) -> None:
    store = GrantStore(address, timeout=1)
    nobody = address.replace("host=", f"host={tmp_path}/nothing&x=").partition("&x=")[0]
    with pytest.raises(PolicyUnavailableError):
        GrantStore(nobody, timeout=1)
    store.close()
