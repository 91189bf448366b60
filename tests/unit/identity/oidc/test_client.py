from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from tests.fakes.idp import CLIENT, SERVICE, SERVICE_SECRET, FakeIdp
from tests.support.clock import Clock

from sqe.common.http_client import HttpClient
from sqe.config.sections.oidc import OidcConfig
from sqe.config.sections.token_exchange import TokenExchangeConfig
from sqe.errors import AuthenticationError, ConfigError, IdentityProviderError
from sqe.identity.oidc.client import DevicePending, OidcClient


def asked(idp: FakeIdp) -> dict[str, str]:
    return dict(next(form for path, form in reversed(idp.requests) if path.endswith("/token")))


def test_an_issuer_is_needed(web: HttpClient) -> None:
    with pytest.raises(ConfigError, match=r"oidc\.issuer"):
        OidcClient(OidcConfig(), TokenExchangeConfig(), web)


def test_plain_text_is_warned_of(web: HttpClient, caplog: pytest.LogCaptureFixture) -> None:
    OidcClient(OidcConfig(issuer="http://idp.example.com"), TokenExchangeConfig(), web)
    assert "idp.example.com is not encrypted" in caplog.text


def test_a_password(client: OidcClient, idp: FakeIdp) -> None:
    tokens = client.password("alice", "a-pw")
    assert client.verify(tokens.access)["preferred_username"] == "alice"
    assert asked(idp)["scope"] == "openid"
    with pytest.raises(AuthenticationError, match="The user or the password is wrong"):
        client.password("alice", "b-pw")


def test_a_refresh(client: OidcClient, idp: FakeIdp) -> None:
    first = client.password("alice", "a-pw")
    second = client.refresh(first)
    assert second.refresh not in (None, first.refresh)
    with pytest.raises(AuthenticationError, match="cannot be renewed"):
        client.refresh(first)


def test_a_refresh_token_stays_when_there_is_no_new_one(client: OidcClient, idp: FakeIdp) -> None:
    first = client.password("alice", "a-pw")
    idp.refresh_life = None
    second = client.refresh(first)
    assert second.access != first.access
    assert (second.refresh, second.refresh_expires_at) == (first.refresh, first.refresh_expires_at)


def test_the_renewer_takes_tokens_of_the_same_person_only(client: OidcClient, idp: FakeIdp) -> None:
    first = client.password("alice", "a-pw")
    renewer = client.renewer(client.verify(first.access))
    second = renewer.renew(first)
    idp.claims["alice"] = {"sub": "somebody else"}
    with pytest.raises(AuthenticationError) as caught:
        renewer.renew(second)
    assert "of another person" in str(caught.value.detail)


def test_a_renewal_survives_a_new_key_and_a_flood(client: OidcClient, idp: FakeIdp, clock: Clock) -> None:
    first = client.password("alice", "a-pw")
    renewer = client.renewer(client.verify(first.access))
    clock.sleep(31)
    with pytest.raises(AuthenticationError):
        client.verify(idp.token(header={"kid": "made up"}))
    idp.rotate()
    assert renewer.renew(first).access != first.access


def test_renewed_tokens_are_not_lost_when_there_are_no_keys_to_check_them(
    client: OidcClient, idp: FakeIdp
) -> None:
    first = client.password("alice", "a-pw")
    renewer = client.renewer(client.verify(first.access))
    idp.rotate()
    idp.trouble, idp.trouble_at = "down", frozenset({"keys"})
    with pytest.raises(IdentityProviderError):
        renewer.renew(first)  # its refresh token is used up from here on
    idp.trouble = None
    assert client.verify(renewer.renew(first).access)["preferred_username"] == "alice"


def test_client_credentials(client: OidcClient, idp: FakeIdp) -> None:
    tokens = client.client_credentials()
    assert client.verify(tokens.access)["preferred_username"] == f"service-account-{CLIENT}"
    assert "scope" not in asked(idp)
    tokens = client.client_credentials(SERVICE, SERVICE_SECRET)
    assert client.verify(tokens.access)["preferred_username"] == f"service-account-{SERVICE}"
    with pytest.raises(AuthenticationError, match="The user or the password is wrong"):
        client.client_credentials(SERVICE, "wrong")


def test_an_exchange(idp: FakeIdp, web: HttpClient, clock: Clock) -> None:
    client = OidcClient(idp.config(), TokenExchangeConfig(audience="polaris", scope="a b"), web, clock, clock)
    assert client.verify(client.exchange("opaque-bob").access)["preferred_username"] == "bob"
    form = asked(idp)
    assert form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange"
    assert (form["audience"], form["scope"]) == ("polaris", "a b")
    with pytest.raises(AuthenticationError, match="The token is not accepted"):
        client.exchange("opaque-nobody")


def test_a_code(client: OidcClient, idp: FakeIdp) -> None:
    tokens = client.code_token("good code", "verifier", "https://sqe.example.com/oauth2/callback")
    assert client.verify(tokens.access)["preferred_username"] == "alice"
    assert asked(idp)["redirect_uri"] == "https://sqe.example.com/oauth2/callback"
    with pytest.raises(AuthenticationError, match="The login is not accepted"):
        client.code_token("bad code", "verifier", "https://sqe.example.com/oauth2/callback")


def test_where_a_browser_goes(client: OidcClient, idp: FakeIdp) -> None:
    url = client.authorize_url(
        redirect_uri="https://sqe.example.com/cb?a=b&c", state="s", code_challenge="c", nonce="n"
    )
    assert url.startswith(f"{idp.issuer}/auth?")
    assert parse_qs(urlsplit(url).query) == {
        "response_type": ["code"],
        "client_id": [CLIENT],
        "redirect_uri": ["https://sqe.example.com/cb?a=b&c"],
        "scope": ["openid"],
        "state": ["s"],
        "code_challenge": ["c"],
        "code_challenge_method": ["S256"],
        "nonce": ["n"],
    }
    idp.document = {"authorization_endpoint": f"{idp.issuer}/auth?tenant=1"}
    client._discovery.doubt()
    again = client.authorize_url(redirect_uri="https://x", state="s", code_challenge="c")
    assert "?tenant=1&response_type=code" in again


def test_a_device(client: OidcClient, idp: FakeIdp) -> None:
    device = client.device_authorization()
    assert (device.user_code, device.interval) == ("ABCD-EFGH", 5)
    assert "the device's code" not in repr(device)
    idp.device_answers = ["authorization_pending", "slow_down", "access_denied", "expired_token"]
    with pytest.raises(DevicePending) as caught:
        client.device_token(device)
    assert not caught.value.slow_down
    with pytest.raises(DevicePending) as caught:
        client.device_token(device)
    assert caught.value.slow_down
    with pytest.raises(AuthenticationError, match="denied"):
        client.device_token(device)
    with pytest.raises(AuthenticationError, match="too long"):
        client.device_token(device)
    assert client.verify(client.device_token(device).access)["preferred_username"] == "alice"


def test_a_wrong_secret_of_ours_is_not_the_persons_fault(idp: FakeIdp, web: HttpClient, clock: Clock) -> None:
    public = OidcClient(idp.config(client_secret=None), TokenExchangeConfig(), web, clock, clock)
    with pytest.raises(AuthenticationError, match="does not let this server log people in"):
        public.password("alice", "a-pw")


def test_silence(client: OidcClient, idp: FakeIdp) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError):
        client.password("alice", "a-pw")
    with pytest.raises(IdentityProviderError):
        client.discover()
