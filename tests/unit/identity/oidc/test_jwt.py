from __future__ import annotations

import base64
import hmac
from typing import Any

import pytest
from joserfc.jwk import ECKey, OctKey, RSAKey
from tests.fakes.idp import AUDIENCE, FakeIdp, encode, sign
from tests.support.clock import Clock

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.oidc.client import OidcClient
from sqe.identity.oidc.jwt import issuer_of

STRANGER = RSAKey.generate_key(2048, {"kid": "rsa-0"}, private=True)  # claims the id of the real one


def refused(client: OidcClient, token: str) -> str:
    """Why, as our log has it; whoever sent it is not told."""
    with pytest.raises(AuthenticationError) as caught:
        client.verify(token)
    assert not isinstance(caught.value, IdentityProviderError)
    assert caught.value.message == "The token is not accepted."
    assert caught.value.hint is None
    return str(caught.value.detail)


def test_a_good_token(client: OidcClient, idp: FakeIdp) -> None:
    claims = client.verify(idp.token("alice", groups=["analysts"]))
    assert claims["preferred_username"] == "alice"
    assert claims["groups"] == ["analysts"]
    assert client.verify(idp.token(aud=AUDIENCE))["aud"] == AUDIENCE
    assert client.verify(idp.token(header={"typ": "at+jwt"}, typ=None, nbf=idp.clock() - 5, iat=None))
    assert client.verify(idp.token(header={"typ": None}))


def test_signatures_with_elliptic_curves(client: OidcClient, idp: FakeIdp) -> None:
    idp.keys.append(ECKey.generate_key("P-256", {"kid": "ec"}, private=True))
    token = idp.token("alice")
    assert client.verify(token)["sub"] == "id-of-alice"
    head, _, _ = token.rpartition(".")
    assert "signature" in refused(client, f"{head}.{'A' * 86}")


def test_no_signature(client: OidcClient, idp: FakeIdp) -> None:
    good = idp.token()
    _, payload, signature = good.split(".")
    for algorithm in ("none", "None", "NONE", "nOnE", ""):
        header = encode({"alg": algorithm, "kid": "rsa-0", "typ": "JWT"})
        for forged in (f"{header}.{payload}.", f"{header}.{payload}.{signature}"):
            assert "algorithm" in refused(client, forged)
    head, _, _ = good.rpartition(".")
    assert "signature" in refused(client, f"{head}.")
    assert "not a signed" in refused(client, head)


def test_the_public_key_as_a_shared_secret(client: OidcClient, idp: FakeIdp) -> None:
    _, payload, _ = idp.token().split(".")
    signed = f"{encode({'alg': 'HS256', 'kid': 'rsa-0', 'typ': 'JWT'})}.{payload}"
    for material in (idp.key.as_pem(private=False), idp.key.as_der(private=False)):
        signature = hmac.digest(material, signed.encode(), "sha256")
        forged = f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
        assert "algorithm 'HS256'" in refused(client, forged)


def test_a_shared_secret_in_the_key_set(client: OidcClient, idp: FakeIdp) -> None:
    secret = OctKey.generate_key(256, {"kid": "shared"})
    idp.more_keys = [secret.as_dict(private=True)]
    assert "algorithm" in refused(client, idp.token(key=secret, header={"alg": "HS256"}))
    assert "no key 'shared'" in refused(client, idp.token(header={"kid": "shared"}))


def test_an_algorithm_that_is_not_on_the_list(client: OidcClient, idp: FakeIdp) -> None:
    for algorithm in ("RS384", "PS256", "RS512"):
        assert algorithm in refused(client, idp.token(header={"alg": algorithm}))
    for strange in (None, 7, ["RS256"]):
        header = encode({"alg": strange, "kid": "rsa-0"})
        assert "algorithm" in refused(client, f"{header}.{encode({})}.AA")


def test_a_key_of_another_kind_than_the_algorithm(client: OidcClient, idp: FakeIdp) -> None:
    ec = ECKey.generate_key("P-256", {"kid": "ec"}, private=True)
    idp.more_keys = [
        ec.as_dict(private=False),
        {**idp.key.as_dict(private=False), "kid": "other", "alg": "RS512"},
        {**ECKey.generate_key("P-384", {"kid": "p384"}).as_dict(private=False)},
    ]
    assert "not one for RS256" in refused(client, idp.token(header={"kid": "ec"}))
    assert "not one for ES256" in refused(client, idp.token(key=ec, header={"kid": "rsa-0"}))
    assert "not one for RS256" in refused(client, idp.token(header={"kid": "other"}))
    assert "signature" in refused(client, idp.token(key=ec, header={"kid": "p384"}))


def test_a_key_of_somebody_else(client: OidcClient, idp: FakeIdp) -> None:
    assert "signature" in refused(client, idp.token(key=STRANGER))


def test_changed_claims(client: OidcClient, idp: FakeIdp) -> None:
    header, _, signature = idp.token("bob").split(".")
    _, payload, _ = idp.token("alice").split(".")
    assert "signature" in refused(client, f"{header}.{payload}.{signature}")


def test_no_key_id(client: OidcClient, idp: FakeIdp) -> None:
    for kid in (None, "", 7, ["rsa-0"], {"a": 1}):
        assert "does not name its key" in refused(
            client, f"{encode({'alg': 'RS256', 'kid': kid})}.{encode({})}.AA"
        )
    assert "does not name its key" in refused(client, idp.token(header={"kid": None}))


