from __future__ import annotations

import pytest
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.store import Logins
from sqe.identity.oidc.client import OidcClient
from sqe.identity.providers.bearer_token import BearerToken
from sqe.model.identity import Principal


@pytest.fixture
def provider(client: OidcClient, logins: Logins, clock: Clock) -> BearerToken:
    return BearerToken(client, logins, clock)


def enter(provider: BearerToken, token: str) -> Principal:
    principal = provider.authenticate(PresentedCredentials(bearer=token))
    assert principal is not None
    return principal


def test_a_token_becomes_the_token_of_the_login(provider: BearerToken, idp: FakeIdp, logins: Logins) -> None:
    token = idp.token("alice", groups=["analysts"])
    alice = enter(provider, token)
    assert (alice.user, alice.provider, set(alice.groups)) == ("alice", "bearer_token", {"analysts"})
    assert alice.login is not None
    tokens = logins.tokens(alice.login)
    assert (tokens.access, tokens.refresh) == (token, None)


def test_as_a_password_it_has_to_be_of_its_user(provider: BearerToken, idp: FakeIdp) -> None:
    token = idp.token("alice")
    for name in ("alice", "Alice"):
        principal = provider.authenticate(PresentedCredentials(Password(name, token)))
        assert principal is not None
        assert principal.user == "alice"
    for name in ("bob", "", "alice "):
        with pytest.raises(AuthenticationError) as caught:
            provider.authenticate(PresentedCredentials(Password(name, token)))
        assert caught.value.message == "The user or the password is wrong."


def test_a_newer_token_goes_on_with_the_same_login(
    provider: BearerToken, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    first = enter(provider, idp.token("alice"))
    clock.sleep(200)
    newer = idp.token("alice")
    assert enter(provider, newer) == first
    clock.sleep(200)
    assert logins.alive(first)
    assert first.login is not None
    assert logins.tokens(first.login).access == newer
    assert enter(provider, idp.token("alice", groups=["admins"])).login != first.login
    assert enter(provider, idp.token("bob")).login != first.login


def test_a_token_is_checked_once(
    provider: BearerToken, idp: FakeIdp, client: OidcClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = idp.token("alice")
    alice = enter(provider, token)
    monkeypatch.setattr(client, "verify", None)  # who calls it now fails
    for _ in range(5):
        assert enter(provider, token) == alice


def test_a_token_that_has_expired(provider: BearerToken, idp: FakeIdp, clock: Clock, logins: Logins) -> None:
    token = idp.token("alice")
    alice = enter(provider, token)
    clock.sleep(331)
    assert not logins.alive(alice)
    with pytest.raises(AuthenticationError, match="The token is not accepted"):
        enter(provider, token)
    assert len(logins) <= 1


def test_within_the_leeway_a_token_is_known_but_its_login_is_over(
    provider: BearerToken, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    token = idp.token("alice")
    clock.sleep(301)
    assert not logins.alive(enter(provider, token))  # which the chain says


def test_an_ended_login_begins_again_with_a_good_token(
    provider: BearerToken, idp: FakeIdp, logins: Logins
) -> None:
    token = idp.token("alice")
    alice = enter(provider, token)
    assert alice.login is not None
    logins.end(alice.login, "nobody has used it")
    again = enter(provider, token)
    assert again.login != alice.login
    assert logins.alive(again)


def test_what_is_not_its_business(provider: BearerToken, idp: FakeIdp) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(bearer="opaque"),
        PresentedCredentials(bearer="sqe_token"),
        PresentedCredentials(Password("alice", "a-pw")),
        PresentedCredentials(Password("alice", "eyJust a password")),
        PresentedCredentials(bearer=idp.token(iss="https://other.example.com")),
        PresentedCredentials(bearer=idp.token(iss=None)),
    ):
        assert provider.authenticate(presented) is None


def test_tokens_for_others_are_left_to_whoever_exchanges_them(
    client: OidcClient, idp: FakeIdp, logins: Logins, clock: Clock, provider: BearerToken
) -> None:
    foreign = idp.token("alice", aud="another-service")
    with pytest.raises(AuthenticationError):
        provider.authenticate(PresentedCredentials(bearer=foreign))
    before_an_exchange = BearerToken(client, logins, clock, own_only=True)
    assert before_an_exchange.authenticate(PresentedCredentials(bearer=foreign)) is None
    assert before_an_exchange.authenticate(PresentedCredentials(bearer=idp.token("alice", aud=None))) is None
    assert enter(before_an_exchange, idp.token("alice")).user == "alice"


def test_a_forged_token_is_refused(provider: BearerToken, idp: FakeIdp, logins: Logins) -> None:
    head, _, _ = idp.token("alice").rpartition(".")
    for forged in (f"{head}.", f"{head}.AAAA", idp.token(aud="other"), idp.token(preferred_username="a b")):
        with pytest.raises(AuthenticationError) as caught:
            enter(provider, forged)
        assert caught.value.message == "The token is not accepted."
        assert not isinstance(caught.value, IdentityProviderError)
    assert len(logins) == 0


def test_without_the_identity_provider_known_keys_are_enough(
    provider: BearerToken, idp: FakeIdp, clock: Clock
) -> None:
    enter(provider, idp.token("alice"))
    idp.trouble = "down"
    assert enter(provider, idp.token("bob")).user == "bob"
    clock.sleep(1000)
    assert enter(provider, idp.token("alice")).user == "alice"
