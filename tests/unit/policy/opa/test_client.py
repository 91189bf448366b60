from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fakes.opa import TOKEN, FakeOpa, Trouble
from tests.support.clock import Clock

from sqe.common.circuit_breaker import CircuitBreaker
from sqe.errors import ConfigError, PolicyUnavailableError
from sqe.policy.opa.client import OpaClient
from sqe.policy.opa.response import MESSAGE
from sqe.units import Secret

BODY = b'{"input": {"action": {"operation": "ExecuteQuery"}}}'


@pytest.fixture
def opa() -> Iterator[FakeOpa]:
    with FakeOpa() as opa:
        yield opa


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(clock: Clock) -> Iterator[OpaClient]:
    breaker = CircuitBreaker(PolicyUnavailableError, MESSAGE, clock)
    client = OpaClient(60.0, token=Secret(TOKEN), breaker=breaker)
    yield client
    client.close()


def ask(client: OpaClient, opa: FakeOpa, seconds: float = 60.0) -> object:
    return client.ask(f"{opa.url}/allow", BODY, time.monotonic() + seconds).get("result")


def test_an_answer(opa: FakeOpa, client: OpaClient) -> None:
    assert ask(client, opa) is True
    assert opa.headers[0]["Authorization"] == f"Bearer {TOKEN}"
    assert opa.headers[0]["Content-Type"] == "application/json"


def test_a_connection_is_kept(opa: FakeOpa, client: OpaClient) -> None:
    for _ in range(5):
        ask(client, opa)
    assert len(opa.connections) == 1


@pytest.mark.parametrize(
    "trouble",
    ["down", "half", "nonsense", "list", "deep", "huge", "redirect", "error", "missing", "busy"],
)
def test_whatever_goes_wrong_is_no_answer(opa: FakeOpa, client: OpaClient, trouble: Trouble) -> None:
    opa.trouble = trouble
    with pytest.raises(PolicyUnavailableError) as caught:
        ask(client, opa)
    assert caught.value.message == MESSAGE
    assert caught.value.detail
    assert len(opa.asked) == 1  # nothing is followed, and nothing tried again


@pytest.mark.parametrize("trouble", ["slow", "trickle"])
def test_it_does_not_wait_for_ever(opa: FakeOpa, client: OpaClient, trouble: Trouble) -> None:
    opa.trouble = trouble
    began = time.monotonic()
    with pytest.raises(PolicyUnavailableError):
        ask(client, opa, 0.3)
    assert time.monotonic() - began < 60


def test_nothing_is_asked_when_time_is_up(opa: FakeOpa, client: OpaClient) -> None:
    with pytest.raises(PolicyUnavailableError):
        ask(client, opa, -1)
    assert opa.asked == []


def test_nobody_there(client: OpaClient) -> None:
    with pytest.raises(PolicyUnavailableError):
        client.ask("http://127.0.0.1:9/allow", BODY, time.monotonic() + 60)


def test_secrets_are_not_in_errors(opa: FakeOpa, client: OpaClient) -> None:
    opa.trouble = "down"
    url = opa.url.replace("http://", "http://sqe:hunter2@") + "/allow?key=hunter3"
    with pytest.raises(PolicyUnavailableError) as caught:
        client.ask(url, BODY, time.monotonic() + 60)
    texts = f"{caught.value} {caught.value.detail} {caught.value.__cause__} {caught.value.hint}"
    assert "hunter" not in texts
    assert TOKEN not in texts
    assert "127.0.0.1" in str(caught.value.detail)
    assert "127.0.0.1" not in caught.value.message


def test_after_many_failures_nothing_is_sent_for_a_while(
    opa: FakeOpa, client: OpaClient, clock: Clock
) -> None:
    opa.trouble = "busy"
    for _ in range(10):
        with pytest.raises(PolicyUnavailableError):
            ask(client, opa)
    assert len(opa.asked) == 5
    opa.trouble = None
    clock.sleep(1)
    assert ask(client, opa) is True


def test_a_policy_that_fails_for_one_question_does_not_stop_the_others(
    opa: FakeOpa, client: OpaClient
) -> None:
    opa.trouble = "error"
    for _ in range(10):
        with pytest.raises(PolicyUnavailableError):
            ask(client, opa)
    opa.trouble = None
    assert ask(client, opa) is True


def test_the_environments_proxy_is_not_asked(opa: FakeOpa, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    client = OpaClient(60.0)
    assert ask(client, opa) is True
    assert "Authorization" not in opa.headers[0]
    client.close()


def test_a_bundle_that_holds_nothing_is_a_setting_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"opa\.ca_bundle"):
        OpaClient(1.0, ca_bundle=tmp_path / "missing.pem")
