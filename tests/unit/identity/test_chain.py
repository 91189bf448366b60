from __future__ import annotations

import logging

import pytest
from testing.server import write_users
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.client import OidcClient
from sqe.identity.providers.anonymous import Anonymous
from sqe.identity.providers.bearer_token import BearerToken
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.identity.providers.client_credentials import ClientCredentials
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.mtls import Mtls
from sqe.identity.providers.oidc_password import OidcPassword
from sqe.identity.providers.token_exchange import TokenExchange
from sqe.identity.providers.users_file import UsersFile
from sqe.model.identity import Principal


@pytest.fixture
def users(tmp_path_factory: pytest.TempPathFactory) -> UsersFile:
    return UsersFile(write_users(tmp_path_factory.mktemp("users") / "users", {"alice": "a"}))


def refused(authenticator: Authenticator, presented: PresentedCredentials) -> str:
    with pytest.raises(AuthenticationError) as caught:
        authenticator.authenticate(presented)
    return caught.value.message


def test_the_first_that_knows_decides(users: UsersFile) -> None:
    tokens = SessionTokens(60, 60)
    authenticator = Authenticator((tokens, users, Mtls(groups_from_ou=True), Anonymous(any_name=False)))
    alice = authenticator.authenticate(PresentedCredentials(Password("alice", "a")))
    assert alice == Principal("alice", "users_file")
    assert authenticator.authenticate(PresentedCredentials(bearer=tokens.mint(alice))) == alice
    assert authenticator.authenticate(
        PresentedCredentials(certificate=ClientCertificate("bob"))
    ) == Principal("bob", "mtls")
    assert authenticator.authenticate(PresentedCredentials(loopback=True)) == Principal(
        "anonymous", "anonymous"
    )


def test_a_wrong_credential_never_makes_anyone_anonymous(users: UsersFile) -> None:
    authenticator = Authenticator(
        (SessionTokens(60, 60), users, Mtls(groups_from_ou=True), Anonymous(any_name=False))
    )
    for presented in (
        PresentedCredentials(Password("alice", "wrong"), loopback=True),
        PresentedCredentials(
            Password("alice", "wrong"), certificate=ClientCertificate("alice"), loopback=True
        ),
        PresentedCredentials(bearer="sqe_unknown", loopback=True),
        PresentedCredentials(bearer="of somebody else", loopback=True),
        PresentedCredentials(bearer="x", certificate=ClientCertificate("alice"), loopback=True),
    ):
        refused(authenticator, presented)


def test_anonymous_is_for_this_machine_only() -> None:
    authenticator = Authenticator((Anonymous(any_name=True),))
    assert (
        refused(authenticator, PresentedCredentials(claimed_user="alice")) == "Credentials are needed here."
    )
    assert (
        authenticator.authenticate(PresentedCredentials(loopback=True, claimed_user="alice")).user == "alice"
    )
    assert "name" in refused(authenticator, PresentedCredentials(loopback=True, claimed_user="al ice"))
    assert refused(authenticator, PresentedCredentials(Password("a", "b"), loopback=True))


def test_nobody_takes_the_name_of_somebody_who_has_a_password(users: UsersFile) -> None:
    authenticator = Authenticator((users, Anonymous(any_name=False)))
    assert (
        refused(authenticator, PresentedCredentials(loopback=True, claimed_user="alice"))
        == "Credentials are needed here."
    )
    assert (
        authenticator.authenticate(PresentedCredentials(loopback=True, claimed_user="anonymous")).user
        == "anonymous"
    )


def test_nobody_acts_as_somebody_else(users: UsersFile) -> None:
    authenticator = Authenticator((users, Mtls(groups_from_ou=True)))
    right = Password("alice", "a")
    assert authenticator.authenticate(PresentedCredentials(right, claimed_user="alice")).user == "alice"
    assert "cannot act as" in refused(authenticator, PresentedCredentials(right, claimed_user="bob"))
    assert "cannot act as" in refused(
        authenticator, PresentedCredentials(certificate=ClientCertificate("alice"), claimed_user="bob")
    )


def test_a_strange_name_in_a_certificate_is_refused() -> None:
    assert "certificate" in refused(
        Authenticator((Mtls(groups_from_ou=True),)),
        PresentedCredentials(certificate=ClientCertificate("CN=a, O=b")),
    )


