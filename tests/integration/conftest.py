"""One engine for the whole session of tests, used the way a person uses it: through the `sqe` command."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from testing.command import Sqe, clean_environment


@pytest.fixture(scope="session")
def environment() -> Iterator[Mapping[str, str]]:
    # Not pytest's own directory: a unix socket's path must be short.
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    environment = clean_environment(home)
    yield environment
    Sqe(environment).run("engine", "stop", "--all")
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def sqe(environment: Mapping[str, str], tmp_path: Path) -> Sqe:
    """The command on the shared engine, with a warehouse of the test's own."""
    return Sqe(environment, warehouse=tmp_path / "warehouse", directory=tmp_path)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Sqe]:
    """The command with a home of its own, for tests that break or stop things."""
    with _own_home(tmp_path) as command:
        yield command


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sqe]:
    """The command with a home of the module's own, for tests that look at everything that runs in it."""
    with _own_home(tmp_path_factory.mktemp("own")) as command:
        yield command


@contextmanager
def _own_home(directory: Path) -> Iterator[Sqe]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    command = Sqe(clean_environment(home), warehouse=directory / "warehouse", directory=directory)
    yield command
    command.run("engine", "stop", "--all")
    shutil.rmtree(home, ignore_errors=True)
