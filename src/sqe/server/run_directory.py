"""The run directory of a gateway, which belongs to one process at a time.

lock        held while a gateway runs
config.toml the configuration, as the shell resolved it (it may hold secrets: readable by its owner only)
token       what a client must present
socket      where the gateway listens, for the shells of this user
memory, results, uploads   removed when it ends
"""

from __future__ import annotations

import fcntl
import secrets
import shutil
from pathlib import Path

from sqe.errors import GatewayError
from sqe.locations import CONFIG_FILE, private_directory, write_private

# Throw-away warehouses, results that wait for slow clients, files that clients upload.
_SCRATCH = ("memory", "results", "uploads", "executor")


class RunDirectory:
    def __init__(self, path: Path) -> None:
        """Lock the directory. Raises GatewayError when another gateway holds it."""
        self.path = path
        self.socket = path / "socket"
        self._lock = (path / "lock").open("wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise GatewayError(
                "A gateway with this configuration runs already.",
                hint="See `sqe engine status`; a shell may have started it. `sqe engine stop` ends it.",
            ) from None

    def prepare(self) -> str:
        """Remove what a killed gateway left behind, and return a new token, which is also written for clients."""
        self.hide()
        self._remove_scratch()
        token = secrets.token_urlsafe(32)
        write_private(self.path / "token", token)
        return token

    def scratch(self, name: str) -> Path:
        """Return a private directory, which is removed when the gateway ends."""
        assert name in _SCRATCH
        return private_directory(self.path / name)

    def hide(self) -> None:
        """Remove the socket, so that no new client finds the gateway."""
        self.socket.unlink(missing_ok=True)

    def release(self) -> None:
        """Remove everything that ends with the gateway, then the lock."""
        for name in ("token", CONFIG_FILE, "engine.arguments"):
            (self.path / name).unlink(missing_ok=True)
        self._remove_scratch()
        self._lock.close()

    def _remove_scratch(self) -> None:
        for name in _SCRATCH:
            shutil.rmtree(self.path / name, ignore_errors=True)
