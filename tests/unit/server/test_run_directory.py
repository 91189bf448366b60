from __future__ import annotations

from pathlib import Path

import pytest

from sqe.errors import GatewayError
from sqe.server.run_directory import RunDirectory


def test_it_belongs_to_one_gateway_at_a_time(tmp_path: Path) -> None:
    first = RunDirectory(tmp_path)
    with pytest.raises(GatewayError, match="runs already") as caught:
        RunDirectory(tmp_path)
    assert caught.value.hint is not None
    first.release()
    RunDirectory(tmp_path).release()


def test_what_a_killed_gateway_left_is_removed(tmp_path: Path) -> None:
    for name in ("memory", "results", "uploads"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("old")
    (tmp_path / "socket").touch()
    (tmp_path / "token").write_text("old")
    directory = RunDirectory(tmp_path)
    token = directory.prepare()
    assert (tmp_path / "token").read_text() == token != "old"
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "token"]
    assert directory.scratch("memory").stat().st_mode & 0o777 == 0o700
    directory.release()


def test_nothing_secret_stays(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path)
    directory.prepare()
    directory.scratch("results")
    for name in ("config.toml", "engine.arguments", "gateway.stderr"):
        (tmp_path / name).touch()
    directory.hide()
    directory.release()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gateway.stderr", "lock"]
