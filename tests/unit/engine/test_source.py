from __future__ import annotations

import threading

import pytest
from testing.command import until

from sqe.config.load import load
from sqe.engine import source
from sqe.engine.endpoint import Endpoint
from sqe.engine.source import RemoteEngine
from sqe.errors import EngineLostError, EngineStartError, SqeError

CONFIG = load(None, {}, {"engine.url": "sc://spark:1"})


def test_an_engine_elsewhere_is_ready_at_once() -> None:
    engine = RemoteEngine(CONFIG)
    engine.start()
    assert engine.note is None
    assert engine.endpoint(lambda: False).url == "sc://spark:1"


def test_a_guarded_one_is_ready_when_it_has_proved_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_RETRY_SECONDS", 0.01)
    answers: list[SqeError | None] = [
        EngineLostError("It cannot be reached."),
        EngineStartError("The guard is not loaded."),
        None,
    ]
    notes: list[str | None] = []
    asked: list[Endpoint] = []

    def prove(endpoint: Endpoint) -> None:
        asked.append(endpoint)
        notes.append(engine.note)
        answer = answers.pop(0)
        if answer is not None:
            raise answer

    engine = RemoteEngine(CONFIG, prove)
    assert engine.note == "the self-test of the engine's guard has not passed yet"
    engine.start()
    until(lambda: engine.note is None)
    assert notes == [
        "the self-test of the engine's guard has not passed yet",
        "It cannot be reached.",
        "The guard is not loaded.",
    ]
    assert {endpoint.url for endpoint in asked} == {"sc://spark:1"}


def test_nobody_asks_an_engine_that_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_RETRY_SECONDS", 60.0)
    asked = threading.Event()

    def prove(endpoint: Endpoint) -> None:
        asked.set()
        raise EngineStartError("The guard is not loaded.")

    engine = RemoteEngine(CONFIG, prove)
    engine.start()
    assert asked.wait(120)
    engine.stop()
    until(lambda: not any(thread.name == "engine-self-test" for thread in threading.enumerate()))
    assert engine.note == "The guard is not loaded."
