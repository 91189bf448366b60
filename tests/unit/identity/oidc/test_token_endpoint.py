from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from tests.fakes.idp import CLIENT, CLIENT_SECRET, SERVICE, SERVICE_SECRET, FakeIdp, Trouble
from tests.support.clock import Clock

from sqe.common.http_client import HttpClient
from sqe.errors import IdentityProviderError
from sqe.identity.oidc.discovery import Discovery
from sqe.identity.oidc.token_endpoint import OAuthRefusal, TokenEndpoint

ALICE = {"grant_type": "password", "username": "alice", "password": "a-pw"}


@pytest.fixture
def discovery(idp: FakeIdp, web: HttpClient, clock: Clock) -> Discovery:
    return Discovery(idp.issuer, web, {}, clock)


@pytest.fixture
def endpoint(web: HttpClient, discovery: Discovery, clock: Clock) -> TokenEndpoint:
    return TokenEndpoint(web, discovery, CLIENT, CLIENT_SECRET, clock)


def test_tokens(endpoint: TokenEndpoint, idp: FakeIdp, clock: Clock) -> None:
    tokens = endpoint.tokens(ALICE)
    assert tokens.access.count(".") == 2
    assert tokens.expires_at == clock() + 300
    assert tokens.refresh
    assert tokens.refresh_expires_at == clock() + 1800


def test_the_clients_secret_is_in_a_header(endpoint: TokenEndpoint, idp: FakeIdp) -> None:
    endpoint.tokens({**ALICE, "scope": None})
    [form] = [form for path, form in idp.requests if path.endswith("/token")]
    assert form == ALICE
    assert CLIENT_SECRET not in repr(endpoint)


def test_a_public_client_gives_its_name(web: HttpClient, discovery: Discovery, idp: FakeIdp) -> None:
    with pytest.raises(OAuthRefusal):  # the fake one wants a secret
        TokenEndpoint(web, discovery, "public", None).tokens(ALICE)
    assert idp.requests[-1][1]["client_id"] == "public"


def test_another_client_than_ours(endpoint: TokenEndpoint, caplog: pytest.LogCaptureFixture) -> None:
    form = {"grant_type": "client_credentials"}
    tokens = endpoint.tokens(form, (SERVICE, SERVICE_SECRET))
    assert tokens.refresh is None
    assert tokens.refresh_expires_at is None
    with pytest.raises(OAuthRefusal):
        endpoint.tokens(form, (SERVICE, "wrong"))
    assert "check [oidc]" not in caplog.text  # it is not ours


def test_a_refusal_has_its_reason_for_the_log_only(
    endpoint: TokenEndpoint, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "sqe"), pytest.raises(OAuthRefusal) as caught:
        endpoint.tokens({**ALICE, "password": "hunter2"})
    error = caught.value.as_error("No.")
    assert error.to_dict()["message"] == "No."
    assert "invalid_grant: Invalid user credentials" in str(error.detail)
    assert "hunter2" not in f"{error.detail} {caplog.text}"


def test_a_refusal_of_this_server_is_logged_as_such(
    web: HttpClient, discovery: Discovery, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(OAuthRefusal) as caught:
        TokenEndpoint(web, discovery, CLIENT, "old secret").tokens(ALICE)
    assert caught.value.ours
    assert "check [oidc]" in caplog.text


@pytest.mark.parametrize("trouble", ["down", "nonsense", "huge", "redirect"])
def test_no_answer_is_not_a_refusal(endpoint: TokenEndpoint, idp: FakeIdp, trouble: Trouble) -> None:
    idp.trouble, idp.trouble_at = trouble, frozenset({"token"})
    with pytest.raises(IdentityProviderError):
        endpoint.tokens(ALICE)
    idp.trouble = None
    assert endpoint.tokens(ALICE).refresh


def test_after_a_failure_the_endpoint_is_looked_up_again(endpoint: TokenEndpoint, idp: FakeIdp) -> None:
    endpoint.tokens(ALICE)
    idp.trouble, idp.trouble_at = "nonsense", frozenset({"token"})
    with pytest.raises(IdentityProviderError):
        endpoint.tokens(ALICE)
    idp.trouble = None
    endpoint.tokens(ALICE)
    assert idp.count("openid-configuration") == 2


class Answering(FakeIdp):
    """Says what it is told to say at the token endpoint."""

    said: tuple[int, Any] = (200, {})

    def answer(self, path: str, form: Mapping[str, str], client: tuple[str, str] | None) -> tuple[int, Any]:
        return self.said if path.endswith("/token") else super().answer(path, form, client)


@pytest.mark.parametrize(
    "said",
    [
        (200, {}),
        (200, {"access_token": "x"}),
        (200, {"access_token": "", "token_type": "Bearer"}),
        (200, {"access_token": ["x"], "token_type": "Bearer"}),
        (200, {"access_token": "é", "token_type": "Bearer"}),
        (200, {"access_token": "x" * 100_000, "token_type": "Bearer"}),
        (200, {"access_token": "x", "token_type": "MAC"}),
        (200, {"access_token": "x", "token_type": "Bearer", "expires_in": "soon"}),
        (200, {"access_token": "x", "token_type": "Bearer", "expires_in": -1}),
        (200, {"access_token": "x", "token_type": "Bearer", "expires_in": [1]}),
        (200, {"access_token": "x", "token_type": "Bearer", "expires_in": float("inf")}),
        (200, {"access_token": "x", "token_type": "Bearer", "refresh_token": 7}),
        (201, {"access_token": "x", "token_type": "Bearer"}),
        (404, {"message": "no such page"}),
        (400, {"error": ""}),
        (400, {"error": {"code": 1}}),
        (400, {"error": "server_error"}),
        (503, {"error": "invalid_grant"}),
        (429, {"error": "invalid_grant"}),
    ],
    ids=lambda said: json.dumps(said)[:60],
)
def test_answers_that_make_no_sense(clock: Clock, web: HttpClient, said: tuple[int, Any]) -> None:
    with Answering(clock) as idp:
        idp.said = said
        endpoint = TokenEndpoint(web, Discovery(idp.issuer, web, {}), CLIENT, CLIENT_SECRET, clock)
        with pytest.raises(IdentityProviderError):
            endpoint.tokens(ALICE)


def test_answers_that_leave_things_out(clock: Clock, web: HttpClient) -> None:
    with Answering(clock) as idp:
        endpoint = TokenEndpoint(web, Discovery(idp.issuer, web, {}), CLIENT, CLIENT_SECRET, clock)
        idp.said = (200, {"access_token": "x", "token_type": "bearer"})
        assert endpoint.tokens(ALICE).expires_at == clock() + 60
        more = {"expires_in": "120", "refresh_token": "r", "refresh_expires_in": 0}
        idp.said = (200, {**idp.said[1], **more})
        tokens = endpoint.tokens(ALICE)
        assert tokens.expires_at == clock() + 120
        assert tokens.refresh_expires_at is None
        idp.said = (400, {"error": "invalid\nforged line", "error_description": "a\n\x1b[31mb" * 1000})
        with pytest.raises(OAuthRefusal) as caught:
            endpoint.tokens(ALICE)
        assert caught.value.detail.isprintable()
        assert len(caught.value.detail) < 400
