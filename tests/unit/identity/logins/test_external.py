from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.fakes.idp_interactive import InteractiveIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins import external
from sqe.identity.logins.external import BrowserRedirect, ExternalLogins, cookie_name
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.logins.store import Logins

CALLBACK = "https://sqe.example/oauth2/callback"


@pytest.fixture
def idp(clock: Clock) -> Iterator[InteractiveIdp]:
    with InteractiveIdp(clock) as made:
        yield made


@pytest.fixture
def tokens(clock: Clock) -> SessionTokens:
    return SessionTokens(3600, 3600, clock)


@pytest.fixture
def seen() -> list[tuple[str, bool]]:
    return []


@pytest.fixture
def logins_in_browsers(
    oidc: OidcLogins, tokens: SessionTokens, clock: Clock, seen: list[tuple[str, bool]]
) -> ExternalLogins:
    return ExternalLogins(oidc, tokens, lambda provider, accepted: seen.append((provider, accepted)), clock)


def _state(begun: BrowserRedirect) -> str:
    return parse_qs(urlsplit(begun.url).query)["state"][0]


def test_a_person_logs_in_and_the_client_gets_a_token_once(
    logins_in_browsers: ExternalLogins,
    idp: InteractiveIdp,
    tokens: SessionTokens,
    logins: Logins,
    seen: list[tuple[str, bool]],
) -> None:
    challenge = logins_in_browsers.challenge()
    assert logins_in_browsers.take(challenge.id) is None
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    assert begun.cookie_name == cookie_name(answer["state"])
    assert logins_in_browsers.take(challenge.id) is None
    principal = logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    assert (principal.user, principal.provider) == ("alice", "external")
    token = logins_in_browsers.take(challenge.id)
    assert token is not None
    assert token.startswith("sqe_")
    assert tokens.principal(token) == principal
    assert principal.login is not None
    assert logins.tokens(principal.login).refresh is not None
    with pytest.raises(AuthenticationError, match="fetched already"):
        logins_in_browsers.take(challenge.id)
    assert seen == [("external", True)]


def test_the_browser_learns_nothing_that_gets_the_token(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp
) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    assert challenge.id not in begun.url
    for guess in (challenge.hash, answer["state"], begun.cookie, "", "a.b.c", challenge.id[:-1] + "!"):
        with pytest.raises(AuthenticationError, match="unknown or has timed out"):
            logins_in_browsers.take(guess)
    assert logins_in_browsers.take(challenge.id) is not None


def test_nothing_is_kept_before_somebody_has_logged_in(logins_in_browsers: ExternalLogins) -> None:
    for _ in range(100):
        challenge = logins_in_browsers.challenge()
        logins_in_browsers.begin(challenge.hash, CALLBACK)
        logins_in_browsers.take(challenge.id)
        logins_in_browsers.drop(challenge.id)
    assert not logins_in_browsers._good
    assert not logins_in_browsers._failed


def test_another_browser_cannot_come_back_with_it(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp
) -> None:
    """Nobody is logged in as somebody else by a link that leads back here."""
    challenge = logins_in_browsers.challenge()
    mine, other = (logins_in_browsers.begin(challenge.hash, CALLBACK) for _ in range(2))
    answer = idp.authorize(mine.url, "alice")
    for cookie in (other.cookie, "", "x"):
        with pytest.raises(AuthenticationError, match="unknown"):
            logins_in_browsers.finish(answer["state"], answer["code"], cookie, CALLBACK)
    for state in (_state(other), answer["state"][:-1], "", ".", "..."):
        with pytest.raises(AuthenticationError, match="unknown"):
            logins_in_browsers.finish(state, answer["code"], mine.cookie, CALLBACK)
    assert idp.count("/token") == 0
    assert logins_in_browsers.finish(answer["state"], answer["code"], mine.cookie, CALLBACK).user == "alice"


def test_a_code_of_another_login_is_refused(logins_in_browsers: ExternalLogins, idp: InteractiveIdp) -> None:
    first, second = (logins_in_browsers.challenge() for _ in range(2))
    begun = logins_in_browsers.begin(first.hash, CALLBACK)
    stolen = idp.authorize(logins_in_browsers.begin(second.hash, CALLBACK).url, "bob")["code"]
    with pytest.raises(AuthenticationError, match="not accepted"):
        logins_in_browsers.finish(_state(begun), stolen, begun.cookie, CALLBACK)
    with pytest.raises(AuthenticationError, match="not accepted"):
        logins_in_browsers.take(first.id)
    assert logins_in_browsers.take(second.id) is None


