from __future__ import annotations

import pytest
from stack.grants import Grants
from stack.nessie import rules

from sqe.errors import SetupError


def test_each_namespace_has_somebody_who_makes_it() -> None:
    assert list(Grants().namespaces()) == [
        ("alice", "alice"),
        ("sales", "alice"),
        ("shared", "alice"),
        ("bob", "bob"),
    ]


def test_a_table_of_a_granted_namespace_becomes_an_exception() -> None:
    grants = Grants()
    grants.revoke("alice", "sales.orders")
    assert grants.granted("alice") == ["alice", "sales", "shared"]
    assert grants.revoked("alice") == ["sales.orders"]
    grants.grant("alice", "sales.orders")
    assert grants.granted("alice") == ["alice", "sales", "shared"]
    assert grants.revoked("alice") == []


def test_a_table_elsewhere_is_granted_by_itself() -> None:
    grants = Grants()
    grants.grant("bob", "sales.orders")
    assert grants.granted("bob") == ["bob", "sales.orders", "shared"]
    grants.revoke("bob", "sales.orders")
    assert grants.granted("bob") == ["bob", "shared"]
    assert grants.revoked("bob") == []


def test_what_nobody_has_cannot_be_revoked() -> None:
    with pytest.raises(SetupError, match=r"bob has no right to sales\.orders"):
        Grants().revoke("bob", "sales.orders")
    with pytest.raises(SetupError, match="knows no mallory"):
        Grants().grant("mallory", "sales")


def test_nessie_s_rules_say_the_same() -> None:
    grants = Grants()
    grants.revoke("alice", "sales.orders")
    grants.revoke("bob", "shared")
    written = rules(grants)
    assert set(written) == {
        "alice_everywhere",
        "alice_inside",
        "bob_everywhere",
        "bob_inside",
    }  # nothing for carol
    assert written["bob_inside"] == "role == 'bob' && (path == 'bob' || path.startsWith('bob.'))"
    assert written["alice_inside"].startswith(
        "role == 'alice' && (path == 'alice' || path.startsWith('alice.') || "
    )
    assert written["alice_inside"].endswith(
        " && !(path == 'sales.orders' || path.startsWith('sales.orders.'))"
    )
    assert "'READ_ENTITY_VALUE'" not in written["alice_everywhere"]
