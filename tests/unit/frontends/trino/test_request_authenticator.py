from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from tests.support.trino_door import Door, Passwords

from sqe.identity.chain import Authenticator
from sqe.identity.providers.anonymous import Anonymous

NUMBERS = "SELECT fake('rows 3')"


def basic(user: str, secret: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()}


@pytest.fixture
def locked(make_door: Callable[..., Door]) -> Door:
    door = make_door(Authenticator([Passwords({"ann": "right"})]))
    door.headers = {}
    return door


def test_without_credentials_nobody_gets_in(locked: Door) -> None:
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


def test_wrong_credentials(locked: Door) -> None:
    for headers in (
        basic("ann", "wrong"),
        basic("bob", "right"),
        {"Authorization": "Basic !!!"},
        {"Authorization": "Magic x"},
        {"Authorization": "Bearer nothing"},
    ):
        assert locked.post(NUMBERS, headers).status_code == 401
    assert locked.engine.sessions == []


def test_right_credentials(locked: Door) -> None:
    locked.headers = basic("ann", "right")
    assert locked.rows(NUMBERS) == [[0], [1], [2]]
    assert locked.rows(NUMBERS, {"X-Trino-User": "ann"}) == [[0], [1], [2]]


def test_nobody_acts_as_another(locked: Door) -> None:
    response = locked.post(NUMBERS, {**basic("ann", "right"), "X-Trino-User": "bob"})
    assert response.status_code == 403
    assert response.text == "Access Denied: User ann cannot impersonate user bob"


def test_a_certificate_is_a_credential(make_door: Callable[..., Door]) -> None:
    from sqe.identity.providers.mtls import Mtls

    door = make_door(Authenticator([Mtls(groups_from_ou=True)]))
    door.headers = {}
    inner = door.app

    async def with_certificate(scope, receive, send):  # type: ignore[no-untyped-def]
        scope.setdefault("extensions", {})["sqe.certificate"] = {"subject": ((("commonName", "carl"),),)}
        await inner(scope, receive, send)

    assert door.post(NUMBERS).status_code == 401
    door.app = with_certificate  # type: ignore[assignment]
    assert door.rows(NUMBERS) == [[0], [1], [2]]
    assert door.engine.sessions[0].user == "carl"
    assert door.post(NUMBERS, {"X-Trino-User": "bob"}).status_code == 403


def test_an_anonymous_name_is_only_a_label(make_door: Callable[..., Door]) -> None:
    door = make_door(Authenticator([Anonymous(any_name=True)]))
    door.headers = {}
    door.rows(NUMBERS, {"X-Trino-User": "dora"})
    door.rows(NUMBERS)
    assert [session.user for session in door.engine.sessions] == ["dora", "anonymous"]
    assert door.post(NUMBERS, {"X-Trino-User": "a b"}).status_code == 401


def test_pages_of_others_in_a_browser_cannot_do_anything(door: Door) -> None:
    assert door.post(NUMBERS, {"Origin": "http://evil.example"}).status_code == 403
    assert door.post(NUMBERS, {"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert door.send("GET", "/v1/query", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert door.send("GET", "/ui", headers=link).status_code == 200
    assert door.send("GET", "/ui", headers={"Sec-Fetch-Site": "none"}).status_code == 200
    assert door.engine.sessions == []


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
def test_a_name_that_somebody_pointed_here_is_not_ours(door: Door, host: str, status: int) -> None:
    assert door.send("GET", "/v1/query", headers={"Host": host}).status_code == status


def test_with_credentials_any_name_is_good(locked: Door) -> None:
    headers = {**basic("ann", "right"), "Host": "sqe.example.org"}
    assert locked.send("GET", "/v1/query", headers=headers).status_code == 200
