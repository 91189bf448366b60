from __future__ import annotations

import pytest
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.common.http_client import HttpClient
from sqe.errors import IdentityProviderError
from sqe.identity.oidc.discovery import Discovery

DOCUMENT = "openid-configuration"


@pytest.fixture
def discovery(idp: FakeIdp, web: HttpClient, clock: Clock) -> Discovery:
    return Discovery(idp.issuer, web, {}, clock)


def test_the_document_is_read_once(discovery: Discovery, idp: FakeIdp) -> None:
    assert discovery.endpoint("token_endpoint") == f"{idp.issuer}/token"
    assert discovery.endpoint("jwks_uri") == f"{idp.issuer}/keys"
    assert discovery.endpoints()["authorization_endpoint"] == f"{idp.issuer}/auth"
    assert idp.count(DOCUMENT) == 1


def test_what_is_configured_is_not_asked_for(idp: FakeIdp, web: HttpClient) -> None:
    discovery = Discovery(idp.issuer, web, {"jwks_uri": "https://keys.example.com", "token_endpoint": None})
    assert discovery.endpoint("jwks_uri") == "https://keys.example.com"
    assert idp.requests == []
    assert discovery.endpoint("token_endpoint") == f"{idp.issuer}/token"
    assert discovery.endpoints()["jwks_uri"] == "https://keys.example.com"


def test_a_document_of_somebody_else_is_refused(discovery: Discovery, idp: FakeIdp) -> None:
    for issuer in ("https://evil.example.com", f"{idp.issuer}/", None):
        idp.document = {"issuer": issuer}
        with pytest.raises(IdentityProviderError) as caught:
            discovery.endpoints()
        assert "not of oidc.issuer" in str(caught.value.detail)


def test_nobody_is_led_from_https_to_plain_text(idp: FakeIdp, web: HttpClient) -> None:
    idp.document = {"token_endpoint": "http://example.com/token"}
    assert Discovery(idp.issuer, web, {}).endpoint("token_endpoint") == "http://example.com/token"
    encrypted = Discovery("https://idp.example.com", web, {})
    assert not encrypted._may_be_used("http://idp.example.com/token")
    assert encrypted._may_be_used("https://other.example.com/token")
    for strange in ("ftp://x", "file:///etc/passwd", ["http://x"]):
        idp.document = {"token_endpoint": strange}
        with pytest.raises(IdentityProviderError):
            Discovery(idp.issuer, web, {}).endpoints()


def test_after_a_failure_it_is_read_again(discovery: Discovery, idp: FakeIdp) -> None:
    idp.trouble = "nonsense"
    with pytest.raises(IdentityProviderError):
        discovery.endpoint("token_endpoint")
    idp.trouble = None
    assert discovery.endpoint("token_endpoint") == f"{idp.issuer}/token"
    idp.document = {"token_endpoint": f"{idp.issuer}/moved"}
    assert discovery.endpoint("token_endpoint") == f"{idp.issuer}/token"
    discovery.doubt()
    assert discovery.endpoint("token_endpoint") == f"{idp.issuer}/moved"


def test_it_is_read_again_when_it_is_old_and_kept_when_that_fails(
    discovery: Discovery, idp: FakeIdp, clock: Clock
) -> None:
    discovery.endpoints()
    clock.sleep(3601)
    idp.trouble = "down"
    assert discovery.endpoint("token_endpoint") == f"{idp.issuer}/token"
    assert idp.count(DOCUMENT) == 2


def test_what_it_does_not_name_there_is_not(discovery: Discovery, idp: FakeIdp) -> None:
    idp.document = {"device_authorization_endpoint": None}
    with pytest.raises(IdentityProviderError, match="names no device_authorization_endpoint"):
        discovery.endpoint("device_authorization_endpoint")
