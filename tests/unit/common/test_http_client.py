from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.fakes.idp import FakeIdp, Trouble

from sqe.common.circuit_breaker import CircuitBreaker
from sqe.common.http_client import HttpClient, Response
from sqe.errors import ConfigError, IdentityProviderError, PolicyUnavailableError
from sqe.identity.provider_http import provider_http_client as client


@pytest.mark.parametrize("trouble", ["down", "huge", "redirect"])
def test_whatever_goes_wrong_is_silence(idp: FakeIdp, web: HttpClient, trouble: Trouble) -> None:
    idp.trouble = trouble
    with pytest.raises(IdentityProviderError) as caught:
        web.get(f"{idp.issuer}/keys")
    assert caught.value.message == "The identity provider does not answer."
    assert idp.issuer in str(caught.value.detail)


def test_it_does_not_wait_for_ever(idp: FakeIdp) -> None:
    idp.trouble = "slow"
    web = client(0.2)
    with pytest.raises(IdentityProviderError, match="does not answer") as caught:
        web.get(f"{idp.issuer}/keys")
    assert "Timeout" in str(caught.value.detail)
    web.close()


def test_nothing_is_unpacked(idp: FakeIdp, web: HttpClient) -> None:
    idp.trouble = "packed"
    response = web.get(f"{idp.issuer}/keys")
    assert response.body.startswith(b"\x1f\x8b")
    assert len(response.body) < 1_000_000


def test_cookies_do_not_go_from_one_person_to_the_next(idp: FakeIdp, web: HttpClient) -> None:
    for _ in range(3):
        web.post(f"{idp.issuer}/token", {"grant_type": "password"})
    assert idp.cookies == []


def test_nobody_there(web: HttpClient) -> None:
    with pytest.raises(IdentityProviderError):
        web.get("http://127.0.0.1:9/x")
    with pytest.raises(IdentityProviderError):
        web.get("http://[broken")


def test_a_proxy_is_not_asked_for_this_machine(idp: FakeIdp, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    web = client(60.0)
    assert web.get(f"{idp.issuer}/keys").status == 200
    with pytest.raises(IdentityProviderError):
        web.get("http://192.0.2.1/keys")  # refused by the proxy's port at once: it is not reached directly
    web.close()


def test_secrets_are_not_in_errors(idp: FakeIdp, web: HttpClient) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError) as caught:
        web.post(f"{idp.issuer}/token", {"password": "hunter2"}, client=("sqe", "hunter3"))
    assert "hunter" not in f"{caught.value} {caught.value.detail} {caught.value.__cause__}"


def test_after_many_failures_nothing_is_sent(idp: FakeIdp, web: HttpClient) -> None:
    idp.trouble = "down"
    for _ in range(20):
        with pytest.raises(IdentityProviderError):
            web.get(f"{idp.issuer}/keys")
    assert len(idp.requests) == 5


def test_what_is_shown_of_a_response() -> None:
    assert "secret" not in repr(Response(200, b"secret"))


def test_a_bundle_that_holds_nothing_is_a_setting_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").touch()
    for name in ("empty.pem", "missing.pem"):
        with pytest.raises(ConfigError, match=r"tls\.ca_bundle"):
            client(1.0, ca_bundle=tmp_path / name)


def test_the_error_is_the_callers(idp: FakeIdp) -> None:
    idp.trouble = "down"
    breaker = CircuitBreaker(PolicyUnavailableError, "No policy engine answers.")
    web = HttpClient(60.0, breaker, lambda detail: PolicyUnavailableError("It is down.", detail=detail))
    with pytest.raises(PolicyUnavailableError, match=r"It is down\."):
        web.get(f"{idp.issuer}/keys")
    web.close()


def test_a_password_in_an_address_is_not_in_errors(web: HttpClient) -> None:
    with pytest.raises(IdentityProviderError) as caught:
        web.get("http://sqe:hunter2@127.0.0.1:9/x?key=hunter3")
    assert "http://127.0.0.1:9/x: ConnectError" in str(caught.value.detail)
    assert "hunter" not in str(caught.value.detail)


def test_a_deadline_that_has_passed(idp: FakeIdp, web: HttpClient) -> None:
    with pytest.raises(IdentityProviderError):
        web.send("GET", f"{idp.issuer}/keys", headers={}, deadline=time.monotonic() - 1)
    assert idp.requests == []
