from __future__ import annotations

from tests.support.clock import Clock

from sqe.identity.logins.verified_credentials import VerifiedCredentials


def test_what_was_right_is_known_for_a_while(clock: Clock) -> None:
    verified: VerifiedCredentials[int] = VerifiedCredentials(clock)
    assert verified.find("alice", "pw") is None
    verified.add("alice", "pw", 1)
    assert verified.find("alice", "pw") == 1
    assert verified.find("alice", "PW") is None
    assert verified.find("bob", "pw") is None
    clock.sleep(299)
    assert verified.find("alice", "pw") == 1
    clock.sleep(1)
    assert verified.find("alice", "pw") is None


def test_an_end_of_its_own(clock: Clock) -> None:
    verified: VerifiedCredentials[int] = VerifiedCredentials(clock, 10)
    verified.add("alice", "pw", 1, until=clock() + 100)
    clock.sleep(99)
    assert verified.find("alice", "pw") == 1
    clock.sleep(1)
    assert verified.find("alice", "pw") is None


def test_what_is_forgotten_is_gone(clock: Clock) -> None:
    verified: VerifiedCredentials[int] = VerifiedCredentials(clock)
    verified.add("alice", "pw", 1)
    verified.forget("alice", "pw")
    verified.forget("alice", "never there")
    assert verified.find("alice", "pw") is None


def test_no_two_pairs_look_the_same(clock: Clock) -> None:
    verified: VerifiedCredentials[int] = VerifiedCredentials(clock)
    pairs = [
        ("ab", "c"),
        ("a", "bc"),
        ("a\0b", "c"),
        ("a", "b\0c"),
        ("1:a", "b"),
        ("", "1:ab"),
        ("\ud800", ""),
    ]
    for number, (owner, secret) in enumerate(pairs, 1):
        verified.add(owner, secret, number)
    assert [verified.find(*pair) for pair in pairs] == [1, 2, 3, 4, 5, 6, 7]


def test_neither_names_nor_secrets_are_kept(clock: Clock) -> None:
    verified: VerifiedCredentials[int] = VerifiedCredentials(clock)
    verified.add("alice", "hunter2", 1)
    assert "hunter2" not in repr(vars(verified))
    assert verified.digest("alice", "hunter2") != VerifiedCredentials[int](clock).digest("alice", "hunter2")


def test_the_oldest_go_when_there_are_too_many(clock: Clock) -> None:
    verified: VerifiedCredentials[int] = VerifiedCredentials(clock)
    for number in range(10_002):
        verified.add("alice", str(number), number)
        verified.add("alice", "used", -1)
    assert verified.find("alice", "0") is None
    assert verified.find("alice", "10001") == 10_001
    assert verified.find("alice", "used") == -1
