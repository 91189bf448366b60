from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from stack import running

from sqe.common.filelock import hold

HOUR = 3600


def directory(tmp_path: Path, name: str, *, age: float) -> Path:
    path = tmp_path / f"sqe-stack-{name}"
    path.mkdir()
    lock = path / "lock"
    lock.touch()
    then = lock.stat().st_mtime - age
    os.utime(lock, (then, then))
    return path


def test_only_what_killed_runs_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = directory(tmp_path, "left", age=HOUR)
    used = directory(tmp_path, "used", age=HOUR)
    young = directory(tmp_path, "young", age=0)
    with hold(used / "lock", timeout=0):
        running._remove_stale()
    assert not left.exists()
    assert used.exists()
    assert young.exists()
