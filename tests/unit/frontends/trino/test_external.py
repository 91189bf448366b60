from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import trino.auth
from tests.fakes.engine import FakeEngine
from tests.fakes.idp_interactive import InteractiveIdp
from tests.support.trino_front_end import LIMITS, SPEC, Passwords, TrinoFrontEnd, settings

from sqe.config.sections.token_exchange import TokenExchangeConfig
from sqe.frontends.trino import external as pages
from sqe.frontends.trino.app import trino_app
from sqe.frontends.trino.settings import networks
from sqe.identity.chain import Authenticator
from sqe.identity.logins.external import ExternalLogins
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.logins.store import Logins
from sqe.identity.oidc.client import OidcClient
from sqe.identity.provider_http import provider_http_client
from sqe.service.contexts import ContextSessions
from sqe.service.service import QueryService

BASE = "https://sqe.example:8443"


@pytest.fixture
def idp() -> Iterator[InteractiveIdp]:
    with InteractiveIdp() as made:
        yield made


@pytest.fixture
def external(idp: InteractiveIdp) -> Iterator[ExternalLogins]:
    web = provider_http_client(60.0)
    client = OidcClient(idp.config(), TokenExchangeConfig(), web)
    logins = Logins(ahead=60, lifetime=9999, idle=9999, at_most=99, on_end=_ignore, observe=_ignore)
    tokens = SessionTokens(3600, 3600)
    made = ExternalLogins(OidcLogins(client, logins), tokens)
    yield made
    logins.close()
    client.close()


@pytest.fixture
def make(external: ExternalLogins, loop: asyncio.AbstractEventLoop) -> Iterator[Callable[..., TrinoFrontEnd]]:
    services: list[QueryService] = []

    def make(**changes: Any) -> TrinoFrontEnd:
        engine = FakeEngine()
        service = QueryService(engine, LIMITS)
        services.append(service)
        contexts = ContextSessions(service, SPEC, front_end="trino", idle_limit=60)
        chain = Authenticator([external._tokens, Passwords({"carol": "c-pw"})])
        app = trino_app(service, contexts, chain, settings=settings(**changes), external=external)
        return TrinoFrontEnd(engine, service, app, loop, base=BASE, headers={})

    yield make
    for service in services:
        service.drain(0)


@pytest.fixture
def front_end(make: Callable[..., TrinoFrontEnd]) -> TrinoFrontEnd:
    return make()


@dataclass(frozen=True)
class Challenge:
    redirect: str
    token: str


def _challenge(response: httpx.Response) -> Challenge:
    assert response.status_code == 401
    header = response.headers["www-authenticate"]
    found = re.search(r'Bearer x_redirect_server="([^",]+)", x_token_server="([^",]+)"', header)
    assert found is not None, header
    return Challenge(found[1], found[2])


@dataclass(frozen=True)
class Started:
    url: str
    cookie: str  # as a browser sends it
    attributes: str


def _initiate(front_end: TrinoFrontEnd, challenge: Challenge) -> Started:
    response = front_end.send("GET", challenge.redirect)
    assert response.status_code == 302
    cookie, _, attributes = response.headers["set-cookie"].partition("; ")
    return Started(response.headers["location"], cookie, attributes)


def _come_back(
    front_end: TrinoFrontEnd, started: Started, query: dict[str, str], cookie: str | None = None
) -> httpx.Response:
    address = str(httpx.URL(parse_qs(urlsplit(started.url).query)["redirect_uri"][0], params=query))
    return front_end.send("GET", address, headers={"Cookie": started.cookie if cookie is None else cookie})


def test_a_client_without_credentials_is_told_how_to_get_them(front_end: TrinoFrontEnd) -> None:
    response = front_end.post("SELECT 1")
    challenge = _challenge(response)
    assert response.headers["www-authenticate"].startswith('Basic realm="Trino", Bearer x_redirect')
    assert re.fullmatch(BASE + r"/oauth2/token/initiate/[0-9a-f]{64}", challenge.redirect)
    assert re.fullmatch(BASE + r"/oauth2/token/[A-Za-z0-9_.\-]+", challenge.token)


def test_a_client_with_an_old_token_is_told_too(front_end: TrinoFrontEnd) -> None:
    _challenge(front_end.post("SELECT 1", {"Authorization": "Bearer sqe_old"}))


