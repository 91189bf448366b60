from __future__ import annotations

import threading
from typing import Any

import pytest

from sqe.engine.endpoint import Endpoint
from sqe.engine.self_test import check_guard, check_session_guard
from sqe.errors import EngineLostError, EngineStartError

ENDPOINT = Endpoint("sc://localhost:1", None)


class Spark:
    def __init__(self, answer: str | Exception | None) -> None:
        self.answer = answer
        self.events: list[str] = []
        self.go_on: threading.Event | None = None

    def read_unguarded(self) -> str | None:
        self.events.append("read")
        assert self.go_on is None or self.go_on.wait(120)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def release_session(self) -> None:
        self.events.append("release")

    def close(self) -> None:
        self.events.append("close")


def prove(answer: str | Exception | None) -> None:
    session: Any = Spark(answer)
    check_session_guard(session)


def test_the_guard_refuses_what_nobody_guards() -> None:
    prove("SQE_UNGUARDED")


@pytest.mark.parametrize(
    "answer", [None, "SQE_ACCESS_DENIED", "CONNECT_INVALID_PLAN.NO_HANDLER_FOR_EXTENSION"]
)
def test_any_other_end_means_that_there_is_no_guard(answer: str | None) -> None:
    with pytest.raises(EngineStartError, match="The guard is not loaded") as caught:
        prove(answer)
    assert (answer or "no error") in (caught.value.detail or "")


def test_an_engine_that_is_lost_proves_nothing() -> None:
    with pytest.raises(EngineLostError):
        prove(EngineLostError("It ended."))


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> list[Spark]:
    """Those that are opened, of which the first is there already."""
    made: list[Spark] = [Spark("SQE_UNGUARDED")]
    monkeypatch.setattr("sqe.engine.connect.ConnectSession", lambda endpoint, user: made[0])
    return made


def test_the_session_for_the_proof_is_given_back(sessions: list[Spark]) -> None:
    check_guard(ENDPOINT, 20)
    assert sessions[0].events == ["read", "release", "close"]


@pytest.mark.parametrize("answer", [None, EngineLostError("It ended.")])
def test_an_engine_without_proof_is_refused(sessions: list[Spark], answer: Exception | None) -> None:
    sessions[0].answer = answer
    with pytest.raises((EngineStartError, EngineLostError)):
        check_guard(ENDPOINT, 20)
    assert sessions[0].events == ["read", "close"]


def test_a_test_that_fails_proves_nothing(sessions: list[Spark]) -> None:
    sessions[0].answer = KeyError("inside")
    with pytest.raises(EngineStartError, match="self-test of the engine's guard failed") as caught:
        check_guard(ENDPOINT, 20)
    assert "inside" in (caught.value.detail or "")


def test_an_engine_that_hangs_is_not_waited_for_for_ever(sessions: list[Spark]) -> None:
    go_on = threading.Event()
    sessions[0].go_on = go_on
    with pytest.raises(EngineStartError, match=r"longer than 0\.2 s"):
        check_guard(ENDPOINT, 0.2)
    go_on.set()
