"""The gateway's own test query, on which readiness depends."""

from __future__ import annotations

import threading

import pytest
from tests.fakes.engine import FakeEngine
from tests.support.clock import Clock
from tests.support.command import until

from sqe.errors import EngineLostError
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec
from sqe.service import engine_probe
from sqe.service.engine_probe import EngineProbe

OWN = Principal("the gateway", "the gateway")


def test_a_probe_that_ends_is_no_problem_and_is_observed() -> None:
    engine, seen = FakeEngine(), []
    probe = EngineProbe(engine, OWN, 10.0, lambda: 0.0, lambda seconds, succeeded: seen.append(succeeded))
    probe.probe(engine.open(SessionSpec(()), OWN))
    assert probe.problem is None
    assert seen == [True]
    assert engine.sessions[0].started == [engine_probe.STATEMENT]


def test_a_probe_that_fails_is_a_problem_until_one_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, seen = FakeEngine(), []
    engine.failure = EngineLostError("a secret of the engine")
    probe = EngineProbe(engine, OWN, 10.0, lambda: 0.0, lambda seconds, succeeded: seen.append(succeeded))
    session = engine.open(SessionSpec(()), OWN)
    monkeypatch.setattr(engine_probe, "STATEMENT", "fail")
    probe.probe(session)
    assert probe.problem == "a test query failed: ENGINE_LOST"
    monkeypatch.setattr(engine_probe, "STATEMENT", "rows 1")
    probe.probe(session)
    assert probe.problem is None
    assert seen == [False, True]


def test_a_probe_that_does_not_end_is_a_problem_after_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = FakeEngine()
    monkeypatch.setattr(engine_probe, "STATEMENT", "wait")
    probe = EngineProbe(engine, OWN, 0.2, lambda: 0.0)
    running = threading.Thread(target=probe.probe, args=(engine.open(SessionSpec(()), OWN),))
    running.start()
    try:
        until(lambda: probe.problem is not None, "the probe is late", 30)
        assert "has not ended" in str(probe.problem)
    finally:
        engine.released.set()
        running.join(30)
    assert probe.problem is None


def test_probes_begin_when_the_engine_is_ready_and_end_when_they_are_told_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_probe, "_EVERY", 0.01)
    engine = FakeEngine()
    engine.note = "the engine is starting"
    seen = threading.Event()
    probe = EngineProbe(engine, OWN, 10.0, lambda: 0.0, lambda seconds, succeeded: seen.set())
    probe.start()
    try:
        assert not seen.wait(0.2)
        engine.note = None
        assert seen.wait(30)
    finally:
        probe.stop()
    assert len(engine.sessions) == 1  # one session for all of them


def test_an_engine_without_a_successful_probe_is_replaced_once_in_each_period(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replaced: list[str] = []
    engine, clock = FakeEngine(), Clock()
    probe = EngineProbe(
        engine, OWN, 10.0, lambda: 0.0, hung_after=90.0, replace_engine=replaced.append, clock=clock
    )
    session = engine.open(SessionSpec(()), OWN)
    clock.sleep(80)
    probe.probe(session)
    clock.sleep(80)
    probe.replace_if_hung()
    assert replaced == []
    engine.failure = EngineLostError("it does not answer")
    monkeypatch.setattr(engine_probe, "STATEMENT", "fail")
    probe.probe(session)
    clock.sleep(11)
    probe.replace_if_hung()
    probe.replace_if_hung()
    assert replaced == ["no test query has succeeded for 90 s"]


def test_an_engine_that_is_being_started_is_not_replaced() -> None:
    replaced: list[str] = []
    engine, clock = FakeEngine(), Clock()
    engine.note = "the engine is starting"
    probe = EngineProbe(
        engine, OWN, 10.0, lambda: 0.0, hung_after=90.0, replace_engine=replaced.append, clock=clock
    )
    for _ in range(5):
        clock.sleep(60)
        probe.replace_if_hung()
    assert replaced == []
