from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sqe.errors import ConfigError, PolicyUnavailableError, SetupError, SqeError
from sqe.model.session import Dialect
from sqe.policy.binding import BoundExpression
from sqe.policy.grants.entries import (
    Authority,
    ColumnReference,
    Effect,
    Grant,
    Place,
    Policy,
    PresentTable,
)
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy.statement_types import Grantee, GranteeKind, ObjectKind, PolicyKind, Privilege

TABLE = Place(ObjectKind.TABLE, "lake", ("a.b", "c"), "t", "u-1")
ADA = Grantee(GranteeKind.USER, "ada")
FILTER = BoundExpression("region = 'eu'", Dialect.TRINO, {"region": 3})
GRANT = Grant(
    Effect.GRANT,
    Privilege.SELECT,
    TABLE,
    ADA,
    "root",
    Authority.ADMIN,
    (ColumnReference("id", 1), ColumnReference("x")),
    FILTER,
    ((ColumnReference("ssn", 2), BoundExpression("mask_null()", Dialect.SPARK)),),
    True,
    (PresentTable("old", None), PresentTable("older", "u-0")),
)
POLICY = Policy(
    "Eu",
    PolicyKind.ROW_FILTER,
    "root",
    Authority.OWNER,
    TABLE,
    None,
    (ColumnReference("a", 1),),
    (ADA,),
    FILTER,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "grants.db"


@pytest.fixture
def store(path: Path) -> Iterator[GrantStore]:
    found = GrantStore(path, timeout=0.3)
    yield found
    found.close()


def add(store: GrantStore, *grants: Grant, who: str = "root", statement: str = "GRANT ...") -> None:
    with store.change(who, statement) as change:
        for grant in grants:
            change.add_grant(grant)


def test_what_was_written_comes_back(store: GrantStore) -> None:
    with store.change("root", "GRANT ...") as change:
        change.add_grant(GRANT)
        change.put_policy(POLICY)
    snapshot = store.snapshot()
    (grant,), (policy,) = snapshot.grants, snapshot.policies
    assert grant.created
    assert policy.created
    assert grant == replace(GRANT, created=grant.created, id=grant.id)
    assert policy == replace(POLICY, created=policy.created)
    assert snapshot.by_grantee == {ADA: (grant,)}
    assert snapshot.policy("EU") is policy


def test_it_survives_being_opened_again(store: GrantStore, path: Path) -> None:
    add(store, GRANT)
    version = store.version()
    store.close()
    again = GrantStore(path, timeout=0.3)
    assert again.version() == version
    assert len(again.snapshot().grants) == 1
    again.close()


def test_every_change_raises_the_version_and_is_on_record(store: GrantStore) -> None:
    before = store.version()
    add(store, GRANT, who="ada", statement="GRANT 1")
    middle = store.version()
    with store.change("bob", "REVOKE 1") as change:
        change.remove_grant(store.snapshot().grants[0])
    assert len({before, middle, store.version()}) == 3
    assert store.snapshot().grants == ()
    history = store.history()
    assert [(entry.version, entry.who, entry.statement) for entry in history] == [
        (1, "ada", "GRANT 1"),
        (2, "bob", "REVOKE 1"),
    ]
    assert all(entry.at for entry in history)


def test_a_change_is_logged(store: GrantStore, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        add(store, GRANT, who="ada", statement="GRANT 1\nforged line")
    assert caplog.messages == ["policy change 1 by 'ada': 'GRANT 1\\nforged line'"]


def test_what_changes_nothing_leaves_no_record(store: GrantStore) -> None:
    before = store.version()
    with store.change("ada", "DROP POLICY IF EXISTS x"):
        pass
    assert (store.version(), store.history()) == (before, [])


def add_and_fail(store: GrantStore) -> None:
    with store.change("ada", "GRANT") as change:
        change.add_grant(GRANT)
        raise RuntimeError


def test_an_exception_undoes_a_change(store: GrantStore) -> None:
    before = store.version()
    with pytest.raises(RuntimeError):
        add_and_fail(store)
    assert store.version() == before
    assert store.snapshot().grants == ()
    assert store.history() == []


def test_a_change_elsewhere_can_be_put_on_record(store: GrantStore) -> None:
    store.record("ada", "ALTER TABLE t SET TAGS ...")
    assert [entry.who for entry in store.history()] == ["ada"]


def test_an_entry_can_be_replaced(store: GrantStore) -> None:
    add(store, GRANT)
    (grant,) = store.snapshot().grants
    with store.change("root", "REVOKE GRANT OPTION") as change:
        change.replace_grant(replace(grant, grant_option=False))
    (changed,) = store.snapshot().grants
    assert (changed.id, changed.grant_option) == (grant.id, False)


def test_a_policy_takes_the_place_of_one_of_the_same_name(store: GrantStore) -> None:
    for name in ("p", "P"):
        with store.change("root", "CREATE OR REPLACE POLICY") as change:
            change.put_policy(Policy(name, PolicyKind.RESTRICT_COLUMNS, "root", Authority.ADMIN, tag="pii"))
    assert [policy.name for policy in store.snapshot().policies] == ["P"]


def test_the_snapshot_is_read_again_only_after_a_change(store: GrantStore) -> None:
    first = store.snapshot()
    assert store.snapshot() is first
    add(store, GRANT)
    assert store.snapshot() is not first


def test_two_gateways_share_one_file(store: GrantStore, path: Path) -> None:
    other = GrantStore(path, timeout=120)
    mine = GrantStore(path, timeout=120)
    assert mine.snapshot().grants == ()
    failures: list[SqeError] = []

    def write(gateway: GrantStore, name: str) -> None:
        try:
            for number in range(20):
                add(gateway, GRANT, who=name, statement=str(number))
        except SqeError as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=pair) for pair in ((mine, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert mine.version() == other.version()
    assert len(mine.snapshot().grants) == len(other.snapshot().grants) == 40
    history = other.history()
    assert [entry.version for entry in history] == list(range(1, 41))
    for name in ("a", "b"):  # each one's own are in order
        assert [entry.statement for entry in history if entry.who == name] == [str(n) for n in range(20)]
    mine.close()
    other.close()


def test_two_gateways_can_start_at_the_same_time(path: Path) -> None:
    stores: list[GrantStore] = []
    threads = [
        threading.Thread(target=lambda: stores.append(GrantStore(path, timeout=120))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len({store.version() for store in stores}) == 1
    assert len(stores) == 6
    for store in stores:
        store.close()


def test_readers_do_not_wait_for_a_writer_and_writers_do_not_wait_for_ever(
    store: GrantStore, path: Path
) -> None:
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    assert store.snapshot().grants == ()
    with pytest.raises(PolicyUnavailableError) as caught:
        add(store, GRANT)
    assert "locked" in (caught.value.detail or "")
    assert caught.value.code == "POLICY_UNAVAILABLE"
    lock.execute("ROLLBACK")
    lock.close()
    add(store, GRANT)
    assert len(store.snapshot().grants) == 1


def test_a_database_that_is_locked_for_all_is_unavailable(store: GrantStore, path: Path) -> None:
    store.close()
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("PRAGMA journal_mode = DELETE")
    lock.execute("BEGIN EXCLUSIVE")
    with pytest.raises(PolicyUnavailableError):
        store.snapshot()
    with pytest.raises(PolicyUnavailableError):
        store.version()
    with pytest.raises(PolicyUnavailableError):
        GrantStore(path, timeout=0.1)
    lock.execute("ROLLBACK")
    lock.close()
    assert store.snapshot().grants == ()


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "grants.db"
    path.write_text("not a database, but long enough to be looked at " * 100)
    path.chmod(0o600)
    with pytest.raises(PolicyUnavailableError):
        GrantStore(path, timeout=0.1)


def test_what_cannot_be_read_is_a_refusal_and_not_left_out(store: GrantStore, path: Path) -> None:
    add(store, GRANT)
    with sqlite3.connect(path) as other:
        other.execute("UPDATE sqe_grants SET privilege = 'EVERYTHING'")
        other.execute("UPDATE sqe_policy_state SET version = version + 1")
    other.close()
    with pytest.raises(PolicyUnavailableError, match="invalid entry"):
        store.snapshot()


def test_the_file_is_private(store: GrantStore, path: Path) -> None:
    add(store, GRANT)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "grants.db"
    path.touch(0o644)
    path.chmod(0o644)
    with pytest.raises(SetupError, match="not a private file"):
        GrantStore(path, timeout=0.1)


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").touch(0o600)
    path = tmp_path / "grants.db"
    path.symlink_to(tmp_path / "real")
    with pytest.raises(SetupError):
        GrantStore(path, timeout=0.1)


def test_a_newer_layout_is_refused(store: GrantStore, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as other:
        other.execute("UPDATE sqe_policy_state SET layout = 99")
    other.close()
    with pytest.raises(ConfigError, match="layout 99"):
        GrantStore(path, timeout=0.1)


@pytest.mark.parametrize(
    "address", ["mysql://u:hunter2@h/d", "postgresql", "sqlite:///x", "", "/some/hunter2"]
)
def test_an_address_of_something_else_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        GrantStore(address, timeout=0.1)
    assert "hunter2" not in f"{caught.value.message}{caught.value.hint}{caught.value.detail}"


def test_a_postgresql_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(PolicyUnavailableError) as caught:
        GrantStore("postgresql://ada:hunter2@127.0.0.1:1/x", timeout=0.2)
    assert "hunter2" not in f"{caught.value.message}{caught.value.hint}{caught.value.detail}"
