"""The process that a gateway runs in: file permissions, signals, the log file and the exit."""

from __future__ import annotations

import logging
import logging.handlers
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn


def restrict_files() -> None:
    """Make every file and directory that this process creates, tables included, private to its account."""
    os.umask(0o077)


def handle_signals(stop: Callable[[], None], reload: Callable[[], None] = lambda: None) -> None:
    """Stop on SIGTERM and SIGINT, reload on SIGHUP. A second SIGTERM or SIGINT ends the process at once.

    A handler interrupts the main thread anywhere, also while it holds a lock that `stop` needs: that of an event which
    it waits for. So another thread does the work; only a SimpleQueue can be filled from a handler.
    """
    received: SimpleQueue[int] = SimpleQueue()

    def end(number: int, _: object) -> None:
        received.put(number)
        signal.signal(number, signal.SIG_DFL)

    def obey() -> None:
        while True:
            (reload if received.get() == signal.SIGHUP else stop)()

    threading.Thread(target=obey, name="signals", daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    signal.signal(signal.SIGHUP, lambda number, _: received.put(number))


def log_to_file(directory: Path, name: str) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = logging.handlers.RotatingFileHandler(directory / name, maxBytes=10_000_000, backupCount=3)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-5s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def end_process(code: int) -> NoReturn:
    """End without waiting for threads: PySpark leaves some that wait for a server which is gone."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
