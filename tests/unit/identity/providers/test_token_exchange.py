from __future__ import annotations

import pytest
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.store import Logins
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.token_exchange import TokenExchange
from sqe.model.identity import Principal


@pytest.fixture
def provider(oidc: OidcLogins, clock: Clock) -> TokenExchange:
    return TokenExchange(oidc, FailedLogins(clock), clock)


def enter(provider: TokenExchange, token: str, address: str | None = None) -> Principal:
    principal = provider.authenticate(PresentedCredentials(bearer=token, address=address))
    assert principal is not None
    return principal


def test_any_token_that_the_identity_provider_takes(
    provider: TokenExchange, idp: FakeIdp, logins: Logins
) -> None:
    alice = enter(provider, "opaque-alice")
    assert (alice.user, alice.provider) == ("alice", "token_exchange")
    assert alice.login is not None
    tokens = logins.tokens(alice.login)
    assert tokens.access.startswith("eyJ")  # not the client's own
    assert tokens.refresh


def test_one_exchange_for_many_requests(provider: TokenExchange, idp: FakeIdp, clock: Clock) -> None:
    alice = enter(provider, "opaque-alice")
    for _ in range(20):
        assert enter(provider, "opaque-alice") == alice
    assert idp.count("/token") == 1
    clock.sleep(301)
    assert enter(provider, "opaque-alice") == alice
    assert idp.count("/token") == 2


def test_without_a_refresh_token_it_is_exchanged_again(
    provider: TokenExchange, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    idp.refresh_life = None
    alice = enter(provider, "opaque-alice")
    assert alice.login is not None
    first = logins.tokens(alice.login)
    clock.sleep(250)
    assert logins.tokens(alice.login).access != first.access
    del idp.users["alice"]
    clock.sleep(250)
    with pytest.raises(AuthenticationError, match="The login of alice has ended"):
        logins.tokens(alice.login)


def test_a_long_silence_does_not_end_an_exchanged_login(
    provider: TokenExchange, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    idp.refresh_life = None
    alice = enter(provider, "opaque-alice")
    assert alice.login is not None
    idp.trouble = "down"
    clock.sleep(400)
    with pytest.raises(IdentityProviderError):
        logins.tokens(alice.login)
    idp.trouble = None
    clock.sleep(2)
    assert logins.tokens(alice.login).expires_at == clock() + 300
    idp.claims["alice"] = {"sub": "somebody else"}
    clock.sleep(250)
    with pytest.raises(AuthenticationError, match="The login of alice has ended"):
        logins.tokens(alice.login)


def test_a_refused_token_is_not_sent_again_at_once(
    provider: TokenExchange, idp: FakeIdp, clock: Clock
) -> None:
    for _ in range(20):
        with pytest.raises(AuthenticationError) as caught:
            enter(provider, "opaque-stranger")
        assert caught.value.message == "The token is not accepted."
    assert idp.count("/token") == 1
    clock.sleep(61)
    with pytest.raises(AuthenticationError):
        enter(provider, "opaque-stranger")
    assert idp.count("/token") == 2


def test_an_address_that_sends_many_wrong_ones_has_to_wait(provider: TokenExchange, idp: FakeIdp) -> None:
    for number in range(5):
        with pytest.raises(AuthenticationError):
            enter(provider, f"guess {number}", "192.0.2.1")
    with pytest.raises(AuthenticationError, match="Too many failed logins"):
        enter(provider, "opaque-alice", "192.0.2.1")
    assert enter(provider, "opaque-alice", "192.0.2.2").user == "alice"
    assert enter(provider, "opaque-bob").user == "bob"


def test_what_comes_back_is_checked(provider: TokenExchange, idp: FakeIdp, logins: Logins) -> None:
    idp.claims["alice"] = {"aud": "other"}
    with pytest.raises(AuthenticationError, match="The token is not accepted"):
        enter(provider, "opaque-alice")
    assert len(logins) == 0


def test_silence(provider: TokenExchange, idp: FakeIdp, clock: Clock) -> None:
    alice = enter(provider, "opaque-alice")
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        enter(provider, "opaque-bob")
    clock.sleep(301)
    assert enter(provider, "opaque-alice") == alice
    idp.trouble = None
    clock.sleep(2)
    assert enter(provider, "opaque-bob").user == "bob"  # silence was not a refusal


def test_what_is_not_its_business(provider: TokenExchange, idp: FakeIdp) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(Password("alice", "a-pw")),
        PresentedCredentials(bearer="sqe_of_ours"),
        PresentedCredentials(bearer="sqek_0123456789ab_" + "a" * 43),
    ):
        assert provider.authenticate(presented) is None
    assert idp.requests == []
