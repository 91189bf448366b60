from __future__ import annotations

from sqe.control.bindings import Binding
from sqe.control.handed_keys import HandedKeys
from sqe.control.protocol import KeyFields
from sqe.model.identity import Principal

ALICE = Binding("session", Principal("alice", "oidc_password", login="login"), {}, engine=1)
KEYS = KeyFields(catalog="lake", scope="s3://lake/t/", access_key_id="AKIA", secret_access_key="hidden")


def test_keys_that_no_plan_takes_are_dropped_after_a_minute() -> None:
    now = [1000.0]
    handed = HandedKeys(lambda: now[0])
    first, second = handed.put(ALICE, [KEYS]), handed.put(ALICE, [KEYS])
    now[0] += 59
    assert handed.take(ALICE, first).keys() == {"s3://lake/t/"}
    now[0] += 2
    assert handed.take(ALICE, second) == {}
    handed.put(ALICE, [KEYS])
    now[0] += 61
    handed.put(ALICE, [KEYS])
    assert len(handed) == 1


def test_a_binding_made_anew_is_another_one() -> None:
    handed = HandedKeys(lambda: 0.0)
    reference = handed.put(ALICE, [KEYS])
    again = Binding("session", ALICE.principal, {}, engine=1)
    assert handed.take(again, reference) == {}
    assert handed.take(ALICE, reference)


def test_no_two_references_are_the_same() -> None:
    handed = HandedKeys(lambda: 0.0)
    assert len({handed.put(ALICE, [KEYS]) for _ in range(100)}) == 100


def test_the_keys_of_a_session_are_dropped_with_it() -> None:
    handed = HandedKeys(lambda: 0.0)
    handed.put(ALICE, [KEYS])
    handed.forget("another")
    assert len(handed) == 1
    handed.forget("session")
    assert len(handed) == 0
