"""Run one JVM that serves Spark Connect: start it, wait until it is ready, and end it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from sqe.common.priority import pass_priority_on
from sqe.engine.endpoint import Endpoint
from sqe.engine.launcher.command import environment
from sqe.errors import EngineStartError

_TAIL = 4096
_STOP_SECONDS = 10.0


class EngineProcess:
    """A running JVM.

    Its standard input carries an introduction (engine.control) and is held open after that: when this process dies,
    however it dies, the JVM reads the end of it and halts, so that no orphan is left. One whose heap is full does not
    get to that, so that on Linux the kernel ends the JVM together with the thread that has started it.
    """

    def __init__(
        self, command: Sequence[str], output: Path, extra_environment: Mapping[str, str], introduction: str
    ) -> None:
        self._token = secrets.token_urlsafe(32)
        self._request_secret = secrets.token_urlsafe(32)
        self._output = output
        with output.open("wb") as stderr:
            self._process = subprocess.Popen(
                [*ended_with_parent("KILL"), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**environment(self._token), **extra_environment},
                cwd=output.parent,
                start_new_session=True,  # a Ctrl-C at the terminal is for the shell, not for the engine
            )
        pass_priority_on(self._process.pid)
        self._introduce(f"request.secret={self._request_secret}\n{introduction}")

    @property
    def pid(self) -> int:
        return self._process.pid

    def _introduce(self, introduction: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended already; `wait_ready` hears why
            self._process.stdin.write(introduction.encode())
            self._process.stdin.flush()

    def wait_ready(self, seconds: float) -> Endpoint:
        """Read the line in which the JVM tells its port. Raises EngineStartError."""
        line: list[bytes] = []
        reader = threading.Thread(
            target=lambda: line.append(self._stdout_line()), name="engine-ready", daemon=True
        )
        reader.start()
        reader.join(seconds)
        if not line:
            self.kill()
            raise EngineStartError(
                f"The engine was not ready after {seconds:g} s.",
                hint="Raise engine.start_timeout, or look at its log.",
                detail=self.tail(),
            )
        try:
            event = json.loads(line[0]) if line[0] else {}
        except ValueError:
            event = {"error": line[0].decode(errors="replace")}
        if event.get("event") != "ready":
            self.kill()
            said = event.get("error") or _last_line(self.tail()) or f"exit code {self._process.returncode}"
            # What follows the first line, stack traces and settings, is for our log.
            first, _, rest = said.strip().partition("\n")
            raise EngineStartError(
                f"The engine did not start: {first}",
                hint="Its log may tell more: `sqe engine status` says where it is.",
                detail=f"{rest}\n{self.tail()}".strip(),
            )
        return Endpoint(f"sc://localhost:{int(event['port'])}", self._token, self._request_secret)

    def _stdout_line(self) -> bytes:
        assert self._process.stdout is not None
        try:
            return self._process.stdout.readline()
        except ValueError:  # closed: another thread has stopped the JVM
            return b""

    def wait(self) -> int:
        """Block until the JVM ends."""
        code = self._process.wait()
        self._close_pipes()
        return code

    def stop(self) -> None:
        """Ask the JVM to end, and make it end."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._close_pipes()

    def end_now(self) -> None:
        """End the JVM without waiting for it; `wait` returns soon."""
        self._process.kill()

    def kill(self) -> None:
        self.end_now()
        self._process.wait()
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def tail(self) -> str:
        """Return the end of what the JVM wrote to its standard error, for the log."""
        try:
            with self._output.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
                return file.read().decode(errors="replace")
        except OSError as error:
            return f"({self._output}: {error.strerror})"


def ended_with_parent(signal_name: str) -> list[str]:
    """Return the command with which the kernel signals what it runs at its parent's end; none where it is missing."""
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    return [setpriv, "--pdeathsig", signal_name, "--"] if setpriv is not None else []


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