def test_without_external_logins_there_is_no_such_thing(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(Authenticator([Passwords({})]))
    assert "x_token_server" not in front_end.post("SELECT 1").headers["www-authenticate"]
    assert front_end.send("GET", "/oauth2/callback").status_code == 404


def test_a_person_logs_in_and_the_client_queries(front_end: TrinoFrontEnd, idp: InteractiveIdp) -> None:
    challenge = _challenge(front_end.post("SELECT 1"))
    started = _initiate(front_end, challenge)
    page = _come_back(front_end, started, dict(idp.authorize(started.url, "alice")))
    assert page.status_code == 200
    assert "Logged in as alice" in page.text
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    answer = front_end.send("GET", challenge.token)
    assert answer.headers["cache-control"] == "no-store"
    bearer = {"Authorization": f"Bearer {answer.json()['token']}"}
    assert answer.json()["token"].startswith("sqe_")
    assert front_end.post("SELECT 1", bearer).status_code == 200
    [query] = front_end.service.queries("alice")
    assert query.user == "alice"
    assert front_end.send("GET", challenge.token).json() == {"error": "The token was fetched already."}
    assert front_end.send("DELETE", challenge.token).text == "Authentication deleted"
    assert front_end.post("SELECT 1", bearer).status_code == 200  # that ended the exchange, not the login


def test_a_token_is_for_its_own_user_only(front_end: TrinoFrontEnd, idp: InteractiveIdp) -> None:
    challenge = _challenge(front_end.post("SELECT 1"))
    started = _initiate(front_end, challenge)
    _come_back(front_end, started, dict(idp.authorize(started.url, "alice")))
    token = front_end.send("GET", challenge.token).json()["token"]
    response = front_end.post("SELECT 1", {"Authorization": f"Bearer {token}", "X-Trino-User": "bob"})
    assert response.status_code == 403


def test_a_client_waits_for_the_person(front_end: TrinoFrontEnd, idp: InteractiveIdp) -> None:
    challenge = _challenge(front_end.post("SELECT 1"))
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(front_end.send("GET", challenge.token).json()))
    thread.start()
    started = _initiate(front_end, challenge)
    _come_back(front_end, started, dict(idp.authorize(started.url, "alice")))
    thread.join(120)
    assert list(answers[0]) == ["token"]


def test_a_client_is_told_to_ask_again(front_end: TrinoFrontEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_POLL_SECONDS", 0.1)
    challenge = _challenge(front_end.post("SELECT 1"))
    assert front_end.send("GET", challenge.token).json() == {"nextUri": challenge.token}


def test_a_client_that_has_gone_takes_no_token(
    front_end: TrinoFrontEnd, idp: InteractiveIdp, loop: asyncio.AbstractEventLoop
) -> None:
    challenge = _challenge(front_end.post("SELECT 1"))

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    path = urlsplit(challenge.token).path
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "scheme": "https",
        "headers": [(b"host", b"sqe.example")],
        "client": ("127.0.0.1", 1),
        "server": ("sqe.example", 443),
    }
    asyncio.run_coroutine_threadsafe(front_end.app(scope, receive, send), loop).result(
        pages._POLL_SECONDS / 2
    )
    started = _initiate(front_end, challenge)
    _come_back(front_end, started, dict(idp.authorize(started.url, "alice")))
    assert list(front_end.send("GET", challenge.token).json()) == ["token"]


