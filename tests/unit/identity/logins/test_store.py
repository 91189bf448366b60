from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from testing.command import until
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.model.identity import Principal

ALICE = Principal("alice", "oidc_password")
BOB = Principal("bob", "oidc_password")


class Issuer:
    """A renewer that answers as told, and counts."""

    def __init__(self, clock: Clock, life: float = 300) -> None:
        self.clock = clock
        self.life = life
        self.error: Exception | None = None
        self.renewed = 0
        self.at_once = 0
        self.most_at_once = 0
        self.before: Callable[[], None] = lambda: None

    def first(self) -> Tokens:
        return Tokens("first", self.clock() + self.life, "refresh-0")

    def renew(self, tokens: Tokens) -> Tokens:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            self.before()
            if self.error is not None:
                raise self.error
            self.renewed += 1
            return Tokens(f"renewed-{self.renewed}", self.clock() + self.life, f"refresh-{self.renewed}")
        finally:
            self.at_once -= 1


class Kept:
    """Logins, and all that they told."""

    def __init__(self, clock: Clock, **others: float) -> None:
        self.clock = clock
        self.ended: list[tuple[str, str]] = []
        self.results: list[str] = []
        settings = {"ahead": 60.0, "lifetime": 28800.0, "idle": 900.0} | others
        self.logins = Logins(
            ahead=settings["ahead"],
            lifetime=settings["lifetime"],
            idle=settings["idle"],
            at_most=int(settings.get("at_most", 100)),
            on_end=lambda principal, error: self.ended.append((principal.user, error.message)),
            observe=self.results.append,
            clock=clock,
        )


@pytest.fixture
def kept(clock: Clock) -> Iterator[Kept]:
    made = Kept(clock)
    yield made
    made.logins.close()


@pytest.fixture
def issuer(clock: Clock) -> Issuer:
    return Issuer(clock)


def login_of(principal: Principal) -> str:
    assert principal.login is not None
    return principal.login


def over(logins: Logins, login: str) -> str:
    with pytest.raises(AuthenticationError) as caught:
        logins.tokens(login)
    assert not isinstance(caught.value, IdentityProviderError)
    return caught.value.message


def test_a_principal_gets_a_name_for_its_login_and_no_token(kept: Kept, issuer: Issuer) -> None:
    alice = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    assert alice.user == "alice"
    assert kept.logins.tokens(login_of(alice)).access == "first"
    assert "first" not in repr(alice)
    assert "first" not in repr(kept.logins.tokens(login_of(alice)))
    assert "refresh-0" not in repr(kept.logins.tokens(login_of(alice)))


def test_the_same_key_goes_on_with_the_same_login(kept: Kept, clock: Clock) -> None:
    first = kept.logins.start(ALICE, "k", Tokens("old", clock() + 100), None)
    assert kept.logins.start(ALICE, "k", Tokens("new", clock() + 200), None) == first
    assert kept.logins.tokens(login_of(first)).access == "new"
    assert kept.logins.start(ALICE, "other roles", Tokens("x", clock() + 200), None).login != first.login
    assert len(kept.logins) == 2


def test_an_older_token_does_not_replace_a_newer_one(kept: Kept, clock: Clock) -> None:
    alice = kept.logins.start(ALICE, "k", Tokens("lasts", clock() + 200), None)
    assert kept.logins.start(ALICE, "k", Tokens("ends soon", clock() + 100), None) == alice
    assert kept.logins.tokens(login_of(alice)).access == "lasts"


def test_tokens_are_renewed_before_they_end(kept: Kept, issuer: Issuer, clock: Clock) -> None:
    login = login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer))
    clock.sleep(239)
    assert kept.logins.tokens(login).access == "first"
    clock.sleep(1)
    assert kept.logins.tokens(login).access == "renewed-1"
    assert kept.logins.tokens(login).refresh == "refresh-1"
    assert kept.results == ["renewed"]


def test_short_tokens_are_not_renewed_all_the_time(kept: Kept, clock: Clock) -> None:
    issuer = Issuer(clock, life=30)
    login = login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer))
    clock.sleep(19)
    assert kept.logins.tokens(login).access == "first"
    clock.sleep(1)
    assert kept.logins.tokens(login).access == "renewed-1"


def test_a_refused_renewal_ends_the_login(kept: Kept, issuer: Issuer, clock: Clock) -> None:
    alice = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    issuer.error = AuthenticationError("no", detail="invalid_grant: Session not active")
    clock.sleep(250)
    message = "The login of alice has ended: the identity provider does not renew it."
    assert over(kept.logins, login_of(alice)) == message
    assert not kept.logins.alive(alice)
    assert kept.ended == []  # not here: whoever asks for a token may be what has to be closed
    kept.logins.keep_fresh()
    kept.logins.keep_fresh()
    assert kept.ended == [("alice", message)]
    assert kept.results == ["refused"]


