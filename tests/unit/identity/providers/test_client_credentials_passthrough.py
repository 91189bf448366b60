from __future__ import annotations

import gc

import pytest
from tests.fakes.idp import SERVICE, SERVICE_SECRET, FakeIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.service_tokens import ServiceRenewer
from sqe.identity.logins.store import Logins
from sqe.identity.providers.client_credentials_passthrough import ClientCredentialsPassthrough
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.model.identity import Principal


@pytest.fixture
def provider(oidc: OidcLogins, clock: Clock) -> ClientCredentialsPassthrough:
    return ClientCredentialsPassthrough(oidc, FailedLogins(clock), clock)


def enter(
    provider: ClientCredentialsPassthrough, user: str = SERVICE, secret: str = SERVICE_SECRET
) -> Principal:
    principal = provider.authenticate(PresentedCredentials(Password(user, secret)))
    assert principal is not None
    return principal


def test_a_program_comes_in_as_itself(provider: ClientCredentialsPassthrough, logins: Logins) -> None:
    program = enter(provider)
    assert (program.user, program.provider) == ("service-account-etl", "client_credentials_passthrough")
    assert program.login is not None
    assert logins.tokens(program.login).refresh is None


def test_without_a_name_in_the_token_it_has_that_of_the_client(
    provider: ClientCredentialsPassthrough, idp: FakeIdp
) -> None:
    idp.claims["service-account-etl"] = {"preferred_username": None}
    assert enter(provider).user == SERVICE


def test_its_tokens_are_renewed_with_its_own_secret(
    provider: ClientCredentialsPassthrough, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    program = enter(provider)
    assert program.login is not None
    first = logins.tokens(program.login)
    clock.sleep(250)
    assert logins.tokens(program.login).access != first.access
    assert enter(provider) == program
    assert idp.count("/token") == 2


def test_a_wrong_secret(provider: ClientCredentialsPassthrough, idp: FakeIdp) -> None:
    for _ in range(5):
        with pytest.raises(AuthenticationError, match="The user or the password is wrong"):
            enter(provider, secret="wrong")
    with pytest.raises(AuthenticationError, match="Too many failed logins"):
        enter(provider, secret="wrong")
    assert idp.count("/token") == 5


def test_silence(provider: ClientCredentialsPassthrough, idp: FakeIdp, clock: Clock) -> None:
    program = enter(provider)
    clock.sleep(299)
    idp.trouble = "down"
    clock.sleep(2)
    assert enter(provider) == program
    with pytest.raises(IdentityProviderError):
        enter(provider, "other")


def test_what_is_not_its_business(provider: ClientCredentialsPassthrough, idp: FakeIdp) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(bearer="x"),
        PresentedCredentials(Password("alice", idp.token())),
    ):
        assert provider.authenticate(presented) is None


def test_the_secret_shows_itself_nowhere(provider: ClientCredentialsPassthrough) -> None:
    enter(provider)
    renewers = [found for found in gc.get_objects() if isinstance(found, ServiceRenewer)]
    assert renewers
    assert all(SERVICE_SECRET not in repr(vars(found)) for found in renewers)
