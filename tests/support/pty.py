"""Run programs on a pseudo-terminal, and read the screen as a user sees it.

    with Terminal.spawn([sys.executable, "-m", "sqe.cli.main"], env={...}) as terminal:
        terminal.wait_for("sqe>")
        terminal.line("SELECT 1;")
        terminal.wait_for("1 row")

Every wait has a time limit, and fails with what is on the screen.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import pexpect
import pyte

SECONDS = 120.0
QUIET_SECONDS = 0.05

KEYS = {
    "enter": "\r",
    "tab": "\t",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "ctrl-c": "\x03",
    "ctrl-d": "\x04",
    "ctrl-l": "\x0c",
    "ctrl-r": "\x12",
    "ctrl-u": "\x15",
    "paste-start": "\x1b[200~",
    "paste-end": "\x1b[201~",
}


class Terminal:
    """A running program and its screen; `raw` is all that it has written, escape sequences included."""

    def __init__(self, process: pexpect.spawn[Any], columns: int, lines: int) -> None:
        self._process = process
        self._screen = pyte.HistoryScreen(columns, lines, history=2000, ratio=0.5)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""

    @classmethod
    def spawn(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        columns: int = 100,
        lines: int = 30,
        inherit: bool = True,
    ) -> Terminal:
        """Start a program; `env` is added to this process's environment, or with `inherit=False` all there is."""
        # prompt_toolkit would ask the terminal where its cursor is, which this one does not answer.
        given = os.environ if inherit else {}
        environ = {**given, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", **(env or {})}
        process = pexpect.spawn(
            command[0],
            list(command[1:]),
            env=environ,
            cwd=cwd,
            dimensions=(lines, columns),
            timeout=SECONDS,
            echo=True,
        )
        process.delaybeforesend = None
        return cls(process, columns, lines)

    @property
    def pid(self) -> int:
        return int(self._process.pid or 0)

    @property
    def text(self) -> str:
        """Everything on the screen and above it, without trailing blanks."""
        above = ["".join(row[column].data for column in sorted(row)) for row in self._screen.history.top]
        return "\n".join(line.rstrip() for line in [*above, *self._screen.display]).rstrip()

    def send(self, text: str) -> None:
        self._process.send(text)

    def line(self, text: str) -> None:
        self.send(text + KEYS["enter"])

    def key(self, name: str) -> None:
        self.send(KEYS[name])

    def wait_for(self, pattern: str, *, count: int = 1, seconds: float = SECONDS) -> str:
        """Wait until the pattern is on the screen `count` times, and return the screen's text."""
        self._until(lambda: len(re.findall(pattern, self.text)) >= count, f"{pattern!r} x {count}", seconds)
        return self.text

    def wait_until(
        self, act: Callable[[], None], pattern: str, *, seconds: float = SECONDS, every: float = 1.5
    ) -> str:
        """Do something again and again until the pattern is on the screen."""
        deadline = time.monotonic() + seconds
        while True:
            act()
            try:
                return self.wait_for(pattern, seconds=every)
            except AssertionError:
                if time.monotonic() >= deadline:
                    raise

    def wait_raw(self, data: bytes, *, seconds: float = SECONDS) -> None:
        """Wait until the program has written these bytes."""
        self._until(lambda: data in self.raw, repr(data), seconds)

    def wait_exit(self, *, seconds: float = SECONDS) -> int:
        """Wait for the program's end and return its exit code, negative for a signal."""
        deadline = time.monotonic() + seconds
        while self._read() and time.monotonic() < deadline:
            continue
        while self._process.isalive():
            if time.monotonic() >= deadline:
                raise AssertionError(f"still running; on the screen:\n{self.text}")
            time.sleep(0.02)
        return (
            self._process.exitstatus
            if self._process.exitstatus is not None
            else -(self._process.signalstatus or 0)
        )

    def resize(self, columns: int, lines: int) -> None:
        self._process.setwinsize(lines, columns)
        self._screen.resize(lines, columns)

    def close(self) -> None:
        """End the program, whatever it does."""
        if self._process.isalive():
            self._process.kill(signal.SIGKILL)
        self._process.close(force=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _until(self, ready: Callable[[], bool], what: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not ready():
            running = self._read()
            if ready():
                return
            if not running or time.monotonic() >= deadline:
                why = f"not there after {seconds:g} s" if running else "not there when the program ended"
                raise AssertionError(f"{what} was {why}; on the screen:\n{self.text}")

    def _read(self) -> bool:
        """Take what the program wrote; False when it is gone."""
        try:
            data = self._process.read_nonblocking(65536, QUIET_SECONDS)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True
