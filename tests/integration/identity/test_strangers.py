"""Requests to the control endpoint from a program that is not the engine."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator

import httpx
import pytest
from tests.support.identity_server import IdentityTestServer
from tests.support.lakes import Lake

pytestmark = pytest.mark.engine

QUESTIONS = ("/v1/catalog", "/v1/token", "/v1/credentials")


@pytest.fixture(scope="module")
def http(identity_server: IdentityTestServer) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=f"http://127.0.0.1:{identity_server.control_port}", timeout=10, trust_env=False
    ) as client:
        yield client


def ask(
    http: httpx.Client, path: str, handle: str, *, secret: str | None = None, method: str = "POST"
) -> httpx.Response:
    question = {"handle": handle, "catalog": "nessie_vended"}
    headers = {"Authorization": f"Bearer {secret}"} if secret is not None else {}
    return http.request(method, path, json=question, headers=headers)


def handle(session: str, secret: str) -> str:
    return f"{session}.{hmac.new(secret.encode(), session.encode(), hashlib.sha256).hexdigest()}"


@pytest.fixture
def sessions(identity_server: IdentityTestServer, all_orders: Callable[[Lake], str]) -> list[str]:
    """What Spark calls the sessions that there are; alice's is among them."""
    orders = all_orders(Lake(identity_server.stack, identity_server.stack.nessie, "vended"))
    assert identity_server.person("alice").flight(f"SELECT sum(id) FROM {orders}") == [(6,)]
    return identity_server.generated("session")[-10:]


@pytest.mark.parametrize("path", QUESTIONS)
def test_who_does_not_know_the_secret_gets_nothing(
    http: httpx.Client, sessions: list[str], path: str
) -> None:
    guessed = secrets.token_urlsafe(32)
    for session in sessions:
        for secret in (None, "x", guessed):
            answer = ask(http, path, handle(session, guessed), secret=secret)
            assert answer.status_code == 421
            assert answer.json() == {"error": "The gateway does not know this engine: it has another secret."}


@pytest.mark.parametrize("path", QUESTIONS)
def test_who_knows_it_still_has_to_prove_whose_session_it_is(
    identity_server: IdentityTestServer, http: httpx.Client, sessions: list[str], path: str
) -> None:
    """With the true secret, as nobody but the engine has it, and the name of a session that is not the one proved."""
    made_here = {
        made for made in identity_server.generated("secret") if len(made) == len(secrets.token_urlsafe(32))
    }
    [secret] = [made for made in made_here if ask(http, path, "", secret=made).status_code != 421]
    for session in sessions:
        for forged in (session, f"{session}.", handle(session, "another"), handle(session.upper(), secret)):
            answer = ask(http, path, forged, secret=secret)
            assert answer.status_code == 404
            assert answer.json() == {"error": "The session is not known."}


def test_nothing_else_is_answered(http: httpx.Client) -> None:
    assert ask(http, "/v1/token", "", method="GET").status_code == 405
    assert ask(http, "/", "").status_code == 404
    assert ask(http, "/v1/tokens", "").status_code == 404
