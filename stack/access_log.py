"""Read the access log of a Quarkus server."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
from stack.catalog import Access

from sqe.errors import SetupError

_LINE = re.compile(r'^(?P<user>\S+) (?P<status>\d+) "(?P<method>\S+) (?P<path>\S+) [^"]*"$')
_SETTLE_SECONDS = 20.0
# In the address of what the stack itself asks for, which tests do not want to see.
OURS = "by-the-stack"


class AccessLog:
    def __init__(self, directory: Path, url: str) -> None:
        """Read the log of the server at `url`, which logs every request."""
        self._directory = directory
        self._url = url
        self._flushes = 0
        directory.mkdir(mode=0o700)

    @property
    def file(self) -> Path:
        return self._directory / "access.log"

    def properties(self) -> dict[str, str]:
        """Return the properties that make the server write it."""
        return {
            "quarkus.http.access-log.enabled": "true",
            "quarkus.http.access-log.pattern": '%u %s "%r"',
            "quarkus.http.access-log.log-to-file": "true",
            "quarkus.http.access-log.log-directory": str(self._directory),
            "quarkus.http.access-log.base-file-name": "access",
            "quarkus.http.access-log.rotate": "false",
        }

    def mark(self) -> int:
        """Return a mark after all requests so far."""
        self._settle()
        return len(self._text())

    def since(self, mark: int = 0) -> list[Access]:
        self._settle()
        return parse(self._text()[mark:])

    def _text(self) -> str:
        return self.file.read_text(encoding="utf-8") if self.file.exists() else ""

    def _settle(self) -> None:
        """Send a request for a missing resource, and wait until the log has it: the server writes lines in order."""
        self._flushes += 1
        path = f"/?{OURS}={self._flushes}"
        httpx.get(self._url + path, timeout=10, trust_env=False)
        deadline = time.monotonic() + _SETTLE_SECONDS
        while f"{path} " not in self._text():
            if time.monotonic() > deadline:
                raise SetupError(f"{self._url} does not log what it is asked.")
            time.sleep(0.05)


def parse(text: str) -> list[Access]:
    lines = [found for line in text.splitlines() if (found := _LINE.match(line))]
    return [
        Access(line["user"], line["method"], line["path"], int(line["status"]))
        for line in lines
        if OURS not in line["path"]
    ]
