"""One engine and one local executor for all tests of this suite."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.executor.differential import Differential, WatchedExecutor
from tests.support.guarded_engine import guarded_engine


@pytest.fixture(scope="session")
def differential() -> Iterator[Differential]:
    with guarded_engine() as engine, tempfile.TemporaryDirectory(prefix="sqe-test-") as directory:
        executor = WatchedExecutor(Path(directory))
        engine.sessions.executor = executor
        made = Differential(engine, executor)
        try:
            yield made
        finally:
            made.close()
            executor.close()
