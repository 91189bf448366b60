from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.known_logins import KnownLogins
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.model.identity import Principal


class Door:
    """Logs alice in, and counts."""

    def __init__(self, logins: Logins, clock: Clock) -> None:
        self.logins = logins
        self.clock = clock
        self.asked = 0
        self.error: Exception | None = None
        self.before: Callable[[], None] = lambda: None
        self.known = KnownLogins(logins, clock)

    def log_in(self) -> Principal:
        self.asked += 1
        self.before()
        if self.error is not None:
            raise self.error
        tokens = Tokens("t", self.clock() + 100_000)
        return self.logins.start(Principal("alice", "p"), "key", tokens, None)

    def enter(self, secret: str = "pw") -> Principal:
        return self.known.principal("alice", secret, self.log_in)


@pytest.fixture
def door(logins: Logins, clock: Clock) -> Door:
    return Door(logins, clock)


def test_one_login_in_five_minutes(door: Door, clock: Clock) -> None:
    first = door.enter()
    for _ in range(299):
        assert door.enter() == first
        clock.sleep(1)
    assert door.asked == 1
    clock.sleep(1)
    assert door.enter() == first
    assert door.asked == 2


def test_how_long_credentials_are_not_checked_again_can_be_set(door: Door, clock: Clock) -> None:
    door.known = KnownLogins(door.logins, clock, 10.0)
    for _ in range(20):
        door.enter()
        clock.sleep(1)
    assert door.asked == 2


def test_other_credentials_are_asked_for(door: Door) -> None:
    door.enter()
    door.error = AuthenticationError("no")
    with pytest.raises(AuthenticationError):
        door.enter("other")
    assert door.enter().user == "alice"
    assert door.asked == 2


def test_a_login_that_has_ended_begins_again(door: Door, logins: Logins) -> None:
    first = door.enter()
    assert first.login is not None
    logins.end(first.login, "the end")
    assert door.enter().login != first.login
    assert door.asked == 2


def test_silence_leaves_who_is_in(door: Door, clock: Clock, logins: Logins) -> None:
    first = door.enter()
    clock.sleep(301)
    door.error = IdentityProviderError("silence")
    assert door.enter() == first
    assert door.enter() == first
    assert door.asked == 2  # and it is not asked with each request
    clock.sleep(31)
    assert door.enter() == first
    assert door.asked == 3
    assert first.login is not None
    logins.end(first.login, "the end")
    with pytest.raises(IdentityProviderError):
        door.enter()
    with pytest.raises(IdentityProviderError):
        door.enter("somebody new")


def test_a_password_that_was_changed_is_noticed(door: Door, clock: Clock) -> None:
    door.enter()
    clock.sleep(301)
    door.error = AuthenticationError("no")
    with pytest.raises(AuthenticationError):
        door.enter()
    door.error = IdentityProviderError("silence")
    with pytest.raises(IdentityProviderError):  # not known any more, silence or not
        door.enter()


def test_many_at_once_ask_once(door: Door) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(120)

    door.before = wait
    with ThreadPoolExecutor(8) as pool:
        entering = [pool.submit(door.enter) for _ in range(8)]
        assert begun.wait(120)
        go_on.set()
        assert len({done.result(120) for done in entering}) == 1
    assert door.asked == 1
    assert door.known._asking == {}
