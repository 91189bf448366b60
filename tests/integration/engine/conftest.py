"""JVMs for all modules that need no settings of their own, as they take long to start: an engine, and a test bed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.guard_test_bed import MASK_KEY, GuardTestBed, compile_java, running_test_bed
from tests.support.guarded_engine import GuardedEngine, guarded_engine

from sqe.config.load import load
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter


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


@pytest.fixture(scope="session")
def test_bed_classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_java(
        provide(load(None, os.environ), QuietReporter()), tmp_path_factory.mktemp("test_bed_classes")
    )


@pytest.fixture(scope="session")
def test_bed_process(
    tmp_path_factory: pytest.TempPathFactory, test_bed_classes: Path
) -> Iterator[GuardTestBed]:
    with running_test_bed(tmp_path_factory.mktemp("bed"), test_bed_classes, mask_key=MASK_KEY) as bed:
        yield bed


@pytest.fixture(scope="module")
def empty_bed(test_bed_process: GuardTestBed) -> Iterator[GuardTestBed]:
    """Return the shared test bed with an empty namespace `lake.db`."""
    test_bed_process.done("CREATE NAMESPACE lake.db")
    yield test_bed_process
    for _, table, *_ in test_bed_process.run("SHOW TABLES IN lake.db").sorted:
        test_bed_process.done(f"DROP TABLE lake.db.`{table}`")
    test_bed_process.done("DROP NAMESPACE lake.db")
