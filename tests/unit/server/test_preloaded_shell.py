from __future__ import annotations

import time
from pathlib import Path

import pytest

from sqe.config.schema import Config
from sqe.config.sections.engine import EngineConfig
from sqe.config.sections.paths import PathsConfig
from sqe.server.preloaded_shell import PreloadedShell, make_preloaded_shell


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SQE_PATHS__HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def test_there_is_one_where_commands_look_for_it(home: Path) -> None:
    assert make_preloaded_shell(Config(paths=PathsConfig(home=home)), home) is not None


def test_there_is_none_for_a_home_that_only_the_configuration_names(home: Path) -> None:
    assert make_preloaded_shell(Config(paths=PathsConfig(home=home / "other")), home) is None


def test_there_is_none_without_warm_up(home: Path) -> None:
    config = Config(paths=PathsConfig(home=home), engine=EngineConfig(warm_up=False))
    assert make_preloaded_shell(config, home) is None


def test_it_is_started_once_and_ends_when_it_is_stopped(home: Path) -> None:
    shell = PreloadedShell(home / "shell.stderr")
    shell.keep()
    first = shell._process
    shell.keep()
    assert first is not None
    assert shell._process is first
    deadline = time.monotonic() + 60
    while not (home / "preloaded" / "socket").exists():
        assert first.poll() is None, (home / "shell.stderr").read_text()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    shell.stop()
    assert first.returncode == 0
