from __future__ import annotations

import pytest

from sqe.errors import AuthenticationError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.identity.providers.mtls import Mtls
from sqe.model.identity import Principal

ALICE = ClientCertificate("alice", ("dev", "Data Science"))


def test_the_name_is_the_user_and_the_units_are_the_groups() -> None:
    assert Mtls(groups_from_ou=True).authenticate(PresentedCredentials(certificate=ALICE)) == Principal(
        "alice", "mtls", frozenset({"dev", "Data Science"})
    )
    assert Mtls(groups_from_ou=False).authenticate(PresentedCredentials(certificate=ALICE)) == Principal(
        "alice", "mtls"
    )


def test_a_password_or_token_says_more_than_the_certificate() -> None:
    provider = Mtls(groups_from_ou=True)
    assert provider.authenticate(PresentedCredentials(Password("bob", "b"), certificate=ALICE)) is None
    assert provider.authenticate(PresentedCredentials(bearer="x", certificate=ALICE)) is None
    assert provider.authenticate(PresentedCredentials(loopback=True, claimed_user="alice")) is None


@pytest.mark.parametrize("name", ["", "CN=a, O=b", "a b", "a\n", "-a", "é", "a" * 200, "*.example.com"])
def test_a_strange_name_is_refused(name: str) -> None:
    with pytest.raises(AuthenticationError, match="not a user's name"):
        Mtls(groups_from_ou=True).authenticate(PresentedCredentials(certificate=ClientCertificate(name)))


@pytest.mark.parametrize("unit", ["", "a\nb", "a\x1b[2J", "x" * 129])
def test_a_strange_unit_is_refused_unless_nobody_asks_for_it(unit: str) -> None:
    presented = PresentedCredentials(certificate=ClientCertificate("alice", ("dev", unit)))
    with pytest.raises(AuthenticationError, match="not a group's name"):
        Mtls(groups_from_ou=True).authenticate(presented)
    assert Mtls(groups_from_ou=False).authenticate(presented) == Principal("alice", "mtls")
