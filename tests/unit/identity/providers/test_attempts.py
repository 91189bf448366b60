from __future__ import annotations

import pytest

from sqe.errors import AuthenticationError
from sqe.identity.providers.attempts import Attempts


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def waits(attempts: Attempts, user: str, address: str | None) -> str | None:
    with pytest.raises(AuthenticationError, match="Too many failed logins") as caught:
        attempts.check((user, address))
    return caught.value.hint


def test_success_ends_the_wait_and_time_does_too(clock: Clock) -> None:
    attempts = Attempts(clock)
    key = ("alice", None)
    for _ in range(50):
        attempts.failed(key)
    clock.now = 59.0
    waits(attempts, *key)
    clock.now = 61.0
    attempts.check(key)
    attempts.succeeded(key)
    clock.now = 0.0
    attempts.check(key)


def test_somebody_who_never_gives_up_waits_no_longer_than_the_longest(clock: Clock) -> None:
    attempts = Attempts(clock)
    for _ in range(5000):
        attempts.failed(("alice", None))
    assert waits(attempts, "alice", None) == "Try again in 60 s."


def test_failures_do_not_fill_the_memory() -> None:
    attempts = Attempts(per_address=30)
    for number in range(10_050):
        attempts.failed((f"user{number}", f"192.0.{number // 256}.{number % 256}"))
    assert len(attempts._failures) == 10_000
    assert len(attempts._addresses._buckets) == 10_000
    attempts.failed(("x" * 100_000, "192.0.2.1"))
    assert max(len(user) for user, _ in attempts._failures) < 1000


def test_one_address_cannot_try_many_users(clock: Clock) -> None:
    attempts = Attempts(clock, per_address=30)
    for number in range(30):
        attempts.check((f"user{number}", "192.0.2.1"))
        attempts.failed((f"user{number}", "192.0.2.1"))
    assert waits(attempts, "another", "192.0.2.1") == "Try again in 2 s."
    attempts.check(("another", "192.0.2.2"))
    clock.now = 2.0
    attempts.check(("another", "192.0.2.1"))
    attempts.failed(("another", "192.0.2.1"))
    waits(attempts, "yet another", "192.0.2.1")


def test_an_account_of_ones_own_does_not_help(clock: Clock) -> None:
    attempts = Attempts(clock, per_address=30)
    for number in range(30):
        attempts.failed((f"user{number}", "192.0.2.1"))
        attempts.succeeded(("mallory", "192.0.2.1"))
    waits(attempts, "mallory", "192.0.2.1")


def test_another_address_of_the_same_network_does_not_help(clock: Clock) -> None:
    attempts = Attempts(clock, per_address=30)
    for number in range(30):
        attempts.failed(("alice", f"2001:db8::{number:x}"))
    waits(attempts, "bob", "2001:db8::ffff")
    attempts = Attempts(clock)
    for number in range(6):
        attempts.failed(("alice", f"2001:db8::{number:x}"))
    waits(attempts, "alice", "2001:db8::ffff")


def test_calls_at_the_same_time_have_to_be_paid_for(clock: Clock) -> None:
    attempts = Attempts(clock, per_address=30)
    for number in range(45):  # all were under way before the first had failed
        attempts.failed((f"user{number}", "192.0.2.1"))
    assert waits(attempts, "another", "192.0.2.1") == "Try again in 32 s."


def test_an_address_that_is_not_known_counts_by_user_only(clock: Clock) -> None:
    attempts = Attempts(clock, per_address=30)
    for number in range(100):
        attempts.failed((f"user{number}", None))
    attempts.check(("another", None))
    for _ in range(6):
        attempts.failed(("alice", None))
    waits(attempts, "alice", None)


def test_it_can_be_turned_off(clock: Clock) -> None:
    attempts = Attempts(clock, per_address=0)
    for number in range(100):
        attempts.failed((f"user{number}", "192.0.2.1"))
    attempts.check(("another", "192.0.2.1"))
