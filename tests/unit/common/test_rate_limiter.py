from __future__ import annotations

import pytest
from tests.support.clock import Clock

from sqe.common import rate_limiter as module
from sqe.common.rate_limiter import RateLimiter, network


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


def test_a_minutes_worth_at_once_and_then_as_it_fills(clock: Clock) -> None:
    buckets = RateLimiter(6, clock)
    for _ in range(6):
        assert buckets.wait("a") == 0
        buckets.take("a")
    assert buckets.wait("a") == pytest.approx(10)
    assert buckets.wait("b") == 0
    clock.now = 4
    assert buckets.wait("a") == pytest.approx(6)
    clock.now = 10
    assert buckets.wait("a") == 0
    clock.now = 1000
    for _ in range(6):  # however long nobody took any
        assert buckets.wait("a") == 0
        buckets.take("a")
    assert buckets.wait("a") > 0


def test_who_takes_when_there_is_none_owes_it(clock: Clock) -> None:
    buckets = RateLimiter(6, clock)
    for _ in range(8):
        buckets.take("a")
    assert buckets.wait("a") == pytest.approx(30)
    for _ in range(1000):
        buckets.take("a")
    assert buckets.wait("a") == pytest.approx(70)  # and no more than a minute's worth


def test_zero_turns_it_off_and_remembers_nothing(clock: Clock) -> None:
    buckets = RateLimiter(0, clock)
    for _ in range(1000):
        assert buckets.wait("a") == 0
        buckets.take("a")
    assert not buckets._buckets


def test_memory_is_bounded_and_full_buckets_go(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_REMEMBERED", 100)
    buckets = RateLimiter(6, clock)
    for number in range(500):
        buckets.take(str(number))
    assert len(buckets._buckets) == 100
    assert buckets.wait("499") == 0
    clock.now = 120
    buckets.take("new")
    assert list(buckets._buckets) == ["new"]


def test_a_bucket_in_debt_is_not_forgotten_before_it_is_full(clock: Clock) -> None:
    buckets = RateLimiter(6, clock)
    for _ in range(100):
        buckets.take("a")
    clock.now = 60
    buckets.take("b")
    assert buckets.wait("a") > 0


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("::1", "::/64"),
        ("not an address", "not an address"),
    ],
)
def test_one_subscriber_is_one_address(address: str, counted: str) -> None:
    assert network(address) == counted
