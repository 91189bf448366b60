from __future__ import annotations

import pytest
from tests.support.clock import Clock

from sqe.errors import TooManyQueriesError
from sqe.identity.query_rates import QueryRates


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


def refused(rates: QueryRates, user: str, address: str | None) -> tuple[str, str | None]:
    with pytest.raises(TooManyQueriesError) as caught:
        rates.take(user, address)
    return caught.value.message, caught.value.hint


def test_a_user_has_so_many_wherever_from(clock: Clock) -> None:
    rates = QueryRates(2, 0, clock)
    rates.take("alice", "192.0.2.1")
    rates.take("alice", "192.0.2.2")
    assert refused(rates, "alice", "192.0.2.3") == (
        "alice has sent more than 2 queries per minute.",
        "Try again in 30 s.",
    )
    rates.take("bob", "192.0.2.1")
    clock.now = 30
    rates.take("alice", None)


def test_an_address_has_so_many_whoever_it_is(clock: Clock) -> None:
    rates = QueryRates(0, 2, clock)
    rates.take("alice", "2001:db8::1")
    rates.take("bob", "2001:db8::2")
    message, hint = refused(rates, "carol", "2001:db8::3")
    assert message == "The address 2001:db8::/64 has sent more than 2 queries per minute."
    assert hint == "Try again in 30 s."
    rates.take("carol", "192.0.2.1")
    rates.take("carol", None)  # not of an address


def test_what_is_refused_is_not_counted(clock: Clock) -> None:
    rates = QueryRates(2, 4, clock)
    for _ in range(2):
        rates.take("alice", "192.0.2.1")
    for _ in range(50):
        refused(rates, "alice", "192.0.2.1")
    rates.take("bob", "192.0.2.1")
    rates.take("bob", "192.0.2.1")
    for _ in range(50):
        refused(rates, "carol", "192.0.2.1")
    rates.take("carol", "192.0.2.2")
    rates.take("carol", "192.0.2.2")
    clock.now = 31
    rates.take("alice", "192.0.2.3")


def test_zero_is_no_limit() -> None:
    rates = QueryRates(0, 0)
    for _ in range(10_000):
        rates.take("alice", "192.0.2.1")
