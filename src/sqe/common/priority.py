"""Lower the priority of processes that work in the background."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

LOWEST = 19


def set_priority(pid: int, nice: int) -> None:
    """Set the priority of a process and, if it leads a session, of the session's other processes. Raises OSError."""
    os.setpriority(os.PRIO_PROCESS, pid, nice)
    # Where Linux groups processes by their session, the priority counts only within the group.
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(nice), encoding="ascii")


def pass_priority_on(pid: int) -> None:
    """Give a child that leads a session of its own the priority of this process, which it has only within its group."""
    if nice := os.getpriority(os.PRIO_PROCESS, 0):
        with suppress(OSError):  # it has ended already
            set_priority(pid, nice)
