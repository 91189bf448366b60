"""Lock between processes with a file; the lock ends with its holder, also after a crash."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqe.errors import SetupError

_POLL_SECONDS = 0.03


@contextmanager
def hold(
    path: Path,
    *,
    timeout: float,
    waiting: Callable[[], None] = lambda: None,
    what: str = "works on the same files",
) -> Iterator[int]:
    """Hold the lock file at `path` and yield its descriptor.

    A child process that is given the descriptor holds the lock too, until it ends.

    Args:
        path: made when it is not there; it stays, since removing it would let two holders in.
        timeout: seconds to wait for another holder; 0 tries once.
        waiting: called once when the lock is not free at first.
        what: what the other holder is doing, for the error.

    Raises:
        SetupError: the other holder did not let go in time.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(descriptor, path, timeout, waiting, what)
        yield descriptor
    finally:
        os.close(descriptor)  # and with it the lock, unless a child has the descriptor


def _acquire(descriptor: int, path: Path, timeout: float, waiting: Callable[[], None], what: str) -> None:
    deadline = time.monotonic() + timeout
    reported = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise SetupError(
                    f"Another process has held {path} for more than {timeout:.0f} s.",
                    hint=f"See whether another `sqe` hangs while it {what}, and end it.",
                ) from None
        if not reported:
            waiting()
            reported = True
        time.sleep(_POLL_SECONDS)
