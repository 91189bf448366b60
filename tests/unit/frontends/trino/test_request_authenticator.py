from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from tests.support.trino_front_end import Passwords, TrinoFrontEnd

from sqe.identity.chain import Authenticator
from sqe.identity.providers.anonymous import Anonymous

NUMBERS = "SELECT fake('rows 3')"


def basic(user: str, secret: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()}


@pytest.fixture
def locked(make_front_end: Callable[..., TrinoFrontEnd]) -> TrinoFrontEnd:
    front_end = make_front_end(Authenticator([Passwords({"ann": "right"})]))
    front_end.headers = {}
    return front_end


def test_without_credentials_nobody_gets_in(locked: TrinoFrontEnd) -> None:
    for method, path in [
        ("POST", "/v1/statement"),
        ("HEAD", "/v1/statement"),
        ("GET", "/v1/query"),
        ("GET", "/v1/status"),
        ("GET", "/ui"),
        ("GET", "/ui/query.html?x"),
        ("GET", "/v1/statement/queued/q/s/1"),
        ("DELETE", "/v1/statement/executing/q/s/1"),
    ]:
        response = locked.send(method, path, b"SELECT 1" if method == "POST" else None)
        assert response.status_code == 401, path
        assert response.headers["WWW-Authenticate"].startswith("Basic")
    assert locked.send("GET", "/v1/info").status_code == 200


def test_wrong_credentials(locked: TrinoFrontEnd) -> None:
    for headers in (
        basic("ann", "wrong"),
        basic("bob", "right"),
        {"Authorization": "Basic !!!"},
        {"Authorization": "Magic x"},
        {"Authorization": "Bearer nothing"},
    ):
        assert locked.post(NUMBERS, headers).status_code == 401
    assert locked.engine.sessions == []


def test_right_credentials(locked: TrinoFrontEnd) -> None:
    locked.headers = basic("ann", "right")
    assert locked.rows(NUMBERS) == [[0], [1], [2]]
    assert locked.rows(NUMBERS, {"X-Trino-User": "ann"}) == [[0], [1], [2]]


def test_nobody_acts_as_another(locked: TrinoFrontEnd) -> None:
    response = locked.post(NUMBERS, {**basic("ann", "right"), "X-Trino-User": "bob"})
    assert response.status_code == 403
    assert response.text == "Access Denied: User ann cannot impersonate user bob"


def test_a_certificate_is_a_credential(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    from sqe.identity.providers.mtls import Mtls

    front_end = make_front_end(Authenticator([Mtls(groups_from_ou=True)]))
    front_end.headers = {}
    inner = front_end.app

    async def with_certificate(scope, receive, send):  # type: ignore[no-untyped-def]
        scope.setdefault("extensions", {})["sqe.certificate"] = {"subject": ((("commonName", "carl"),),)}
        await inner(scope, receive, send)

    assert front_end.post(NUMBERS).status_code == 401
    front_end.app = with_certificate  # type: ignore[assignment]
    assert front_end.rows(NUMBERS) == [[0], [1], [2]]
    assert front_end.engine.sessions[0].user == "carl"
    assert front_end.post(NUMBERS, {"X-Trino-User": "bob"}).status_code == 403


def test_an_anonymous_name_is_only_a_label(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(Authenticator([Anonymous(any_name=True)]))
    front_end.headers = {}
    front_end.rows(NUMBERS, {"X-Trino-User": "dora"})
    front_end.rows(NUMBERS)
    assert [session.user for session in front_end.engine.sessions] == ["dora", "anonymous"]
    assert front_end.post(NUMBERS, {"X-Trino-User": "a b"}).status_code == 401


def test_pages_of_others_in_a_browser_cannot_do_anything(front_end: TrinoFrontEnd) -> None:
    assert front_end.post(NUMBERS, {"Origin": "http://evil.example"}).status_code == 403
    assert front_end.post(NUMBERS, {"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert front_end.send("GET", "/v1/query", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert front_end.send("GET", "/ui", headers=link).status_code == 200
    assert front_end.send("GET", "/ui", headers={"Sec-Fetch-Site": "none"}).status_code == 200
    assert front_end.engine.sessions == []


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8080", 200),
        ("127.0.0.1", 200),
        ("[::1]:1", 200),
        ("sqe", 200),
        ("a.localhost", 200),
        ("evil.example", 403),
    ],
)
def test_a_name_that_somebody_pointed_here_is_not_ours(
    front_end: TrinoFrontEnd, host: str, status: int
) -> None:
    assert front_end.send("GET", "/v1/query", headers={"Host": host}).status_code == status


def test_with_credentials_any_name_is_good(locked: TrinoFrontEnd) -> None:
    headers = {**basic("ann", "right"), "Host": "sqe.example.org"}
    assert locked.send("GET", "/v1/query", headers=headers).status_code == 200