def test_a_silent_identity_provider_ends_nothing(kept: Kept, issuer: Issuer, clock: Clock) -> None:
    alice = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    login = login_of(alice)
    kept.logins.hold(login)
    issuer.error = IdentityProviderError("silence")
    clock.sleep(250)
    assert kept.logins.tokens(login).access == "first"
    assert kept.logins.tokens(login).access == "first"
    assert kept.results == ["unavailable"]  # it is not asked with every call
    clock.sleep(60)
    with pytest.raises(IdentityProviderError, match="of alice has expired"):
        kept.logins.tokens(login)
    kept.logins.keep_fresh()
    assert kept.logins.alive(alice)
    issuer.error = None
    clock.sleep(2)
    assert kept.logins.tokens(login).access == "renewed-1"
    assert kept.ended == []


def test_many_who_wait_for_a_silent_identity_provider_wait_once(
    kept: Kept, issuer: Issuer, clock: Clock
) -> None:
    login = login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer))
    clock.sleep(301)
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(120)

    issuer.before = wait
    issuer.error = IdentityProviderError("silence")
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(kept.logins.tokens, login) for _ in range(8)]
        assert begun.wait(120)
        go_on.set()
        assert all(isinstance(done.exception(30), IdentityProviderError) for done in asked)
    assert kept.results == ["unavailable"]


def test_one_renewal_at_a_time(kept: Kept, issuer: Issuer, clock: Clock) -> None:
    login = login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer))
    clock.sleep(301)
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(120)

    issuer.before = wait
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(kept.logins.tokens, login) for _ in range(8)]
        assert begun.wait(120)
        go_on.set()
        assert {done.result(120).access for done in asked} == {"renewed-1"}
    assert issuer.most_at_once == 1


def test_who_asks_during_a_renewal_gets_what_is_still_good(kept: Kept, issuer: Issuer, clock: Clock) -> None:
    login = login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer))
    clock.sleep(250)
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(120)

    issuer.before = wait
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(kept.logins.tokens, login)
        assert begun.wait(120)
        assert kept.logins.tokens(login).access == "first"
        go_on.set()
        assert first.result(120).access == "renewed-1"


@pytest.mark.parametrize("outcome", [None, AuthenticationError("the old session is gone")], ids=str)
def test_a_login_during_a_renewal_is_not_lost(
    kept: Kept, issuer: Issuer, clock: Clock, outcome: AuthenticationError | None
) -> None:
    alice = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    clock.sleep(250)

    def log_in_again() -> None:
        kept.logins.start(ALICE, "k", Tokens("logged in again", clock() + 300, "r"), issuer)

    issuer.before, issuer.error = log_in_again, outcome
    assert kept.logins.tokens(login_of(alice)).access == "logged in again"
    assert kept.logins.alive(alice)


def test_what_sessions_hold_is_renewed_ahead_and_nothing_else(
    kept: Kept, issuer: Issuer, clock: Clock
) -> None:
    held = login_of(kept.logins.start(ALICE, "a", issuer.first(), issuer))
    unheld = Issuer(clock)
    kept.logins.start(BOB, "b", unheld.first(), unheld)
    kept.logins.hold(held)
    kept.logins.keep_fresh()
    assert issuer.renewed == 0
    clock.sleep(245)
    kept.logins.keep_fresh()
    until(lambda: issuer.renewed == 1, "the renewal")
    until(lambda: kept.logins.tokens(held).access == "renewed-1", "the new token")
    assert unheld.renewed == 0


def test_housekeeping_does_not_wait_for_the_identity_provider(
    kept: Kept, issuer: Issuer, clock: Clock
) -> None:
    held = login_of(kept.logins.start(ALICE, "a", issuer.first(), issuer))
    kept.logins.hold(held)
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(120)

    issuer.before = wait
    clock.sleep(245)
    kept.logins.keep_fresh()
    assert begun.wait(120)
    kept.logins.keep_fresh()  # and does not begin a second one
    go_on.set()
    until(lambda: kept.logins.tokens(held).access == "renewed-1", "the new token")
    assert issuer.renewed == 1


def test_a_login_ends_after_its_lifetime_however_much_it_is_used(kept: Kept, clock: Clock) -> None:
    issuer = Issuer(clock, life=100_000)
    alice = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    kept.logins.hold(login_of(alice))
    clock.sleep(28799)
    kept.logins.keep_fresh()
    assert kept.logins.alive(alice)
    clock.sleep(1)
    assert not kept.logins.alive(alice)
    kept.logins.keep_fresh()
    assert kept.ended == [
        ("alice", "The login of alice has ended: it has lasted 8h, the longest that is allowed.")
    ]
    again = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    assert again.login != alice.login


def test_an_idle_login_ends_unless_a_session_holds_it(kept: Kept, clock: Clock) -> None:
    issuer = Issuer(clock, life=100_000)
    alice = kept.logins.start(ALICE, "a", issuer.first(), issuer)
    bob = kept.logins.start(BOB, "b", issuer.first(), issuer)
    kept.logins.hold(login_of(bob))
    clock.sleep(899)
    assert kept.logins.alive(alice)  # which is a use of it
    clock.sleep(899)
    assert kept.logins.alive(alice)
    clock.sleep(900)
    kept.logins.keep_fresh()
    assert kept.ended == [("alice", "The login of alice has ended: it was not used for 15min.")]
    kept.logins.release(login_of(bob))
    kept.logins.keep_fresh()
    assert kept.logins.alive(bob)
    clock.sleep(900)
    kept.logins.keep_fresh()
    assert [user for user, _ in kept.ended] == ["alice", "bob"]


