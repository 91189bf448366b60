from __future__ import annotations

import pytest
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials, wrong_credentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.oidc_password import OidcPassword
from sqe.model.identity import Principal


@pytest.fixture
def provider(oidc: OidcLogins, clock: Clock) -> OidcPassword:
    return OidcPassword(oidc, FailedLogins(clock), clock)


def enter(provider: OidcPassword, user: str, secret: str, address: str | None = None) -> Principal:
    principal = provider.authenticate(PresentedCredentials(Password(user, secret), address=address))
    assert principal is not None
    return principal


def refused(
    provider: OidcPassword, user: str, secret: str, address: str | None = None
) -> AuthenticationError:
    with pytest.raises(AuthenticationError) as caught:
        enter(provider, user, secret, address)
    assert not isinstance(caught.value, IdentityProviderError)
    return caught.value


def test_a_person_comes_in_with_tokens(provider: OidcPassword, idp: FakeIdp, logins: Logins) -> None:
    idp.claims["alice"] = {"groups": ["analysts"], "realm_access": {"roles": ["analyst"]}, "email": "a@b"}
    alice = enter(provider, "alice", "a-pw")
    assert (alice.user, alice.provider, alice.subject) == ("alice", "oidc_password", "id-of-alice")
    assert (set(alice.groups), set(alice.roles), alice.email) == ({"analysts"}, {"analyst"}, "a@b")
    assert alice.login is not None
    tokens = logins.tokens(alice.login)
    assert tokens.access.count(".") == 2
    assert tokens.refresh


def test_a_wrong_password(provider: OidcPassword) -> None:
    error = refused(provider, "alice", "b-pw")
    assert error.message == "The user or the password is wrong."
    assert error.wrong_credentials
    assert "invalid_grant" in str(error.detail)
    assert refused(provider, "nobody", "x").to_dict() == error.to_dict()


def test_one_login_for_many_requests(provider: OidcPassword, idp: FakeIdp, clock: Clock) -> None:
    first = enter(provider, "alice", "a-pw")
    for _ in range(20):
        assert enter(provider, "alice", "a-pw") == first
    assert idp.count("/token") == 1
    clock.sleep(301)
    assert enter(provider, "alice", "a-pw") == first  # and still one login, whose sessions go on
    assert idp.count("/token") == 2


def test_tokens_are_renewed_with_the_refresh_token(
    provider: OidcPassword, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    login = enter(provider, "alice", "a-pw").login
    assert login is not None
    first = logins.tokens(login)
    clock.sleep(250)
    second = logins.tokens(login)
    assert second.access != first.access
    assert idp.requests[-1][1]["grant_type"] == "refresh_token"
    idp.refuse_refresh = True
    clock.sleep(250)
    with pytest.raises(AuthenticationError, match="The login of alice has ended"):
        logins.tokens(login)


def test_without_refresh_tokens_a_login_lasts_as_long_as_its_token(
    provider: OidcPassword, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    idp.refresh_life = None
    alice = enter(provider, "alice", "a-pw")
    clock.sleep(300)
    assert not logins.alive(alice)
    assert enter(provider, "alice", "a-pw").login != alice.login


def test_silence_stops_new_logins_and_nothing_else(
    provider: OidcPassword, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    alice = enter(provider, "alice", "a-pw")
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError, match="does not answer"):
        enter(provider, "bob", "b-pw")
    clock.sleep(290)
    assert alice.login is not None
    assert logins.tokens(alice.login).access
    clock.sleep(20)
    assert enter(provider, "alice", "a-pw") == alice
    with pytest.raises(IdentityProviderError):
        enter(provider, "alice", "wrong")


def test_guessing_is_slowed_down(provider: OidcPassword, idp: FakeIdp, clock: Clock) -> None:
    for _ in range(5):
        refused(provider, "alice", "guess", "192.0.2.1")
    assert "Too many failed logins" in refused(provider, "alice", "guess", "192.0.2.1").message
    assert "Too many failed logins" in refused(provider, "alice", "a-pw", "192.0.2.1").message
    assert idp.count("/token") == 5
    assert enter(provider, "alice", "a-pw", "192.0.2.2").user == "alice"
    clock.sleep(2)
    assert enter(provider, "alice", "a-pw", "192.0.2.1").user == "alice"


def test_a_refusal_of_this_server_is_not_counted_as_guessing(
    provider: OidcPassword, oidc: OidcLogins, idp: FakeIdp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oidc.client._endpoint, "_client_secret", "an old one")
    for _ in range(10):
        error = refused(provider, "alice", "a-pw", "192.0.2.1")
        assert "does not let this server" in error.message
        assert not error.wrong_credentials
    monkeypatch.undo()
    assert enter(provider, "alice", "a-pw", "192.0.2.1").user == "alice"


def test_a_failed_login_is_counted_by_its_type_and_not_by_its_message(
    provider: OidcPassword, oidc: OidcLogins, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(user: str, secret: str) -> Tokens:
        error = wrong_credentials("x")
        error.message = "In other words."
        raise error

    def refuse_server(user: str, secret: str) -> Tokens:
        raise AuthenticationError("The user or the password is wrong.")

    monkeypatch.setattr(oidc.client, "password", refuse_server)
    for _ in range(10):
        assert "is wrong" in refused(provider, "alice", "guess", "192.0.2.1").message
    monkeypatch.setattr(oidc.client, "password", refuse)
    for _ in range(5):
        assert refused(provider, "alice", "guess", "192.0.2.1").message == "In other words."
    assert "Too many failed logins" in refused(provider, "alice", "guess", "192.0.2.1").message


def test_the_name_is_compared_as_the_identity_provider_does(provider: OidcPassword) -> None:
    assert enter(provider, "ALICE", "a-pw").user == "alice"


def test_a_token_of_somebody_else_is_not_taken(provider: OidcPassword, idp: FakeIdp, logins: Logins) -> None:
    idp.claims["alice"] = {"preferred_username": "admin"}
    error = refused(provider, "alice", "a-pw")
    assert "the token is of admin" in str(error.detail)
    assert error.message == "The user or the password is wrong."
    assert len(logins) == 0


@pytest.mark.parametrize(
    "claims",
    [{"aud": "other"}, {"iss": "https://x"}, {"exp": 1}, {"preferred_username": None}, {"typ": "ID"}],
    ids=str,
)
def test_the_token_is_checked_like_any_other(
    provider: OidcPassword, idp: FakeIdp, claims: dict[str, object], logins: Logins
) -> None:
    idp.claims["alice"] = claims
    assert refused(provider, "alice", "a-pw").message == "The token is not accepted."
    assert len(logins) == 0


def test_what_is_not_its_business(provider: OidcPassword, idp: FakeIdp) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(bearer="x"),
        PresentedCredentials(loopback=True, claimed_user="alice"),
        PresentedCredentials(Password("alice", idp.token())),
        PresentedCredentials(Password("alice", "sqek_0123456789ab_" + "a" * 43)),
        PresentedCredentials(Password("AKIAIOSFODNN7EXAMPLE", "secret")),
    ):
        assert provider.authenticate(presented) is None
    assert idp.requests == []


def test_nonsense_is_not_sent(provider: OidcPassword, idp: FakeIdp) -> None:
    for user, secret in (("al ice", "x"), ("", "x"), ("alice", ""), ("a\0b", "x"), ("a" * 500, "x")):
        assert refused(provider, user, secret).message == "The user or the password is wrong."
    assert idp.requests == []