def test_without_providers_nobody_comes_in() -> None:
    assert refused(Authenticator(()), PresentedCredentials(loopback=True))


def test_decisions_are_counted_and_logged_without_secrets(
    users: UsersFile, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[tuple[str, bool]] = []
    authenticator = Authenticator(
        (SessionTokens(60, 60), users, Anonymous(any_name=False)),
        lambda provider, accepted: seen.append((provider, accepted)),
    )
    with caplog.at_level(logging.INFO):
        authenticator.authenticate(PresentedCredentials(Password("alice", "a")))
        refused(authenticator, PresentedCredentials(Password("alice", "hunter2"), address="192.0.2.7"))
        refused(authenticator, PresentedCredentials(Password("alice", "a"), claimed_user="bob"))
        refused(authenticator, PresentedCredentials(bearer="hunter3"))
        refused(authenticator, PresentedCredentials(Password("x\nforged line", "hunter4")))
    assert seen == [
        ("users_file", True),
        ("users_file", False),
        ("users_file", False),
        ("none", False),
        ("users_file", False),
    ]
    assert "192.0.2.7" in caplog.text
    assert "hunter" not in caplog.text
    assert "\nforged" not in caplog.text


def test_a_token_of_ours_ends_with_the_login_that_it_was_made_for(
    clock: Clock, logins: Logins, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = SessionTokens(10_000, 10_000)
    seen: list[tuple[str, bool]] = []
    authenticator = Authenticator(
        (tokens,), lambda provider, accepted: seen.append((provider, accepted)), logins.alive
    )
    alice = logins.start(Principal("alice", "oidc_password"), "key", Tokens("jwt", clock() + 1000), None)
    without = Principal("bob", "users_file")
    presented = PresentedCredentials(bearer=tokens.mint(alice))
    assert authenticator.authenticate(presented) == alice
    assert alice.login is not None
    logins.end(alice.login, "she has logged out")
    with pytest.raises(AuthenticationError) as caught, caplog.at_level(logging.INFO):
        authenticator.authenticate(presented)
    assert (caught.value.message, caught.value.hint) == ("The login has ended.", "Log in again.")
    assert "the login of alice has ended" in caplog.text
    assert authenticator.authenticate(PresentedCredentials(bearer=tokens.mint(without))) == without
    assert seen == [("token", True), ("oidc_password", False), ("token", True)]


def test_being_let_in_is_a_use_of_the_login(clock: Clock, logins: Logins) -> None:
    tokens = SessionTokens(10_000, 10_000)
    authenticator = Authenticator((tokens,), alive=logins.alive)
    alice = logins.start(Principal("alice", "oidc_password"), "key", Tokens("jwt", clock() + 9000), None)
    presented = PresentedCredentials(bearer=tokens.mint(alice))
    for _ in range(5):
        clock.sleep(800)
        logins.keep_fresh()
        assert authenticator.authenticate(presented) == alice
    clock.sleep(900)
    refused(authenticator, presented)


def test_an_identity_provider_that_is_silent_is_told_from_a_refusal(
    oidc: OidcLogins, clock: Clock, idp: FakeIdp, users: UsersFile
) -> None:
    idp.trouble = "down"
    authenticator = Authenticator((OidcPassword(oidc, FailedLogins(clock), clock), users))
    with pytest.raises(IdentityProviderError, match="does not answer"):
        authenticator.authenticate(PresentedCredentials(Password("alice", "a")))


def test_the_challenge_names_what_a_client_can_send(users: UsersFile) -> None:
    assert Authenticator((SessionTokens(60, 60), users)).challenge == 'Basic realm="SQE"'
    assert Authenticator((Anonymous(any_name=True),)).challenge == 'Bearer realm="SQE"'


def test_the_challenge_names_each_way_once(
    users: UsersFile, oidc: OidcLogins, client: OidcClient, logins: Logins, clock: Clock
) -> None:
    password = OidcPassword(oidc, FailedLogins(clock))
    bearer = BearerToken(client, logins)
    both = 'Basic realm="SQE", Bearer realm="SQE"'
    assert Authenticator((password, bearer, TokenExchange(oidc, FailedLogins(clock)))).challenge == both
    assert Authenticator((bearer, ClientCredentials(oidc))).challenge == 'Bearer realm="SQE"'