def test_a_token_that_nobody_can_renew_ends_its_login(kept: Kept, clock: Clock) -> None:
    alice = kept.logins.start(ALICE, "k", Tokens("jwt", clock() + 60), None)
    kept.logins.hold(login_of(alice))
    clock.sleep(60)
    assert "its token has expired" in over(kept.logins, login_of(alice))
    kept.logins.keep_fresh()
    assert len(kept.ended) == 1


def test_a_refresh_token_that_has_expired_ends_its_login(kept: Kept, issuer: Issuer, clock: Clock) -> None:
    alice = kept.logins.start(ALICE, "k", Tokens("a", clock() + 300, "r", clock() + 600), issuer)
    issuer.error = IdentityProviderError("silence")
    clock.sleep(400)
    with pytest.raises(IdentityProviderError):
        kept.logins.tokens(login_of(alice))
    clock.sleep(200)
    assert "the time in which it could be renewed is over" in over(kept.logins, login_of(alice))


def test_a_login_can_be_ended(kept: Kept, issuer: Issuer) -> None:
    alice = kept.logins.start(ALICE, "k", issuer.first(), issuer)
    kept.logins.end(login_of(alice), "alice has logged out")
    kept.logins.end(login_of(alice), "twice")
    kept.logins.release(login_of(alice))
    assert over(kept.logins, login_of(alice)) == "The login of alice has ended: alice has logged out."
    with pytest.raises(AuthenticationError):
        kept.logins.hold(login_of(alice))
    kept.logins.keep_fresh()
    assert kept.ended == [("alice", "The login of alice has ended: alice has logged out.")]


def test_an_unknown_login_is_over(kept: Kept) -> None:
    assert over(kept.logins, "made up") == "The login has ended."
    assert not kept.logins.alive(Principal("alice", "x", login="made up"))
    assert kept.logins.alive(Principal("alice", "users_file"))


def test_too_many_logins_end_the_one_that_is_unused_for_longest(clock: Clock) -> None:
    kept, issuer = Kept(clock, at_most=2), Issuer(clock)
    first = kept.logins.start(ALICE, "1", issuer.first(), issuer)
    second = kept.logins.start(ALICE, "2", issuer.first(), issuer)
    assert kept.logins.alive(first)
    third = kept.logins.start(ALICE, "3", issuer.first(), issuer)
    assert [kept.logins.alive(one) for one in (first, second, third)] == [True, False, True]
    kept.logins.hold(login_of(first))
    kept.logins.hold(login_of(third))
    with pytest.raises(AuthenticationError, match="Too many"):
        kept.logins.start(ALICE, "4", issuer.first(), issuer)
    assert kept.logins.start(ALICE, "1", issuer.first(), issuer) == first
    kept.logins.close()


def test_who_is_told_of_an_end_may_fail_and_the_rest_is_told_later(clock: Clock, issuer: Issuer) -> None:
    users: list[str] = []

    def on_end(principal: Principal, error: AuthenticationError) -> None:
        users.append(principal.user)
        if len(users) == 1:
            raise RuntimeError

    logins = Logins(
        ahead=60, lifetime=100, idle=100, at_most=9, on_end=on_end, observe=lambda result: None, clock=clock
    )
    for principal in (ALICE, BOB):
        logins.end(login_of(logins.start(principal, principal.user, issuer.first(), issuer)), "the end")
    with pytest.raises(RuntimeError):
        logins.keep_fresh()
    logins.keep_fresh()
    assert users == ["alice", "bob"]
    logins.close()


def test_renewals_are_logged_without_tokens(
    kept: Kept, issuer: Issuer, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    login = login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer))
    with caplog.at_level(logging.DEBUG):
        clock.sleep(250)
        kept.logins.tokens(login)
        issuer.error = AuthenticationError("no", detail="invalid_grant")
        clock.sleep(250)
        over(kept.logins, login)
    assert "renewed the tokens of alice: good for 5min" in caplog.text
    assert (
        "the login of alice has ended: the identity provider does not renew it (invalid_grant)" in caplog.text
    )
    for secret in ("renewed-1", "refresh-0", "refresh-1", "first"):
        assert secret not in caplog.text


def test_a_bug_in_a_renewer_is_not_swallowed(
    kept: Kept, issuer: Issuer, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    kept.logins.hold(login_of(kept.logins.start(ALICE, "k", issuer.first(), issuer)))
    issuer.error = ZeroDivisionError()
    clock.sleep(250)
    kept.logins.keep_fresh()
    until(lambda: "ZeroDivisionError" in caplog.text, "the log")
