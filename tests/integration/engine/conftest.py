"""One engine with its guard on for all modules that need no settings of their own: a JVM takes long to start."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.guarded_engine import GuardedEngine, guarded_engine


@pytest.fixture(scope="session")
def guarded_process() -> Iterator[GuardedEngine]:
    with guarded_engine() as engine:
        yield engine


@pytest.fixture(scope="module")
def guarded(guarded_process: GuardedEngine) -> Iterator[GuardedEngine]:
    """Return the shared engine with an empty warehouse of the module's own, and no rules."""
    with tempfile.TemporaryDirectory(prefix="sqe-test-") as directory:
        engine = GuardedEngine(
            guarded_process.sessions, guarded_process.control, Path(directory).resolve() / "lake"
        )
        engine.forget()
        yield engine
        engine.forget()
