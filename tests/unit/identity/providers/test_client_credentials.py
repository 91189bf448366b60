from __future__ import annotations

import pytest
from tests.fakes.idp import CLIENT, FakeIdp
from tests.support.clock import Clock

from sqe.errors import IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.store import Logins
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.identity.providers.client_credentials import ClientCredentials


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
