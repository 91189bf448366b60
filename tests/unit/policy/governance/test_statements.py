"""Changes at the same time, stores that do not answer, and set-ups without one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.governance import ADA, ORDERS, ROOT, GovernanceHarness

from sqe.errors import (
    AccessDeniedError,
    CommitConflictError,
    PolicyUnavailableError,
    UnsupportedError,
)
from sqe.model.session import Dialect
from sqe.policy.administrators import Administrators
from sqe.policy.governance.statements import Governance
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy.statement import read


def test_other_changes_at_the_same_time_are_seen(harness: GovernanceHarness, tmp_path: Path) -> None:
    """Somebody takes the grant option away between the check and the change."""
    harness.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    other = GrantStore(tmp_path / "grants.db", timeout=120)
    real = harness.store.snapshot
    interferences: list[Callable[[], None]] = [lambda: revoke(other)]

    def snapshot() -> Any:
        found = real()
        if interferences and harness.store.history():
            interferences.pop()()
        return found

    harness.store.snapshot = snapshot  # type: ignore[method-assign]
    with pytest.raises(AccessDeniedError):
        harness.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)
    other.close()


def revoke(store: GrantStore) -> None:
    with store.change("root", "REVOKE") as change:
        for grant in store.snapshot().grants:
            change.remove_grant(grant)


def test_never_ending_changes_are_a_conflict(harness: GovernanceHarness, tmp_path: Path) -> None:
    other = GrantStore(tmp_path / "grants.db", timeout=120)
    real = harness.store.snapshot

    def snapshot() -> Any:
        found = real()
        other.record("root", "something else")
        return found

    harness.store.snapshot = snapshot  # type: ignore[method-assign]
    with pytest.raises(CommitConflictError):
        harness.run("GRANT SELECT ON TABLE orders TO USER ada")
    other.close()


def test_a_store_that_does_not_answer_is_a_refusal(harness: GovernanceHarness, tmp_path: Path) -> None:
    lock = sqlite3.connect(tmp_path / "grants.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(PolicyUnavailableError):
        harness.run("GRANT SELECT ON TABLE orders TO USER ada")
    lock.execute("ROLLBACK")
    lock.close()
    assert not harness.may(ADA)


@pytest.mark.parametrize(
    "sql",
    [
        "GRANT SELECT ON TABLE orders TO USER ada",
        "DENY SELECT ON TABLE orders TO USER ada",
        "REVOKE SELECT ON TABLE orders FROM USER ada",
        "CREATE POLICY p ROW FILTER ON TABLE orders USING (true)",
        "DROP POLICY p",
        "SHOW GRANTS",
        "SHOW EFFECTIVE GRANTS",
        "SHOW POLICIES",
    ],
)
def test_without_the_engine_grants_they_say_so(harness: GovernanceHarness, sql: str) -> None:
    governance = Governance(harness.point, None, Administrators(["user:root"]), keyed=True)
    statement = read(sql, Dialect.SPARK)
    assert statement is not None
    with pytest.raises(UnsupportedError, match="needs the policy engine grants"):
        governance.run(statement, sql, ROOT, harness.context)


def test_questions_and_tags_work_with_every_engine(harness: GovernanceHarness) -> None:
    governance = Governance(harness.point, None, Administrators(["user:root"]), keyed=True)
    for sql in (
        "SHOW EFFECTIVE POLICY ON orders",
        "CHECK ACCESS SELECT ON orders FOR USER ada",
        "ALTER TABLE orders SET TAGS (ssn = ('pii'))",
    ):
        statement = read(sql, Dialect.SPARK)
        assert statement is not None
        governance.run(statement, sql, ROOT, harness.context)
    assert harness.context.known[ORDERS.name].columns[2].tags == ("pii",)
