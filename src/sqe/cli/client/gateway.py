"""Find the local gateway, or start it.

A gateway's run directory is named by a hash of its settings and its code. A shell with other settings, or after an
upgrade, starts another gateway; the old one ends by itself when it is idle.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import sqe
from sqe.common.filelock import hold
from sqe.config.schema import Config
from sqe.errors import GatewayError, SessionError
from sqe.frontends.flight import wire
from sqe.frontends.flight.client import FlightConnection
from sqe.locations import CONFIG_FILE, locate, private_directory, write_private
from sqe.model.session import SessionSpec

_START_SECONDS = 60.0
_STOP_SECONDS = 60.0
# A gateway that has made its socket may take a moment to listen at it, and one that ends a moment to be gone.
_PAUSES = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


def connect(config: Config, spec: SessionSpec, *, on_wait: Callable[[str], None]) -> FlightConnection:
    """Open a session on the local gateway, starting it when there is none. Raises SqeError."""
    run_directory = gateway_directory(config)
    for attempt, pause in enumerate(_PAUSES):
        connection = _try(run_directory, spec)
        if connection is not None:
            return connection
        if attempt == 0:
            on_wait("starting the engine")
        time.sleep(pause)
        # One shell starts the gateway, the others wait for it.
        with hold(run_directory / "starting", timeout=_START_SECONDS, what="starts the gateway"):
            if not is_alive(run_directory):
                _spawn(config, run_directory)
            _wait_for_socket(run_directory)
    raise GatewayError(
        "The gateway does not answer.",
        hint=f"Read its log in {locate(config).logs}, or run `sqe engine stop`.",
    )


def start_gateway(config: Config, run_directory: Path, *arguments: str) -> None:
    """Start a gateway in the given run directory, and wait until it listens. Raises GatewayError."""
    _spawn(config, run_directory, *arguments)
    _wait_for_socket(run_directory)
    if not (run_directory / "socket").exists():
        raise _not_started(run_directory)


def stop_gateway(run_directory: Path, drain: float = 0.0) -> None:
    """Stop a gateway, and wait for its end. Raises GatewayError."""
    connection = open_connection(run_directory)
    if connection is not None:
        connection.ask(wire.GATEWAY_STOP, {"drain": drain})
        connection.close()
    deadline = time.monotonic() + drain + _STOP_SECONDS
    while is_alive(run_directory):
        if time.monotonic() > deadline:
            raise GatewayError(
                f"The gateway {run_directory.name} did not end in time.",
                hint=f"Its files are in {run_directory}.",
            )
        time.sleep(0.05)


def gateway_directory(config: Config) -> Path:
    """Return the run directory of the gateway for this configuration."""
    parts = [
        sqe.__version__,
        sys.executable,
        os.environ.get("JAVA_HOME", ""),
        config.model_copy(update={"shell": type(config.shell)()}).to_toml(redact=False),
        code_stamp(),
    ]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return private_directory(locate(config).run / key)


def open_connection(run_directory: Path) -> FlightConnection | None:
    """Return a connection without a session, or None if no gateway listens there."""
    socket = run_directory / "socket"
    try:
        token = (run_directory / "token").read_text(encoding="utf-8")
    except OSError:
        return None
    return FlightConnection(f"grpc+unix://{socket}", token) if socket.exists() else None


def is_alive(run_directory: Path) -> bool:
    """Tell whether a gateway holds the directory's lock."""
    try:
        with (run_directory / "lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def _try(run_directory: Path, spec: SessionSpec) -> FlightConnection | None:
    connection = open_connection(run_directory)
    if connection is None:
        return None
    try:
        connection.open(spec)
    except (GatewayError, SessionError):  # the gateway has ended or is ending
        connection.close()
        return None
    return connection


def _spawn(config: Config, run_directory: Path, *arguments: str) -> None:
    write_private(run_directory / CONFIG_FILE, config.to_toml(redact=False))
    (run_directory / "socket").unlink(missing_ok=True)
    with (run_directory / "gateway.stderr").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "sqe.server.gateway", str(run_directory), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=run_directory,
            start_new_session=True,
        )
    deadline = time.monotonic() + _START_SECONDS
    while not is_alive(run_directory):
        if process.poll() is not None or time.monotonic() > deadline:
            raise _not_started(run_directory)
        time.sleep(0.01)
    # The gateway usually outlives this shell. If it does not, `wait` collects its exit code, or it stays as a zombie.
    threading.Thread(target=process.wait, name="gateway", daemon=True).start()


def _not_started(run_directory: Path) -> GatewayError:
    output = (run_directory / "gateway.stderr").read_text(errors="replace").strip()
    return GatewayError(
        f"The gateway did not start: {output.splitlines()[-1] if output else 'no output'}", detail=output
    )


def _wait_for_socket(run_directory: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not (run_directory / "socket").exists() and time.monotonic() < deadline:
        if not is_alive(run_directory):
            return
        time.sleep(0.01)


def code_stamp() -> str:
    """Return a stamp of the installed code, so that no shell uses a gateway of older code."""
    root = Path(sqe.__file__).parent
    newest = max(path.stat().st_mtime_ns for path in root.rglob("*.py"))
    return f"{root}:{newest}"
