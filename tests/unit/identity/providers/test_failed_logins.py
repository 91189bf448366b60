from __future__ import annotations

import pytest
from tests.support.clock import Clock

from sqe.errors import AuthenticationError
from sqe.identity.providers.failed_logins import FailedLogins


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


def waits(failed_logins: FailedLogins, user: str, address: str | None) -> str | None:
    with pytest.raises(AuthenticationError, match="Too many failed logins") as caught:
        failed_logins.check((user, address))
    return caught.value.hint


def test_success_ends_the_wait_and_time_does_too(clock: Clock) -> None:
    failed_logins = FailedLogins(clock)
    key = ("alice", None)
    for _ in range(50):
        failed_logins.add(key)
    clock.now = 59.0
    waits(failed_logins, *key)
    clock.now = 61.0
    failed_logins.check(key)
    failed_logins.clear(key)
    clock.now = 0.0
    failed_logins.check(key)


def test_somebody_who_never_gives_up_waits_no_longer_than_the_longest(clock: Clock) -> None:
    failed_logins = FailedLogins(clock)
    for _ in range(5000):
        failed_logins.add(("alice", None))
    assert waits(failed_logins, "alice", None) == "Try again in 60 s."


def test_failures_do_not_fill_the_memory() -> None:
    failed_logins = FailedLogins(per_address=30)
    for number in range(10_050):
        failed_logins.add((f"user{number}", f"192.0.{number // 256}.{number % 256}"))
    assert len(failed_logins._failures) == 10_000
    assert len(failed_logins._addresses._buckets) == 10_000
    failed_logins.add(("x" * 100_000, "192.0.2.1"))
    assert max(len(user) for user, _ in failed_logins._failures) < 1000


def test_one_address_cannot_try_many_users(clock: Clock) -> None:
    failed_logins = FailedLogins(clock, per_address=30)
    for number in range(30):
        failed_logins.check((f"user{number}", "192.0.2.1"))
        failed_logins.add((f"user{number}", "192.0.2.1"))
    assert waits(failed_logins, "another", "192.0.2.1") == "Try again in 2 s."
    failed_logins.check(("another", "192.0.2.2"))
    clock.now = 2.0
    failed_logins.check(("another", "192.0.2.1"))
    failed_logins.add(("another", "192.0.2.1"))
    waits(failed_logins, "yet another", "192.0.2.1")


def test_an_account_of_ones_own_does_not_help(clock: Clock) -> None:
    failed_logins = FailedLogins(clock, per_address=30)
    for number in range(30):
        failed_logins.add((f"user{number}", "192.0.2.1"))
        failed_logins.clear(("mallory", "192.0.2.1"))
    waits(failed_logins, "mallory", "192.0.2.1")


def test_another_address_of_the_same_network_does_not_help(clock: Clock) -> None:
    failed_logins = FailedLogins(clock, per_address=30)
    for number in range(30):
        failed_logins.add(("alice", f"2001:db8::{number:x}"))
    waits(failed_logins, "bob", "2001:db8::ffff")
    failed_logins = FailedLogins(clock)
    for number in range(6):
        failed_logins.add(("alice", f"2001:db8::{number:x}"))
    waits(failed_logins, "alice", "2001:db8::ffff")


def test_calls_at_the_same_time_have_to_be_paid_for(clock: Clock) -> None:
    failed_logins = FailedLogins(clock, per_address=30)
    for number in range(45):  # all were under way before the first had failed
        failed_logins.add((f"user{number}", "192.0.2.1"))
    assert waits(failed_logins, "another", "192.0.2.1") == "Try again in 32 s."


def test_an_address_that_is_not_known_counts_by_user_only(clock: Clock) -> None:
    failed_logins = FailedLogins(clock, per_address=30)
    for number in range(100):
        failed_logins.add((f"user{number}", None))
    failed_logins.check(("another", None))
    for _ in range(6):
        failed_logins.add(("alice", None))
    waits(failed_logins, "alice", None)


def test_it_can_be_turned_off(clock: Clock) -> None:
    failed_logins = FailedLogins(clock, per_address=0)
    for number in range(100):
        failed_logins.add((f"user{number}", "192.0.2.1"))
    failed_logins.check(("another", "192.0.2.1"))


def test_the_number_of_free_failures_can_be_set(clock: Clock) -> None:
    key = ("alice", None)
    strict, off = FailedLogins(clock, per_user=1), FailedLogins(clock, per_user=0)
    strict.check(key)
    strict.add(key)
    assert waits(strict, *key) == "Try again in 1 s."
    for _ in range(100):
        off.add(key)
    off.check(key)
