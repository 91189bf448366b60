from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.fakes.idp_interactive import InteractiveIdp
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.oidc.client import OidcClient
from sqe.identity.oidc.device_code import wait_for_tokens


@pytest.fixture
def idp(clock: Clock) -> Iterator[InteractiveIdp]:
    with InteractiveIdp(clock) as made:
        yield made


class Waits:
    """Lets time pass, writes down how much, and does what a test says after some of them."""

    def __init__(self, clock: Clock) -> None:
        self.seconds: list[float] = []
        self.then: dict[int, Callable[[], None]] = {}
        self._clock = clock

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._clock.sleep(seconds)
        self.then.get(len(self.seconds), lambda: None)()


@pytest.fixture
def waits(clock: Clock) -> Waits:
    return Waits(clock)


def test_it_asks_until_the_person_has_logged_in(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    waits.then[3] = lambda: idp.approve("bob")
    tokens = wait_for_tokens(client, client.device_authorization(), waits, clock)
    assert client.verify(tokens.access)["preferred_username"] == "bob"
    assert waits.seconds == [5, 5, 5]


def test_it_asks_less_often_when_told_so(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    idp.device_answers = ["slow_down", "authorization_pending", "slow_down"]
    idp.approve("alice")
    wait_for_tokens(client, client.device_authorization(), waits, clock)
    assert waits.seconds == [5, 10, 10, 15]


def test_a_person_who_denies_it_ends_it(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    waits.then[2] = idp.deny
    with pytest.raises(AuthenticationError, match="denied"):
        wait_for_tokens(client, client.device_authorization(), waits, clock)


def test_a_code_that_has_expired_ends_it(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    idp.device_answers = ["expired_token"]
    with pytest.raises(AuthenticationError, match="took too long"):
        wait_for_tokens(client, client.device_authorization(), waits, clock)


def test_it_does_not_ask_for_ever(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    idp.device_life = 12
    with pytest.raises(AuthenticationError, match="took too long"):
        wait_for_tokens(client, client.device_authorization(), waits, clock)
    assert waits.seconds == [5, 5, 2]


def test_a_pause_of_the_identity_provider_is_waited_for(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    device = client.device_authorization()
    idp.approve("alice")
    idp.trouble = "down"

    def back() -> None:
        idp.trouble = None

    waits.then[3] = back
    assert wait_for_tokens(client, device, waits, clock).refresh is not None
    assert waits.seconds == [5, 10, 20]


def test_a_long_silence_is_an_error_of_its_own(
    client: OidcClient, idp: InteractiveIdp, clock: Clock, waits: Waits
) -> None:
    idp.device_life = 30
    device = client.device_authorization()
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        wait_for_tokens(client, device, waits, clock)


def test_secrets_are_not_in_representations(client: OidcClient) -> None:
    device = client.device_authorization()
    assert device.device_code not in repr(device)
    assert device.verifier not in repr(device)
