from __future__ import annotations

import pytest
from tests.support.clock import Clock

from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins import session_tokens as module
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.model.identity import Principal

ALICE = Principal("alice", "users_file", frozenset({"dev"}))
BOB = Principal("bob", "users_file")


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


@pytest.fixture
def tokens(clock: Clock) -> SessionTokens:
    return SessionTokens(lifetime=100, idle=30, clock=clock)


def test_a_token_stands_for_its_principal(tokens: SessionTokens) -> None:
    first, second = tokens.mint(ALICE), tokens.mint(ALICE)
    assert first != second
    assert first.startswith("sqe_")
    assert tokens.principal(first) == ALICE
    assert tokens.authenticate(PresentedCredentials(bearer=first)) == ALICE


def test_the_token_itself_is_not_kept(tokens: SessionTokens) -> None:
    token = tokens.mint(ALICE)
    assert token.encode() not in b"".join(tokens._tokens)


def test_use_keeps_a_token_alive_but_not_for_ever(tokens: SessionTokens, clock: Clock) -> None:
    token, unused = tokens.mint(ALICE), tokens.mint(ALICE)
    for now in (25, 50, 75, 99):
        clock.now = now
        assert tokens.principal(token) == ALICE
    assert tokens.principal(unused) is None
    clock.now = 100
    assert tokens.principal(token) is None


def test_revoked_unknown_and_foreign_tokens(tokens: SessionTokens) -> None:
    token = tokens.mint(ALICE)
    tokens.revoke(token)
    tokens.revoke("sqe_never")
    for bearer in (token, "sqe_never"):
        with pytest.raises(AuthenticationError):
            tokens.authenticate(PresentedCredentials(bearer=bearer))
    assert tokens.authenticate(PresentedCredentials(bearer="eyJ.of.another")) is None
    assert tokens.authenticate(PresentedCredentials()) is None


def test_the_tokens_of_a_user_end_together(tokens: SessionTokens) -> None:
    alice, bob = tokens.mint(ALICE), tokens.mint(BOB)
    other = tokens.mint(Principal("alice", "mtls"))
    tokens.revoke_users("users_file", {"alice"})
    assert tokens.principal(alice) is None
    assert tokens.principal(bob) == BOB
    assert tokens.principal(other) is not None


def test_a_key_takes_its_own_tokens_along_and_no_others(tokens: SessionTokens) -> None:
    first = tokens.mint(Principal("alice", "api_key", subject="key1"))
    second = tokens.mint(Principal("alice", "api_key", subject="key2"))
    foreign = tokens.mint(Principal("alice", "aws_iam", subject="key1"))
    password = tokens.mint(ALICE)
    tokens.revoke_subjects("api_key", {"key1"})
    assert tokens.principal(first) is None
    assert None not in [tokens.principal(token) for token in (second, foreign, password)]
    tokens.revoke_users("api_key", {"alice"})
    assert tokens.principal(second) is None
    assert tokens.principal(password) == ALICE


def test_a_login_takes_its_tokens_along(tokens: SessionTokens) -> None:
    first = tokens.mint(Principal("alice", "oidc_password", login="login1"))
    second = tokens.mint(Principal("alice", "oidc_password", login="login2"))
    without = tokens.mint(ALICE)
    tokens.revoke_login("login1")
    assert tokens.principal(first) is None
    assert tokens.principal(second) is not None
    assert tokens.principal(without) == ALICE
    assert tokens._of_user == {"alice": 2}


@pytest.mark.parametrize("bearer", ["sqek_0123456789ab_x", "eyJhbGciOiJub25lIn0.e30.", "Sqe_x", "sqe"])
def test_what_only_looks_like_a_token_is_left_to_others(tokens: SessionTokens, bearer: str) -> None:
    assert tokens.authenticate(PresentedCredentials(bearer=bearer)) is None


def test_there_are_never_too_many(
    tokens: SessionTokens, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_OF_ONE_USER", 3)
    monkeypatch.setattr(module, "_OF_ALL", 4)
    bob = tokens.mint(BOB)
    alices = [tokens.mint(ALICE) for _ in range(3)]
    assert tokens.principal(alices[0]) == ALICE  # so the second is now the one that was not used for longest
    alices.append(tokens.mint(ALICE))
    assert [tokens.principal(token) is not None for token in alices] == [True, False, True, True]
    assert tokens.principal(bob) == BOB
    carol = tokens.mint(Principal("carol", "users_file"))
    assert tokens.principal(carol) is not None
    assert len(tokens._tokens) == 4


def test_ended_tokens_make_room(tokens: SessionTokens, clock: Clock) -> None:
    for _ in range(10):
        tokens.mint(ALICE)
    clock.now = 31
    tokens.mint(BOB)
    assert len(tokens._tokens) == 1
    assert tokens._of_user == {"bob": 1}
