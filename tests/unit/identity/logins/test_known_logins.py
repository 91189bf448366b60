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


class Client:
    """Logs alice in with known logins, and counts the calls of her provider."""

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
def client(logins: Logins, clock: Clock) -> Client:
    return Client(logins, clock)


def test_one_login_in_five_minutes(client: Client, clock: Clock) -> None:
    first = client.enter()
    for _ in range(299):
        assert client.enter() == first
        clock.sleep(1)
    assert client.asked == 1
    clock.sleep(1)
    assert client.enter() == first
    assert client.asked == 2


def test_how_long_credentials_are_not_checked_again_can_be_set(client: Client, clock: Clock) -> None:
    client.known = KnownLogins(client.logins, clock, 10.0)
    for _ in range(20):
        client.enter()
        clock.sleep(1)
    assert client.asked == 2


def test_other_credentials_are_asked_for(client: Client) -> None:
    client.enter()
    client.error = AuthenticationError("no")
    with pytest.raises(AuthenticationError):
        client.enter("other")
    assert client.enter().user == "alice"
    assert client.asked == 2


def test_a_login_that_has_ended_begins_again(client: Client, logins: Logins) -> None:
    first = client.enter()
    assert first.login is not None
    logins.end(first.login, "the end")
    assert client.enter().login != first.login
    assert client.asked == 2


def test_silence_leaves_who_is_in(client: Client, clock: Clock, logins: Logins) -> None:
    first = client.enter()
    clock.sleep(301)
    client.error = IdentityProviderError("silence")
    assert client.enter() == first
    assert client.enter() == first
    assert client.asked == 2  # and it is not asked with each request
    clock.sleep(31)
    assert client.enter() == first
    assert client.asked == 3
    assert first.login is not None
    logins.end(first.login, "the end")
    with pytest.raises(IdentityProviderError):
        client.enter()
    with pytest.raises(IdentityProviderError):
        client.enter("somebody new")


def test_a_password_that_was_changed_is_noticed(client: Client, clock: Clock) -> None:
    client.enter()
    clock.sleep(301)
    client.error = AuthenticationError("no")
    with pytest.raises(AuthenticationError):
        client.enter()
    client.error = IdentityProviderError("silence")
    with pytest.raises(IdentityProviderError):  # not known any more, silence or not
        client.enter()


def test_many_at_once_ask_once(client: Client) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(120)

    client.before = wait
    with ThreadPoolExecutor(8) as pool:
        entering = [pool.submit(client.enter) for _ in range(8)]
        assert begun.wait(120)
        go_on.set()
        assert len({done.result(120) for done in entering}) == 1
    assert client.asked == 1
    assert client.known._asking == {}
