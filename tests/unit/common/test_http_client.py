from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.fakes.idp import FakeIdp, Trouble

from sqe.common.http_client import Answer, WebClient, is_loopback_url, is_plain_text
from sqe.errors import ConfigError, IdentityProviderError


@pytest.mark.parametrize("trouble", ["down", "huge", "redirect"])
def test_whatever_goes_wrong_is_silence(idp: FakeIdp, web: WebClient, trouble: Trouble) -> None:
    idp.trouble = trouble
    with pytest.raises(IdentityProviderError) as caught:
        web.get(f"{idp.issuer}/keys")
    assert caught.value.message == "The identity provider does not answer."
    assert idp.issuer in str(caught.value.detail)


def test_it_does_not_wait_for_ever(idp: FakeIdp) -> None:
    idp.trouble = "slow"
    web = WebClient(0.2)
    began = time.monotonic()
    with pytest.raises(IdentityProviderError, match="does not answer"):
        web.get(f"{idp.issuer}/keys")
    assert time.monotonic() - began < 60
    web.close()


def test_nothing_is_unpacked(idp: FakeIdp, web: WebClient) -> None:
    idp.trouble = "packed"
    answer = web.get(f"{idp.issuer}/keys")
    assert len(answer.body) < 1_000_000
    with pytest.raises(IdentityProviderError):
        answer.json()


def test_cookies_do_not_go_from_one_person_to_the_next(idp: FakeIdp, web: WebClient) -> None:
    for _ in range(3):
        web.post(f"{idp.issuer}/token", {"grant_type": "password"})
    assert idp.cookies == []


def test_nobody_there(web: WebClient) -> None:
    with pytest.raises(IdentityProviderError):
        web.get("http://127.0.0.1:9/x")
    with pytest.raises(IdentityProviderError):
        web.get("http://[broken")


def test_a_proxy_is_not_asked_for_this_machine(idp: FakeIdp, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    web = WebClient(60.0)
    assert web.get(f"{idp.issuer}/keys").status == 200
    with pytest.raises(IdentityProviderError):
        web.get("http://192.0.2.1/keys")  # refused by the proxy's port at once: it is not reached directly
    web.close()


def test_secrets_are_not_in_errors(idp: FakeIdp, web: WebClient) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError) as caught:
        web.post(f"{idp.issuer}/token", {"password": "hunter2"}, client=("sqe", "hunter3"))
    assert "hunter" not in f"{caught.value} {caught.value.detail} {caught.value.__cause__}"


def test_after_many_failures_nothing_is_sent(idp: FakeIdp, web: WebClient) -> None:
    idp.trouble = "down"
    for _ in range(20):
        with pytest.raises(IdentityProviderError):
            web.get(f"{idp.issuer}/keys")
    assert len(idp.requests) == 5


def test_only_objects_are_answers() -> None:
    for body in (b"", b"[]", b"<html>", b"\xff", b"[" * 100_000):
        with pytest.raises(IdentityProviderError):
            Answer(200, body).json()
    assert Answer(200, b'{"a": 1}').json() == {"a": 1}
    assert "secret" not in repr(Answer(200, b"secret"))


def test_a_bundle_that_holds_nothing_is_a_setting_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").touch()
    for name in ("empty.pem", "missing.pem"):
        with pytest.raises(ConfigError, match=r"tls\.ca_bundle"):
            WebClient(60.0, tmp_path / name)


def test_what_is_on_this_machine() -> None:
    assert is_loopback_url("http://127.0.0.1:8080/x")
    assert is_loopback_url("http://[::1]/x")
    assert is_loopback_url("http://localhost/x")
    assert not is_loopback_url("http://localhost.example.com/x")
    assert not is_loopback_url("http://127.0.0.1.example.com/x")
    assert not is_loopback_url("http://127.0.0.1@example.com/x")
    assert is_plain_text("http://example.com")
    assert not is_plain_text("https://example.com")
    assert not is_plain_text("http://localhost")
