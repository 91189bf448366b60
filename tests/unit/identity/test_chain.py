from __future__ import annotations

import logging

import pytest
from tests.support.server import write_users

from sqe.errors import AuthenticationError
from sqe.identity.anonymous import Anonymous
from sqe.identity.certificate import Certificate
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import Password, Presented
from sqe.identity.tokens import SessionTokens
from sqe.identity.users_file import UsersFile
from sqe.model.identity import Principal


@pytest.fixture
def users(tmp_path_factory: pytest.TempPathFactory) -> UsersFile:
    return UsersFile(write_users(tmp_path_factory.mktemp("users") / "users", {"alice": "a"}))


def refused(authenticator: Authenticator, presented: Presented) -> str:
    with pytest.raises(AuthenticationError) as caught:
        authenticator.authenticate(presented)
    return caught.value.message


def test_the_first_that_knows_decides(users: UsersFile) -> None:
    tokens = SessionTokens(60, 60)
    authenticator = Authenticator((tokens, users, Certificate(), Anonymous(any_name=False)))
    alice = authenticator.authenticate(Presented(Password("alice", "a")))
    assert alice == Principal("alice", "users_file")
    assert authenticator.authenticate(Presented(bearer=tokens.mint(alice))) == alice
    assert authenticator.authenticate(Presented(certificate="bob")) == Principal("bob", "certificate")
    assert authenticator.authenticate(Presented(loopback=True)) == Principal("anonymous", "anonymous")


def test_a_wrong_credential_never_makes_anyone_anonymous(users: UsersFile) -> None:
    authenticator = Authenticator((SessionTokens(60, 60), users, Certificate(), Anonymous(any_name=False)))
    for presented in (
        Presented(Password("alice", "wrong"), loopback=True),
        Presented(Password("alice", "wrong"), certificate="alice", loopback=True),
        Presented(bearer="sqe_unknown", loopback=True),
        Presented(bearer="of somebody else", loopback=True),
        Presented(bearer="x", certificate="alice", loopback=True),
    ):
        refused(authenticator, presented)


def test_anonymous_is_for_this_machine_only() -> None:
    authenticator = Authenticator((Anonymous(any_name=True),))
    assert refused(authenticator, Presented(claimed_user="alice")) == "Credentials are needed here."
    assert authenticator.authenticate(Presented(loopback=True, claimed_user="alice")).user == "alice"
    assert "name" in refused(authenticator, Presented(loopback=True, claimed_user="al ice"))
    assert refused(authenticator, Presented(Password("a", "b"), loopback=True))


def test_nobody_takes_the_name_of_somebody_who_has_a_password(users: UsersFile) -> None:
    authenticator = Authenticator((users, Anonymous(any_name=False)))
    assert (
        refused(authenticator, Presented(loopback=True, claimed_user="alice"))
        == "Credentials are needed here."
    )
    assert authenticator.authenticate(Presented(loopback=True, claimed_user="anonymous")).user == "anonymous"


def test_nobody_acts_as_somebody_else(users: UsersFile) -> None:
    authenticator = Authenticator((users, Certificate()))
    right = Password("alice", "a")
    assert authenticator.authenticate(Presented(right, claimed_user="alice")).user == "alice"
    assert "cannot act as" in refused(authenticator, Presented(right, claimed_user="bob"))
    assert "cannot act as" in refused(authenticator, Presented(certificate="alice", claimed_user="bob"))


def test_a_strange_name_in_a_certificate_is_refused() -> None:
    assert "certificate" in refused(Authenticator((Certificate(),)), Presented(certificate="CN=a, O=b"))


def test_without_providers_nobody_comes_in() -> None:
    assert refused(Authenticator(()), Presented(loopback=True))


def test_decisions_are_counted_and_logged_without_secrets(
    users: UsersFile, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[tuple[str, bool]] = []
    authenticator = Authenticator(
        (SessionTokens(60, 60), users, Anonymous(any_name=False)),
        lambda provider, accepted: seen.append((provider, accepted)),
    )
    with caplog.at_level(logging.INFO):
        authenticator.authenticate(Presented(Password("alice", "a")))
        refused(authenticator, Presented(Password("alice", "hunter2"), address="192.0.2.7"))
        refused(authenticator, Presented(Password("alice", "a"), claimed_user="bob"))
        refused(authenticator, Presented(bearer="hunter3"))
        refused(authenticator, Presented(Password("x\nforged line", "hunter4")))
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


def test_the_challenge_names_what_a_client_can_send(users: UsersFile) -> None:
    assert Authenticator((SessionTokens(60, 60), users)).challenge == 'Basic realm="SQE"'
    assert Authenticator((Anonymous(any_name=True),)).challenge == 'Bearer realm="SQE"'
