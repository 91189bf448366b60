"""The priority of processes in the background."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sqe.common.priority import LOWEST, set_priority

# Starts a child in a session of its own, as the gateway starts an engine, and prints the child's priorities.
PARENT = """
import os, subprocess, sys
from pathlib import Path
from sqe.common.priority import pass_priority_on, set_priority
set_priority(os.getpid(), 12)
with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as child:
    pass_priority_on(child.pid)
    group = Path(f"/proc/{child.pid}/autogroup")
    print(os.getpriority(os.PRIO_PROCESS, child.pid), group.read_text() if group.exists() else "nice 12")
    child.stdin.write(b"\\n")
"""


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as process:
        yield process
        process.kill()


def test_a_process_and_its_session_yield_to_others(process: subprocess.Popen[bytes]) -> None:
    set_priority(process.pid, LOWEST)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == LOWEST
    group = Path(f"/proc/{process.pid}/autogroup")
    assert not group.exists() or f"nice {LOWEST}" in group.read_text()


def test_a_child_in_a_session_of_its_own_has_the_priority_of_its_parent() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PARENT],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        start_new_session=True,
    )
    assert done.stdout.startswith("12 ")
    assert "nice 12" in done.stdout


def test_a_process_that_is_gone(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    with pytest.raises(OSError, match="No such process"):
        set_priority(process.pid, LOWEST)
