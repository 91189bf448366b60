"""A process of ours that loads a client in Java and takes commands as lines of JSON."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from testing.command import QUICK_JAVA
from tests.conformance.clients.base import Failed
from tests.conformance.runtime import JavaClients

_SECONDS = 150.0

Answer = dict[str, Any]


class DriverProcess:
    """One JVM with one client for all its connections or statements: see ../jdbc."""

    def __init__(
        self,
        java: JavaClients,
        main: str,
        client: Path,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._main = main
        self._process = subprocess.Popen(
            [
                str(java.java),
                *["-Xmx512m", *QUICK_JAVA],
                # A zone of its own, so that what a driver does with the JVM's zone is seen.
                "-Duser.timezone=America/New_York",
                *options,
                *["-cp", f"{java.driver}:{client}", main],
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
            encoding="utf-8",
        )
        self._ids = itertools.count(1)
        self._waiting: dict[str, queue.SimpleQueue[Answer]] = {}
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            self._waiting[answer["id"]].put(answer)
        for waiting in list(self._waiting.values()):
            waiting.put({"error": {"class": self._main, "message": "the process has ended", "causes": []}})

    def new_name(self, kind: str) -> str:
        return f"{kind}{next(self._ids)}"

    def call(self, op: str, **arguments: Any) -> Answer:
        """Run a command and return its answer. Raises Failed."""
        assert self._process.stdin is not None
        number = self.new_name("")
        waiting = self._waiting[number] = queue.SimpleQueue()
        line = json.dumps({"id": number, "op": op, **arguments})
        with self._lock:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        try:
            answer = waiting.get(timeout=_SECONDS)
        except queue.Empty:
            raise TimeoutError(f"{op} has not answered after {_SECONDS:.0f} s") from None
        finally:
            del self._waiting[number]
        if error := answer.get("error"):
            text = "; caused by ".join([error["message"], *error["causes"]])
            if stack := error.get("stack"):
                text += " at " + " < ".join(stack)
            raise Failed(error["class"].rpartition(".")[2], text, sqlstate=error.get("sqlState"))
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        finally:
            self._process.kill()
            self._reader.join(10)
            assert self._process.stdout is not None
            self._process.stdout.close()
