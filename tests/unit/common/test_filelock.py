from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sqe.common.filelock import hold
from sqe.errors import SetupError


def nobody_waits() -> None:
    raise AssertionError("The lock should have been free.")


def test_a_held_lock_is_refused_after_the_timeout_and_free_afterwards(tmp_path: Path) -> None:
    waited: list[str] = []
    with (
        hold(tmp_path / "lock", timeout=0, waiting=nobody_waits),
        pytest.raises(SetupError, match="Another process has held"),
        hold(tmp_path / "lock", timeout=0.3, waiting=lambda: waited.append("waiting")),
    ):
        pass
    assert waited == ["waiting"]
    with hold(tmp_path / "lock", timeout=0, waiting=nobody_waits):
        pass


def test_a_child_with_the_descriptor_holds_the_lock_until_it_ends(tmp_path: Path) -> None:
    with hold(tmp_path / "lock", timeout=0, waiting=nobody_waits) as descriptor:
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(descriptor,))
    try:
        with (
            pytest.raises(SetupError, match="Another process has held"),
            hold(tmp_path / "lock", timeout=0, waiting=lambda: None),
        ):
            pass
    finally:
        child.communicate(timeout=120)
    with hold(tmp_path / "lock", timeout=0, waiting=nobody_waits):
        pass
