"""Run moto, a fake AWS, as a process on a free port of 127.0.0.1."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

_LINE = re.compile(r"Running on (http://127\.0\.0\.1:\d+)")


class Moto:
    def __init__(self, url: str) -> None:
        self.url = url

    def check_signatures(self) -> None:
        """Refuse requests from now on that no existing user with the right permissions has signed."""
        request = urllib.request.Request(
            f"{self.url}/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"}
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            response.read()


@contextmanager
def running_moto() -> Iterator[Moto]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    reader: threading.Thread | None = None
    try:
        # Its output ends when it cannot start; pytest's timeout ends a moto that prints nothing.
        url = next((found[1] for line in process.stderr if (found := _LINE.search(line))), None)
        assert url is not None, "moto has not started"
        # moto logs a line for each request and would block on a full pipe.
        reader = threading.Thread(target=process.stderr.read, daemon=True)
        reader.start()
        yield Moto(url)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        if reader is not None:
            reader.join(10)
        process.stderr.close()
