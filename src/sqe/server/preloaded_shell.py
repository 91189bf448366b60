"""Keep the preloaded shell (`sqe.cli.preload`) running while a private gateway runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from math import inf
from pathlib import Path

from sqe.config.schema import Config
from sqe.config.sources import DEFAULT_HOME, expand

_RETRY_SECONDS = 60.0  # after its end: another gateway's may serve the account, or the code is being changed
_END_SECONDS = 5.0


class PreloadedShell:
    """One process, which ends with this one: it reads the end of its standard input then."""

    def __init__(self, output: Path) -> None:
        self._output = output
        self._process: subprocess.Popen[bytes] | None = None
        self._started = -inf

    def keep(self) -> None:
        """Start the process, if it does not run and was not started lately."""
        running = self._process is not None and self._process.poll() is None
        if running or time.monotonic() - self._started < _RETRY_SECONDS:
            return
        self._started = time.monotonic()
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "sqe.cli.preload.server"],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=self._output.parent,
                start_new_session=True,  # a Ctrl-C at the terminal is for the command
            )

    def stop(self) -> None:
        """End the process; commands that it has forked go on."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                self._process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def make_preloaded_shell(config: Config, run_directory: Path) -> PreloadedShell | None:
    """Return the preloaded shell, or None where commands would not find it or may not use it."""
    home = expand(os.environ.get("SQE_PATHS__HOME") or DEFAULT_HOME, os.environ, run_directory)
    found = sys.platform == "linux" and home == config.paths.home.expanduser().absolute()
    return PreloadedShell(run_directory / "shell.stderr") if found and config.engine.warm_up else None