def test_an_answer_for_another_login_is_refused(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp, seen: list[tuple[str, bool]]
) -> None:
    idp.other_nonce = "that of somebody else"
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    with pytest.raises(AuthenticationError, match="not accepted") as caught:
        logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    assert "nonce" in (caught.value.detail or "")
    assert seen == [("external", False)]


def test_a_state_is_good_once(logins_in_browsers: ExternalLogins, idp: InteractiveIdp) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    again = idp.authorize(begun.url, "bob")
    with pytest.raises(AuthenticationError, match="made already"):
        logins_in_browsers.finish(again["state"], again["code"], begun.cookie, CALLBACK)


def test_a_link_that_was_used_leads_to_no_second_login(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp, tokens: SessionTokens
) -> None:
    challenge = logins_in_browsers.challenge()
    first, second = (logins_in_browsers.begin(challenge.hash, CALLBACK) for _ in range(2))
    for begun, user in ((first, "alice"), (second, "bob")):
        answer = idp.authorize(begun.url, user)
        try:
            logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
        except AuthenticationError:
            assert user == "bob"
    principal = tokens.principal(logins_in_browsers.take(challenge.id) or "")
    assert principal is not None
    assert principal.user == "alice"


def test_everything_ends_after_fifteen_minutes(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp, clock: Clock
) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    clock.sleep(899)
    assert logins_in_browsers.take(challenge.id) is None
    clock.sleep(1)
    with pytest.raises(AuthenticationError, match="timed out"):
        logins_in_browsers.take(challenge.id)
    with pytest.raises(AuthenticationError, match="timed out"):
        logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)


def test_what_nobody_fetches_is_forgotten(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp, clock: Clock
) -> None:
    for _ in range(3):
        begun = logins_in_browsers.begin(logins_in_browsers.challenge().hash, CALLBACK)
        answer = idp.authorize(begun.url, "alice")
        logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
        assert len(logins_in_browsers._good) == 1
        clock.sleep(external.LIFETIME)


def test_failures_push_out_only_failures(
    oidc: OidcLogins,
    tokens: SessionTokens,
    clock: Clock,
    idp: InteractiveIdp,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(external, "_AT_MOST", 3)
    logins_in_browsers = ExternalLogins(oidc, tokens, clock=clock)
    waiting = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(waiting.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    for _ in range(10):
        failing = logins_in_browsers.begin(logins_in_browsers.challenge().hash, CALLBACK)
        logins_in_browsers.refuse(_state(failing), failing.cookie, "access_denied")
    assert len(logins_in_browsers._failed) == 3
    assert logins_in_browsers.take(waiting.id) is not None


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("access_denied", "The login was denied."),
        ("temporarily_unavailable", "The identity provider is not available now."),
        ("<b>something</b>", "The identity provider has refused the login."),
    ],
)
def test_the_client_is_told_that_the_person_was_refused(
    logins_in_browsers: ExternalLogins, description: str, message: str
) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    assert logins_in_browsers.refuse(_state(begun), begun.cookie, description).message == message
    for _ in range(2):  # a client may ask again
        with pytest.raises(AuthenticationError) as caught:
            logins_in_browsers.take(challenge.id)
        assert caught.value.message == message


def test_a_silent_identity_provider_is_told_of(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp
) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    with pytest.raises(AuthenticationError, match="does not answer"):
        logins_in_browsers.take(challenge.id)


def test_a_client_that_gives_up_gets_nothing_any_more(
    logins_in_browsers: ExternalLogins, idp: InteractiveIdp
) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    answer = idp.authorize(begun.url, "alice")
    logins_in_browsers.finish(answer["state"], answer["code"], begun.cookie, CALLBACK)
    logins_in_browsers.drop(challenge.id)
    with pytest.raises(AuthenticationError, match="has ended this login"):
        logins_in_browsers.take(challenge.id)


@pytest.mark.parametrize("hashed", ["", "x", "0" * 63, "0" * 65, "0" * 63 + "G", "../" * 21 + "a"])
def test_what_is_no_hash_goes_nowhere(logins_in_browsers: ExternalLogins, hashed: str) -> None:
    with pytest.raises(AuthenticationError, match="unknown"):
        logins_in_browsers.begin(hashed, CALLBACK)


def test_secrets_are_not_in_representations(logins_in_browsers: ExternalLogins) -> None:
    challenge = logins_in_browsers.challenge()
    begun = logins_in_browsers.begin(challenge.hash, CALLBACK)
    assert challenge.id not in repr(challenge)
    assert begun.cookie not in repr(begun)
