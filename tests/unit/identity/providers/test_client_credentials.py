from __future__ import annotations

import gc

import pytest
from tests.fakes.idp import CLIENT, SERVICE, SERVICE_SECRET, FakeIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.store import Logins
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.identity.providers.client_credentials import (
    ClientCredentials,
    ClientCredentialsPassthrough,
    ClientCredentialsRenewer,
)
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.model.identity import Principal


@pytest.fixture
def provider(oidc: OidcLogins, clock: Clock) -> ClientCredentials:
    return ClientCredentials(oidc, clock)


def test_everybody_is_the_same(
    provider: ClientCredentials, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    one = provider.authenticate(PresentedCredentials())
    assert one is not None
    assert (one.user, one.provider) == (f"service-account-{CLIENT}", "client_credentials")
    assert provider.authenticate(PresentedCredentials(address="192.0.2.1")) == one
    assert idp.count("/token") == 1
    assert one.login is not None
    first = logins.tokens(one.login)
    clock.sleep(250)
    assert logins.tokens(one.login).access != first.access


def test_who_brings_something_is_not(provider: ClientCredentials, idp: FakeIdp) -> None:
    for presented in (
        PresentedCredentials(Password("alice", "x")),
        PresentedCredentials(bearer="x"),
        PresentedCredentials(certificate=ClientCertificate("alice")),
    ):
        assert provider.authenticate(presented) is None
    assert idp.requests == []


def test_silence(provider: ClientCredentials, idp: FakeIdp) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        provider.authenticate(PresentedCredentials())


@pytest.fixture
def passthrough(oidc: OidcLogins, clock: Clock) -> ClientCredentialsPassthrough:
    return ClientCredentialsPassthrough(oidc, FailedLogins(clock), clock)


def enter(
    passthrough: ClientCredentialsPassthrough, user: str = SERVICE, secret: str = SERVICE_SECRET
) -> Principal:
    principal = passthrough.authenticate(PresentedCredentials(Password(user, secret)))
    assert principal is not None
    return principal


def test_a_program_comes_in_as_itself(passthrough: ClientCredentialsPassthrough, logins: Logins) -> None:
    program = enter(passthrough)
    assert (program.user, program.provider) == ("service-account-etl", "client_credentials_passthrough")
    assert program.login is not None
    assert logins.tokens(program.login).refresh is None


def test_without_a_name_in_the_token_it_has_that_of_the_client(
    passthrough: ClientCredentialsPassthrough, idp: FakeIdp
) -> None:
    idp.claims["service-account-etl"] = {"preferred_username": None}
    assert enter(passthrough).user == SERVICE


def test_its_tokens_are_renewed_with_its_own_secret(
    passthrough: ClientCredentialsPassthrough, idp: FakeIdp, clock: Clock, logins: Logins
) -> None:
    program = enter(passthrough)
    assert program.login is not None
    first = logins.tokens(program.login)
    clock.sleep(250)
    assert logins.tokens(program.login).access != first.access
    assert enter(passthrough) == program
    assert idp.count("/token") == 2


def test_a_wrong_secret(passthrough: ClientCredentialsPassthrough, idp: FakeIdp) -> None:
    for _ in range(5):
        with pytest.raises(AuthenticationError, match="The user or the password is wrong"):
            enter(passthrough, secret="wrong")
    with pytest.raises(AuthenticationError, match="Too many failed logins"):
        enter(passthrough, secret="wrong")
    assert idp.count("/token") == 5


def test_silence_leaves_programs_that_are_logged_in(
    passthrough: ClientCredentialsPassthrough, idp: FakeIdp, clock: Clock
) -> None:
    program = enter(passthrough)
    clock.sleep(299)
    idp.trouble = "down"
    clock.sleep(2)
    assert enter(passthrough) == program
    with pytest.raises(IdentityProviderError):
        enter(passthrough, "other")


def test_what_is_not_its_business(passthrough: ClientCredentialsPassthrough, idp: FakeIdp) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(bearer="x"),
        PresentedCredentials(Password("alice", idp.token())),
    ):
        assert passthrough.authenticate(presented) is None


def test_the_secret_shows_itself_nowhere(passthrough: ClientCredentialsPassthrough) -> None:
    enter(passthrough)
    renewers = [found for found in gc.get_objects() if isinstance(found, ClientCredentialsRenewer)]
    assert renewers
    assert all(SERVICE_SECRET not in repr(vars(found)) for found in renewers)