def test_too_many_clients_that_wait_are_sent_away(
    front_end: TrinoFrontEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_WAITING", 0)
    response = front_end.send("GET", _challenge(front_end.post("SELECT 1")).token)
    assert response.status_code == 503  # Trino's clients try again
    assert response.headers["retry-after"] == "1"


def test_the_cookie_is_for_this_login_only(front_end: TrinoFrontEnd) -> None:
    first, second = (_initiate(front_end, _challenge(front_end.post("SELECT 1"))) for _ in range(2))
    name, _, value = first.cookie.partition("=")
    assert name.startswith("__Secure-sqe-login-")
    assert name != second.cookie.partition("=")[0]
    assert value not in first.url
    attributes = set(first.attributes.lower().split("; "))
    assert {"httponly", "secure", "samesite=lax", "path=/oauth2/callback", "max-age=900"} <= attributes


def test_another_browser_cannot_come_back(front_end: TrinoFrontEnd, idp: InteractiveIdp) -> None:
    """A link that somebody made with an own login logs nobody in: the browser has no cookie for it."""
    challenge = _challenge(front_end.post("SELECT 1"))
    started = _initiate(front_end, challenge)
    query = dict(idp.authorize(started.url, "alice"))
    name = started.cookie.partition("=")[0]
    for cookie in ("", f"{name}=guessed", _initiate(front_end, challenge).cookie):
        page = _come_back(front_end, started, query, cookie)
        assert page.status_code == 400
        assert "unknown or has timed out" in page.text
    assert _come_back(front_end, started, query).status_code == 200


def test_a_person_who_denies_it(front_end: TrinoFrontEnd) -> None:
    challenge = _challenge(front_end.post("SELECT 1"))
    started = _initiate(front_end, challenge)
    state = parse_qs(urlsplit(started.url).query)["state"][0]
    query = {"state": state, "error": "access_denied", "error_description": "<script>x</script>"}
    page = _come_back(front_end, started, query)
    assert page.status_code == 400
    assert "The login was denied." in page.text
    assert "<script" not in page.text
    assert front_end.send("GET", challenge.token).json() == {"error": "The login was denied."}


@pytest.mark.parametrize(
    "address",
    [
        "/oauth2/callback",
        "/oauth2/callback?state=x&code=y",
        "/oauth2/callback?state=a.b.c.d&error=access_denied",
        "/oauth2/token/initiate/" + "0" * 63,
        "/oauth2/token/initiate/%3Cscript%3E",
    ],
)
def test_addresses_that_nobody_was_given(front_end: TrinoFrontEnd, address: str) -> None:
    response = front_end.send("GET", address)
    assert response.status_code == 400
    assert "This login is unknown or has timed out." in response.text
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize("name", ["x", "a.b.c", "%F0%9F%98%80", "0.x." + "0" * 64])
def test_ids_that_nobody_was_given(front_end: TrinoFrontEnd, name: str) -> None:
    answer = front_end.send("GET", f"/oauth2/token/{name}")
    assert answer.json() == {"error": "This login is unknown or has timed out."}
    assert front_end.send("DELETE", f"/oauth2/token/{name}").status_code == 200


def test_a_silent_identity_provider_is_told_of(front_end: TrinoFrontEnd, idp: InteractiveIdp) -> None:
    idp.trouble = "down"
    page = front_end.send("GET", _challenge(front_end.post("SELECT 1")).redirect)
    assert page.status_code == 503
    assert "The identity provider does not answer." in page.text


def test_the_configured_address_is_used(make: Callable[..., TrinoFrontEnd], idp: InteractiveIdp) -> None:
    front_end = make(external_url="https://public.example/sqe/")
    challenge = _challenge(front_end.post("SELECT 1"))
    assert challenge.redirect.startswith("https://public.example/sqe/oauth2/token/initiate/")
    inside = Challenge(challenge.redirect.replace("https://public.example/sqe", BASE), challenge.token)
    started = _initiate(front_end, inside)
    redirect = parse_qs(urlsplit(started.url).query)["redirect_uri"]
    assert redirect == ["https://public.example/sqe/oauth2/callback"]
    assert "path=/sqe/oauth2/callback" in started.attributes.lower()


def test_a_trusted_proxy_tells_the_address(make: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make(trusted_proxies=networks(("127.0.0.1",)))
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "public.example"}
    challenge = _challenge(front_end.post("SELECT 1", forwarded))
    assert challenge.token.startswith("https://public.example/oauth2/token/")
    front_end.peer = ("10.1.2.3", 5000)
    assert _challenge(front_end.post("SELECT 1", forwarded)).token.startswith(BASE)


def test_without_tls_the_cookie_has_a_plain_name(front_end: TrinoFrontEnd, idp: InteractiveIdp) -> None:
    front_end.base = "http://localhost:8080"
    started = _initiate(front_end, _challenge(front_end.post("SELECT 1")))
    assert started.cookie.startswith("sqe-login-")
    assert "; secure" not in started.attributes.lower()
    assert _come_back(front_end, started, dict(idp.authorize(started.url, "alice"))).status_code == 200


def test_trinos_python_client_reads_the_challenge(front_end: TrinoFrontEnd) -> None:
    response = front_end.post("SELECT 1")
    fields = trino.auth._OAuth2TokenBearer._parse_authenticate_header(response.headers["www-authenticate"])
    assert fields["bearer x_redirect_server"].startswith(BASE)
    assert fields["x_token_server"].startswith(BASE)


def _ignore(*_: object) -> None:
    pass
