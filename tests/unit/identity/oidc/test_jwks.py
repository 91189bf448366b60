from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from joserfc.jwk import ECKey, OctKey, RSAKey
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.common.http_client import HttpClient
from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.oidc.discovery import Discovery
from sqe.identity.oidc.jwks import Jwks


@pytest.fixture
def jwks(idp: FakeIdp, web: HttpClient, clock: Clock) -> Jwks:
    return Jwks(web, Discovery(idp.issuer, web, {}, clock), clock)


def unknown(jwks: Jwks, kid: str, *, urgent: bool = False) -> None:
    with pytest.raises(AuthenticationError, match="not accepted") as caught:
        jwks.key(kid, urgent=urgent)
    assert not isinstance(caught.value, IdentityProviderError)


def test_keys_are_fetched_once(jwks: Jwks, idp: FakeIdp, clock: Clock) -> None:
    for _ in range(3):
        assert jwks.key("rsa-0").kid == "rsa-0"
        clock.sleep(299)
    assert idp.count("/keys") == 1
    clock.sleep(299)
    jwks.key("rsa-0")
    assert idp.count("/keys") == 2


def test_how_long_keys_are_used_can_be_set(idp: FakeIdp, web: HttpClient, clock: Clock) -> None:
    jwks = Jwks(web, Discovery(idp.issuer, web, {}, clock), clock, 60.0)
    jwks.key("rsa-0")
    clock.sleep(59)
    jwks.key("rsa-0")
    assert idp.count("/keys") == 1
    clock.sleep(1)
    jwks.key("rsa-0")
    assert idp.count("/keys") == 2


def test_a_new_key_is_found(jwks: Jwks, idp: FakeIdp, clock: Clock) -> None:
    jwks.key("rsa-0")
    idp.rotate()
    clock.sleep(30)
    assert jwks.key("rsa-1").kid == "rsa-1"
    assert jwks.key("rsa-0").kid == "rsa-0"
    assert idp.count("/keys") == 2


def test_a_flood_of_unknown_keys_costs_one_fetch_in_half_a_minute(
    jwks: Jwks, idp: FakeIdp, clock: Clock
) -> None:
    for number in range(500):
        unknown(jwks, f"made up {number}")
        clock.sleep(0.2)
    assert idp.count("/keys") <= 1 + 100 / 30
    assert jwks.key("rsa-0").kid == "rsa-0"


def test_a_flood_from_many_threads_too(jwks: Jwks, idp: FakeIdp, clock: Clock) -> None:
    jwks.key("rsa-0")
    clock.sleep(30)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: unknown(jwks, f"made up {number}"), range(200)))
    assert idp.count("/keys") == 2


def test_a_token_from_the_issuer_itself_finds_its_key_during_a_flood(
    jwks: Jwks, idp: FakeIdp, clock: Clock
) -> None:
    jwks.key("rsa-0")
    clock.sleep(30)
    unknown(jwks, "made up")
    idp.rotate()
    unknown(jwks, "rsa-1")
    assert jwks.key("rsa-1", urgent=True).kid == "rsa-1"


@pytest.mark.parametrize("trouble", ["down", "nonsense", "huge"])
def test_a_failed_fetch_takes_nothing_away(jwks: Jwks, idp: FakeIdp, clock: Clock, trouble: str) -> None:
    jwks.key("rsa-0")
    idp.trouble = trouble  # type: ignore[assignment]
    clock.sleep(901)
    assert jwks.key("rsa-0").kid == "rsa-0"
    clock.sleep(31)
    unknown(jwks, "made up")
    assert jwks.key("rsa-0").kid == "rsa-0"
    asked = idp.count("/keys")
    jwks.key("rsa-0")
    assert idp.count("/keys") == asked  # and is not tried with every token
    idp.trouble = None
    clock.sleep(31)
    idp.rotate()
    assert jwks.key("rsa-1").kid == "rsa-1"


def test_an_empty_set_counts_as_a_failure(jwks: Jwks, idp: FakeIdp, clock: Clock) -> None:
    jwks.key("rsa-0")
    idp.keys = []
    clock.sleep(901)
    assert jwks.key("rsa-0").kid == "rsa-0"


def test_a_key_that_is_gone_is_gone_after_the_next_regular_look(
    jwks: Jwks, idp: FakeIdp, clock: Clock
) -> None:
    jwks.key("rsa-0")
    idp.rotate()
    del idp.keys[0]
    clock.sleep(31)
    assert jwks.key("rsa-1").kid == "rsa-1"
    assert jwks.key("rsa-0").kid == "rsa-0"  # tokens may still be under way
    clock.sleep(900)
    jwks.key("rsa-1")
    unknown(jwks, "rsa-0")


def test_without_any_keys_nobody_is_refused(jwks: Jwks, idp: FakeIdp) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        jwks.key("rsa-0")
    idp.trouble = None
    assert jwks.key("rsa-0").kid == "rsa-0"


def test_only_public_keys_for_signatures_are_taken(jwks: Jwks, idp: FakeIdp) -> None:
    secret = OctKey.generate_key(256, {"kid": "secret"})
    weak = {
        **RSAKey.generate_key(2048, {"kid": "weak"}).as_dict(private=False),
        "n": "AQAB",
    }
    idp.more_keys = [
        secret.as_dict(private=True),
        {**idp.key.as_dict(private=False), "kid": "for encryption", "use": "enc"},
        {**idp.key.as_dict(private=False), "kid": ""},
        {**idp.key.as_dict(private=False), "kid": 7},
        weak,
        {"kty": "EC", "kid": "broken", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kty": "OKP", "kid": "other kind", "crv": "Ed25519", "x": "AA"},
        {"kid": "nothing"},
        ECKey.generate_key("P-256", {"kid": "good"}).as_dict(private=False),
        RSAKey.generate_key(2048, {"kid": "with its private part"}).as_dict(private=True),
    ]
    assert jwks.key("good").key_type == "EC"
    assert not jwks.key("with its private part").is_private
    for kid in ("secret", "for encryption", "", "weak", "broken", "other kind", "nothing"):
        unknown(jwks, kid)


def test_others_go_on_with_the_old_keys_while_one_looks_for_new_ones(
    jwks: Jwks, idp: FakeIdp, clock: Clock
) -> None:
    jwks.key("rsa-0")
    clock.sleep(901)
    idp.trouble = "slow"
    looking = threading.Thread(target=jwks.key, args=("rsa-0",), daemon=True)
    looking.start()
    while idp.count("/keys") < 2:
        assert looking.is_alive()
    assert jwks.key("rsa-0").kid == "rsa-0"
    idp.release.set()
    looking.join(120)
    assert not looking.is_alive()
