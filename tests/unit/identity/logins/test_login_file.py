from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tests.fakes.idp_interactive import InteractiveIdp
from tests.support.clock import Clock

from sqe.common.filelock import hold
from sqe.errors import AuthenticationError, ConfigError, IdentityProviderError
from sqe.identity.logins import login_file
from sqe.identity.logins.login_file import LoginFile, SavedLogin, saved_login
from sqe.identity.oidc.client import OidcClient
from sqe.model.identity import Principal


@pytest.fixture
def idp(clock: Clock) -> Iterator[InteractiveIdp]:
    with InteractiveIdp(clock) as made:
        yield made


@pytest.fixture
def file(tmp_path: Path, clock: Clock) -> LoginFile:
    return LoginFile(tmp_path / "home" / "login", clock)


@pytest.fixture
def alice(client: OidcClient) -> SavedLogin:
    return saved_login(client, "device_code", client.password("alice", "a-pw"))


def test_what_is_written_is_read(file: LoginFile, idp: InteractiveIdp, client: OidcClient) -> None:
    idp.claims["alice"] = {
        "email": "alice@example.com",
        "groups": ["b", "a"],
        "realm_access": {"roles": ["analyst"]},
    }
    kept = saved_login(client, "device_code", client.password("alice", "a-pw"))
    assert file.read() is None
    assert file.stamp() is None
    file.write(kept)
    assert file.read() == kept
    assert kept.principal.roles == {"analyst"}
    assert kept.principal.login is None
    assert file.stamp() is not None
    file.remove()
    file.remove()
    assert file.read() is None


def test_a_file_cannot_name_the_principal_for_which_no_policy_is_evaluated(
    file: LoginFile, alice: SavedLogin
) -> None:
    file.write(alice)
    fields = json.loads(file.path.read_text())
    file.path.write_text(json.dumps({**fields, "user": "gateway", "provider": "gateway"}))
    kept = file.read()
    assert kept is not None
    assert type(kept.principal) is Principal


def test_it_is_its_owners_alone(file: LoginFile, alice: SavedLogin) -> None:
    file.write(alice)
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert file.path.parent.stat().st_mode & 0o777 == 0o700
    file.path.chmod(0o640)
    with pytest.raises(ConfigError, match="can be read or changed by others"):
        file.read()


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "not json", '{"user": 1}'])
def test_something_else_in_it_is_refused(file: LoginFile, alice: SavedLogin, text: str) -> None:
    file.write(alice)
    file.path.write_text(text)
    with pytest.raises(AuthenticationError, match="cannot be read") as caught:
        file.read()
    assert caught.value.hint == "Run `sqe login`."


@pytest.mark.parametrize("key", ["user", "access_token", "expires_at", "issuer", "groups"])
def test_a_field_of_another_type_is_refused(file: LoginFile, alice: SavedLogin, key: str) -> None:
    file.write(alice)
    fields = json.loads(file.path.read_text())
    file.path.write_text(json.dumps({**fields, key: [1]}))
    with pytest.raises(AuthenticationError, match="cannot be read"):
        file.read()


def test_renewed_tokens_are_written_back(
    file: LoginFile, client: OidcClient, idp: InteractiveIdp, alice: SavedLogin, clock: Clock
) -> None:
    file.write(alice)
    clock.sleep(200)
    fresh = file.renewed(client, alice)
    assert fresh.tokens.expires_at == clock() + idp.life
    assert fresh.tokens.refresh != alice.tokens.refresh
    assert file.read() == fresh
    assert file.renewed(client, fresh).tokens.refresh != fresh.tokens.refresh


def test_what_another_process_has_renewed_is_taken(
    file: LoginFile, client: OidcClient, idp: InteractiveIdp, alice: SavedLogin, clock: Clock
) -> None:
    """The identity provider takes each refresh token once: a second use of the old one would end the login."""
    file.write(alice)
    clock.sleep(200)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: file.renewed(client, alice), range(8)))
    assert len({kept.tokens.access for kept in found}) == 1
    assert sum(form.get("grant_type") == "refresh_token" for _, form in idp.requests) == 1


