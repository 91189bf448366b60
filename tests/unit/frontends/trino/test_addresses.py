from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.support.trino_front_end import TrinoFrontEnd

from sqe.frontends.trino.settings import networks

WAIT = "SELECT fake('wait')"
FORWARDED = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "sqe.example.org",
    "X-Forwarded-Port": "8443",
    "X-Forwarded-Prefix": "/trino/",
}


def next_uri(front_end: TrinoFrontEnd, headers: dict[str, str]) -> str:
    response = front_end.post(WAIT, headers)
    front_end.engine.released.set()
    assert response.status_code == 200, response.text
    return str(response.json()["infoUri"]).partition("/ui/")[0]


def test_addresses_come_from_the_host_header(front_end: TrinoFrontEnd) -> None:
    assert next_uri(front_end, {"Host": "127.0.0.1:9999"}) == "http://127.0.0.1:9999"
    assert next_uri(front_end, {"Host": "[::1]:80"}) == "http://[::1]:80"


def trusting(make_front_end: Callable[..., TrinoFrontEnd], *texts: str) -> TrinoFrontEnd:
    from tests.support.trino_front_end import Passwords

    from sqe.identity.chain import Authenticator

    front_end = make_front_end(Authenticator([Passwords({"ann": "a"})]), trusted_proxies=networks(texts))
    front_end.headers = {"Authorization": "Basic YW5uOmE="}
    return front_end


def test_a_stranger_cannot_say_how_it_was_forwarded(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = trusting(make_front_end, "10.0.0.0/8")
    assert next_uri(front_end, FORWARDED) == "http://localhost:8080"


@pytest.mark.parametrize("peer", ["10.1.2.3", "::ffff:10.1.2.3"])
def test_a_trusted_proxy_can(make_front_end: Callable[..., TrinoFrontEnd], peer: str) -> None:
    front_end = trusting(make_front_end, "10.0.0.0/8", "fd00::/8")
    front_end.peer = (peer, 1)
    assert next_uri(front_end, FORWARDED) == "https://sqe.example.org:8443/trino"
    assert next_uri(front_end, {**FORWARDED, "X-Forwarded-Port": "443"}) == "https://sqe.example.org/trino"
    chain = {"X-Forwarded-Proto": "https, http", "X-Forwarded-Host": "sqe.example.org, inner"}
    assert next_uri(front_end, chain) == "https://sqe.example.org"
    assert next_uri(front_end, {}) == "http://localhost:8080"
    whole = {**FORWARDED, "X-Forwarded-Host": "sqe.example.org:1"}
    assert next_uri(front_end, whole) == "https://sqe.example.org:1/trino"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-Proto": "javascript"},
        {"X-Forwarded-Host": "evil/path"},
        {"X-Forwarded-Port": "http"},
        {"X-Forwarded-Prefix": "/a b"},
        {"Host": "a@b"},
    ],
)
def test_nothing_odd_gets_into_an_address(
    make_front_end: Callable[..., TrinoFrontEnd], headers: dict[str, str]
) -> None:
    front_end = trusting(make_front_end, "127.0.0.1")
    assert front_end.post(WAIT, headers).status_code == 400


def test_whoever_speaks_for_others_is_not_on_this_machine(front_end: TrinoFrontEnd) -> None:
    assert front_end.send("HEAD", "/v1/statement").status_code == 200
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        assert front_end.send("HEAD", "/v1/statement", headers={name: "for=1.2.3.4"}).status_code == 401
    front_end.peer = ("192.0.2.1", 1)
    assert front_end.send("HEAD", "/v1/statement").status_code == 401
