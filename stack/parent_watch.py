"""Run a command, and end it when standard input ends: when the parent process is gone, also after SIGKILL.

    python -I -S parent_watch.py PID-FILE COMMAND ...

A process of its own, because Linux signals the death of the thread that started a process, and threads start services
here. It uses nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

_GRACE_SECONDS = 15.0
_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> int:
    pid_file, command = Path(arguments[0]), arguments[1:]
    # The terminal's Ctrl-C goes to all processes in the foreground; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        preexec_fn=_die_with_parent(),  # noqa: PLW1509 - there is one thread so far
        start_new_session=True,
    )
    pid_file.write_text(str(process.pid), encoding="ascii")

    def watch() -> None:
        while os.read(0, 4096):
            pass
        process.terminate()
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()

    threading.Thread(target=watch, daemon=True).start()
    status = process.wait()
    return 128 - status if status < 0 else status


def _die_with_parent() -> Callable[[], None] | None:
    """Let the kernel end the command if this process is killed; only Linux can do that."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    return ask


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
