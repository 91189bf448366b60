from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fakes.idp_interactive import InteractiveIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.logins.login_file import LoginFile, SavedLogin, saved_login
from sqe.identity.logins.store import Logins
from sqe.identity.logins.stored_login import StoredLogin
from sqe.identity.oidc.client import OidcClient
from sqe.model.identity import Principal

NO_PROVIDER = Principal("ann", "shell")


@pytest.fixture
def idp(clock: Clock) -> Iterator[InteractiveIdp]:
    with InteractiveIdp(clock) as made:
        yield made


@pytest.fixture
def file(tmp_path: Path, clock: Clock) -> LoginFile:
    return LoginFile(tmp_path / "login", clock)


@pytest.fixture
def stored(file: LoginFile, client: OidcClient, logins: Logins, clock: Clock) -> StoredLogin:
    return StoredLogin(file.path, client, logins, clock)


@pytest.fixture
def alice(client: OidcClient) -> SavedLogin:
    return saved_login(client, "device_code", client.password("alice", "a-pw"))


def _login(principal: Principal) -> str:
    assert principal.login is not None
    return principal.login


def test_without_a_login_a_shell_is_the_accounts_own(stored: StoredLogin) -> None:
    assert stored.principal("ann") == NO_PROVIDER
    stored.refresh()


def test_a_shell_is_who_has_logged_in(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, logins: Logins
) -> None:
    file.write(alice)
    principal = stored.principal("ann")
    assert (principal.user, principal.provider) == ("alice", "device_code")
    assert logins.tokens(_login(principal)) == alice.tokens
    assert stored.principal("ann") == principal  # all shells share it


def test_no_identity_provider_is_asked_for_a_session(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, idp: InteractiveIdp, clock: Clock
) -> None:
    """Who is offline can still use what needs no login."""
    file.write(alice)
    asked = len(idp.requests)
    idp.trouble = "down"
    clock.sleep(1000)
    assert stored.principal("ann").user == "alice"
    assert len(idp.requests) == asked


def test_renewed_tokens_are_for_all(
    stored: StoredLogin,
    file: LoginFile,
    alice: SavedLogin,
    logins: Logins,
    clock: Clock,
    client: OidcClient,
    idp: InteractiveIdp,
) -> None:
    """Two gateways and `sqe token` use one login, and none burns the refresh token of another."""
    file.write(alice)
    other_logins = Logins(
        ahead=60, lifetime=9999, idle=9999, at_most=9, on_end=_ignore, observe=_ignore, clock=clock
    )
    other = StoredLogin(file.path, client, other_logins, clock)
    mine, theirs = _login(stored.principal("ann")), _login(other.principal("ann"))
    for _ in range(3):
        clock.sleep(260)
        first = logins.tokens(mine)
        assert first.expires_at == clock() + idp.life
        assert other_logins.tokens(theirs) == first
        kept = file.read()
        assert kept is not None
        assert kept.tokens == first
    other_logins.close()


def test_a_logout_ends_the_login(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, logins: Logins
) -> None:
    file.write(alice)
    principal = stored.principal("ann")
    file.remove()
    stored.refresh()
    assert not logins.alive(principal)
    with pytest.raises(AuthenticationError, match="The login of alice has ended: there was a logout"):
        logins.tokens(_login(principal))
    assert stored.principal("ann") == NO_PROVIDER


def test_another_login_ends_the_one_before(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, logins: Logins, client: OidcClient
) -> None:
    file.write(alice)
    before = stored.principal("ann")
    file.write(saved_login(client, "device_code", client.password("bob", "b-pw")))
    stored.refresh()
    assert not logins.alive(before)
    assert stored.principal("ann").user == "bob"


def test_the_same_person_goes_on_after_logging_in_again(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, logins: Logins, client: OidcClient, clock: Clock
) -> None:
    file.write(alice)
    principal = stored.principal("ann")
    clock.sleep(100)
    again = saved_login(client, "device_code", client.password("alice", "a-pw"))
    file.write(again)
    stored.refresh()
    assert stored.principal("ann") == principal
    assert logins.tokens(_login(principal)) == again.tokens


def test_a_login_that_is_refused_does_not_keep_shells_from_starting(
    stored: StoredLogin,
    file: LoginFile,
    alice: SavedLogin,
    logins: Logins,
    idp: InteractiveIdp,
    clock: Clock,
) -> None:
    file.write(alice)
    principal = stored.principal("ann")
    idp.refuse_refresh = True
    clock.sleep(260)
    with pytest.raises(AuthenticationError, match="The login of alice has ended"):
        logins.tokens(_login(principal))
    stored.refresh()
    assert stored.principal("ann") == NO_PROVIDER


def test_a_login_whose_time_is_over_is_none(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, clock: Clock
) -> None:
    file.write(alice)
    clock.sleep(1801)
    assert stored.principal("ann") == NO_PROVIDER


def test_a_login_at_another_identity_provider_is_none(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin
) -> None:
    file.write(SavedLogin("https://elsewhere.example", "sqe", alice.principal, alice.tokens))
    assert stored.principal("ann") == NO_PROVIDER


def test_without_an_identity_provider_there_is_no_login(
    file: LoginFile, alice: SavedLogin, logins: Logins, clock: Clock
) -> None:
    file.write(alice)
    assert StoredLogin(file.path, None, logins, clock).principal("ann") == NO_PROVIDER


def test_a_file_that_others_can_read_is_refused(
    stored: StoredLogin, file: LoginFile, alice: SavedLogin, logins: Logins
) -> None:
    file.write(alice)
    principal = stored.principal("ann")
    file.path.chmod(0o644)
    file.path.touch()
    stored.refresh()
    assert not logins.alive(principal)
    with pytest.raises(ConfigError, match="can be read or changed by others"):
        stored.principal("ann")


def _ignore(*_: object) -> None:
    pass