@pytest.mark.parametrize("kid", ["../../etc/passwd", "x' OR 1=1 --", "rsa-0\n", "\ud800"])
def test_strange_key_ids(client: OidcClient, idp: FakeIdp, kid: str) -> None:
    assert "no key" in refused(client, idp.token(header={"kid": kid}))


def test_a_key_in_the_token_itself(client: OidcClient, idp: FakeIdp) -> None:
    key = STRANGER.as_dict(private=False)
    for header in (
        {"jwk": key},
        {"jku": "https://evil.example.com/keys"},
        {"x5u": "https://evil.example.com"},
    ):
        assert "its header holds" in refused(client, idp.token(key=STRANGER, header=header))
        assert "its header holds" in refused(client, idp.token(header=header))
    assert idp.count("/keys") == 0


def test_headers_that_change_the_rules(client: OidcClient, idp: FakeIdp) -> None:
    claims: dict[str, Any] = {"iss": idp.issuer}
    for header in ({"crit": ["exp"], "exp": 1}, {"b64": False}, {"zip": "DEF"}):
        token = f"{encode({'alg': 'RS256', 'kid': 'rsa-0', **header})}.{encode(claims)}.AA"
        assert "its header holds" in refused(client, token)


def test_other_kinds_of_tokens(client: OidcClient, idp: FakeIdp) -> None:
    for kind in ("ID", "Refresh", "Offline", "Logout"):
        assert f"type {kind}" in refused(client, idp.token(typ=kind))
    for kind in ("logout+jwt", "dpop+jwt", ""):
        assert "not an access token" in refused(client, idp.token(header={"typ": kind}))


def test_another_issuer(client: OidcClient, idp: FakeIdp) -> None:
    for issuer in ("https://evil.example.com", f"{idp.issuer}/", None, [idp.issuer]):
        assert "not of oidc.issuer" in refused(client, idp.token(iss=issuer))


def test_another_audience(client: OidcClient, idp: FakeIdp) -> None:
    for audience in ("sq", "sqe2", "SQE", "sqe account", [], ["account"], [["sqe"]], None, {"sqe": 1}, 7):
        assert "not for oidc.audience" in refused(client, idp.token(aud=audience))


def test_any_audience_has_to_be_asked_for(idp: FakeIdp, client: OidcClient) -> None:
    open_to_all = OidcClient(
        idp.config(audience=None, any_audience=True), client._exchange, client._web, idp.clock, idp.clock
    )
    assert open_to_all.verify(idp.token(aud=None))
    forgotten = OidcClient(idp.config(audience=None), client._exchange, client._web, idp.clock, idp.clock)
    assert "oidc.audience is not set" in refused(forgotten, idp.token())


def test_time(client: OidcClient, idp: FakeIdp, clock: Clock) -> None:
    token = idp.token()
    clock.sleep(300 + 29)
    assert client.verify(token)
    clock.sleep(1)
    assert "expired" in refused(client, token)
    assert "not yet valid" in refused(client, idp.token(nbf=clock() + 31))
    assert client.verify(idp.token(nbf=clock() + 30))
    assert "in the future" in refused(client, idp.token(iat=clock() + 31))


@pytest.mark.parametrize("claim", ["exp", "nbf", "iat"])
def test_times_that_are_none(client: OidcClient, idp: FakeIdp, claim: str) -> None:
    strange: list[Any] = ["2030", True, float("inf"), float("nan"), 10**400, [1], {"a": 1}]
    for value in strange:
        changed: dict[str, Any] = {claim: value}
        assert "NumericDate" in refused(client, idp.token(**changed))


def test_a_token_that_never_ends(client: OidcClient, idp: FakeIdp) -> None:
    assert "Missing claim: 'exp'" in refused(client, idp.token(exp=None))


def test_a_token_that_is_too_large(client: OidcClient, idp: FakeIdp) -> None:
    assert client.verify(idp.token(groups=["g" * 8] * 700))
    assert "longer than" in refused(client, idp.token(groups=["g" * 8] * 2000))


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "...",
        "a.b.c",
        "eyJ.eyJ.x",
        "é.é.é",
        "a" * 1000,
        f"{encode({'alg': 'RS256', 'kid': 'rsa-0'})}..",
        f"{encode({'alg': 'RS256', 'kid': 'rsa-0'})}.!!.!!",
        "e30.e30.e30",
        "W10.e30.",
        "bnVsbA.e30.",
        "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0wIn0=.e30.AA",
    ],
)
def test_what_is_no_token(client: OidcClient, token: str) -> None:
    assert refused(client, token)


def test_claims_that_are_no_object(client: OidcClient, idp: FakeIdp) -> None:
    strange: list[Any] = [[], "text", 7, None]
    for claims in strange:
        token = sign(claims, {"alg": "RS256", "kid": "rsa-0"}, idp.key)
        assert "not a JSON object" in refused(client, token)


def test_without_keys_nobody_is_refused(client: OidcClient, idp: FakeIdp) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        client.verify(idp.token())


def test_a_strangers_token_costs_nothing_before_it_looks_right(client: OidcClient, idp: FakeIdp) -> None:
    refused(client, idp.token(header={"alg": "PS256"}))
    refused(client, "x" * 100_000)
    assert idp.requests == []


def test_the_issuer_before_anything_is_checked(idp: FakeIdp) -> None:
    assert issuer_of(idp.token()) == idp.issuer
    for text in (
        "",
        "a",
        "a.b",
        "a.!.c",
        f"a.{encode({'iss': 7})}.c",
        "a.W10.c",
        "a." + "A" * 100_000 + ".c",
    ):
        assert issuer_of(text) is None
