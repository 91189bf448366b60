"""Start, watch and stop one service as a process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import httpx

from sqe.errors import SetupError

_PARENT_WATCH = Path(__file__).with_name("parent_watch.py")
_STOP_SECONDS = 30.0
_POLL_SECONDS = 0.05


class ServiceProcess:
    """A process that ends with this one, also when this one is killed. It can be started again after it was stopped."""

    def __init__(self, name: str, directory: Path) -> None:
        self.name = name
        self.log = directory / f"{name}.log"
        self._pid_file = directory / f"{name}.pid"
        self._watch: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._watch is not None and self._watch.poll() is None

    @property
    def pid(self) -> int:
        """The process id of the service itself."""
        return int(self._pid_file.read_text(encoding="ascii"))

    def start(
        self, command: Sequence[str], *, environ: Mapping[str, str], directory: Path | None = None
    ) -> None:
        if self.running:
            raise SetupError(f"{self.name} is running already.")
        self._pid_file.unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self._watch = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_PARENT_WATCH), str(self._pid_file), *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=dict(environ),
                cwd=directory,
                start_new_session=True,  # Ctrl-C is for this process
            )

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Wait until it is ready.

        Raises:
            SetupError: it ended, or was not ready in time. What it wrote last is the error's detail.
        """
        deadline = time.monotonic() + seconds
        while not ready():
            if self._watch is None or self._watch.poll() is not None:
                status = None if self._watch is None else self._watch.returncode
                raise self._failure(f"{self.name} ended with status {status} before it was ready")
            if time.monotonic() > deadline:
                raise self._failure(f"{self.name} was not ready after {seconds:.0f} s")
            time.sleep(_POLL_SECONDS)

    def wait(self, seconds: float) -> int:
        """Wait for its own end, and return its status."""
        if self._watch is None:
            raise SetupError(f"{self.name} was not started.")
        return self._watch.wait(seconds)

    def stop(self) -> None:
        """Stop it, and wait for its end."""
        watch, self._watch = self._watch, None
        if watch is None or watch.stdin is None:
            return
        watch.stdin.close()
        try:
            watch.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            watch.kill()  # and with it the service
            watch.wait(_STOP_SECONDS)

    def _failure(self, what: str) -> SetupError:
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        last = "\n".join(text.splitlines()[-15:])
        return SetupError(f"{what}. It said:\n{last}", hint=f"Its log is {self.log}.")


def answers(url: str, status: int = 200) -> bool:
    """Return whether a GET of `url` has the expected response."""
    try:
        return httpx.get(url, timeout=5, trust_env=False).status_code == status
    except httpx.TransportError:
        return False