def test_a_login_that_is_refused_is_removed(
    file: LoginFile, client: OidcClient, idp: InteractiveIdp, alice: SavedLogin
) -> None:
    file.write(alice)
    idp.refuse_refresh = True
    with pytest.raises(AuthenticationError, match="The login of alice has ended") as caught:
        file.renewed(client, alice)
    assert not isinstance(caught.value, IdentityProviderError)
    assert caught.value.hint == "Run `sqe login`."
    assert file.read() is None


def test_a_silent_identity_provider_ends_nothing(
    file: LoginFile, client: OidcClient, idp: InteractiveIdp, alice: SavedLogin
) -> None:
    file.write(alice)
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        file.renewed(client, alice)
    assert file.read() == alice


def test_nothing_but_the_tokens_is_asked_for(
    file: LoginFile, client: OidcClient, idp: InteractiveIdp, alice: SavedLogin
) -> None:
    """Once they are given, those before them are worth nothing: no other answer may be missing then."""
    file.write(alice)
    idp.rotate()
    idp.trouble, idp.trouble_at = "down", frozenset({"keys"})
    assert file.read() != file.renewed(client, alice)


def test_somebody_elses_tokens_are_not_taken(
    file: LoginFile, client: OidcClient, idp: InteractiveIdp, alice: SavedLogin
) -> None:
    file.write(alice)
    idp.claims["alice"] = {"sub": "id-of-bob"}
    with pytest.raises(AuthenticationError, match="has ended"):
        file.renewed(client, alice)


def test_after_a_logout_there_is_nothing_to_renew(
    file: LoginFile, client: OidcClient, alice: SavedLogin, idp: InteractiveIdp
) -> None:
    with pytest.raises(AuthenticationError, match="No login is saved"):
        file.renewed(client, alice)
    assert idp.count("/token") == 1  # the login itself


def test_another_persons_login_is_not_renewed_for_this_one(
    file: LoginFile, client: OidcClient, alice: SavedLogin
) -> None:
    bob = saved_login(client, "device_code", client.password("bob", "b-pw"))
    file.write(bob)
    with pytest.raises(AuthenticationError, match="bob has logged in instead"):
        file.renewed(client, alice)
    assert file.read() == bob


def test_a_file_that_cannot_be_written_is_no_reason_to_stop(
    file: LoginFile, client: OidcClient, alice: SavedLogin, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write(alice)
    clock.sleep(100)

    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(login_file, "write_private", full)
    fresh = file.renewed(client, alice)
    assert file.read() == alice
    clock.sleep(100)
    # The file's refresh token was used: what this process knows is newer.
    assert file.renewed(client, fresh).tokens.expires_at > fresh.tokens.expires_at


def test_a_login_without_a_refresh_token_cannot_be_renewed(
    file: LoginFile, client: OidcClient, alice: SavedLogin
) -> None:
    bare = replace(alice, tokens=replace(alice.tokens, refresh=None, refresh_expires_at=None))
    file.write(bare)
    with pytest.raises(AuthenticationError, match="nothing to renew it with"):
        file.renewed(client, bare)


def test_a_process_that_hangs_is_not_waited_for_forever(
    file: LoginFile, client: OidcClient, alice: SavedLogin, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write(alice)
    monkeypatch.setattr(login_file, "_LOCK_SECONDS", 0.1)
    held, let_go = threading.Event(), threading.Event()

    def hang() -> None:
        with hold(file.path.with_name(".login.lock"), timeout=120):
            held.set()
            let_go.wait(120)

    thread = threading.Thread(target=hang)
    thread.start()
    assert held.wait(120)
    try:
        with pytest.raises(IdentityProviderError, match="Another process"):
            file.renewed(client, alice)
    finally:
        let_go.set()
        thread.join(120)


def test_when_it_is_over(alice: SavedLogin, clock: Clock) -> None:
    assert not alice.is_over(clock())
    clock.sleep(301)
    assert not alice.is_over(clock())
    assert replace(alice, tokens=replace(alice.tokens, refresh=None)).is_over(clock())
    clock.sleep(1800)
    assert alice.is_over(clock())
    assert not replace(alice, tokens=replace(alice.tokens, refresh_expires_at=None)).is_over(clock())


def test_tokens_are_not_in_representations(alice: SavedLogin) -> None:
    assert alice.tokens.access not in repr(alice)
    assert alice.tokens.refresh
    assert alice.tokens.refresh not in repr(alice)
