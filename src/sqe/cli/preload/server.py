"""The preloaded shell: `python -m sqe.cli.preload.server`, which a private gateway starts when it is idle.

It loads the shell's modules once and forks for each command, so that a command need not load them. The forked process
gets the arguments, the environment, the current directory and the standard streams of the client, runs what
`sqe` would run, and returns the exit code. The preloaded shell ends with the gateway, which holds its standard input
open, and when its code has changed. It has one thread and no connection, so that forking it is safe.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from sqe.cli import exit_codes
from sqe.cli.client.light_arrow import import_light_arrow
from sqe.cli.preload.peer import DifferentProcessError, check_peer
from sqe.cli.preload.protocol import (
    ACCEPTED,
    DESCRIPTORS,
    GO,
    LARGEST,
    LENGTH_BYTES,
    PID_BYTES,
    SOCKET,
    build,
    shell_directory,
    unpack,
)

_MODULES = (
    "sqe.cli.command",
    "sqe.cli.client.session",
    "sqe.cli.client.gateway",
    "sqe.cli.execution.batch",
    *(f"sqe.cli.output.{name}" for name in ("delimited", "json", "markdown", "table", "vertical")),
)
_REQUEST_SECONDS = 5.0


def preload() -> None:
    """Import what a command needs, as a command imports it."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    import_light_arrow()
    for name in _MODULES:
        import_module(name)


def serve(directory: Path, run: Callable[[list[str]], int]) -> None:
    """Fork for each client until standard input ends. The caller holds the directory's lock."""
    from sqe.cli.client.gateway import code_stamp

    stamp, own_build = code_stamp(), build()
    path = directory / SOCKET
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel forgets forked processes that have ended
        gc.collect()
        gc.freeze()
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        poll.register(0, select.POLLIN)
        while all(descriptor != 0 for descriptor, _ in poll.poll()):
            connection, _ = listener.accept()
            if not os.fork():
                listener.close()
                _answer(connection, own_build, stamp, run)
            connection.close()
            if code_stamp() != stamp:
                return


def _answer(
    connection: socket.socket, own_build: list[str], stamp: str, run: Callable[[list[str]], int]
) -> NoReturn:
    """Run a client's command in this forked process, and end it."""
    from sqe.cli.client.gateway import code_stamp

    try:
        connection.settimeout(_REQUEST_SECONDS)
        peer = check_peer(connection)
        body, descriptors = _receive(connection)
        their_build, arguments, environment = unpack(body)
        if their_build != own_build or code_stamp() != stamp or len(descriptors) != DESCRIPTORS:
            os._exit(1)
        _become(descriptors, arguments, environment)
        peer.take_over()
        connection.sendall(ACCEPTED + os.getpid().to_bytes(PID_BYTES, "big"))
        if connection.recv(1) != GO:
            os._exit(1)
        connection.settimeout(None)
    except (OSError, ValueError, DifferentProcessError):
        os._exit(1)  # the client runs the command itself
    threading.Thread(target=_end_with, args=(connection,), name="client", daemon=True).start()
    code = _exit_code(run, arguments[1:])
    connection.sendall(code.to_bytes(1, "big"))
    os._exit(code)


def _receive(connection: socket.socket) -> tuple[bytes, list[int]]:
    """Receive a request and its descriptors. Raises OSError, ValueError."""
    first, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, DESCRIPTORS)
    received = bytearray(first)
    wanted = LENGTH_BYTES
    while len(received) < wanted or wanted == LENGTH_BYTES:
        if wanted == LENGTH_BYTES and len(received) >= LENGTH_BYTES:
            wanted += int.from_bytes(received[:LENGTH_BYTES], "big")
            if wanted > LARGEST:
                raise ValueError("the request is too large")
            continue
        more = connection.recv(1 << 16)
        if not more:
            raise ValueError("the request is cut off")
        received += more
    return bytes(received[LENGTH_BYTES:wanted]), descriptors


def _become(descriptors: list[int], arguments: list[str], environment: dict[str, str]) -> None:
    """Take over the client's streams, current directory, arguments and environment."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    *streams, here = descriptors
    os.fchdir(here)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for descriptor in descriptors:
        os.close(descriptor)
    sys.argv = arguments
    os.environ.clear()
    os.environ.update(environment)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=os.isatty(1))


def _exit_code(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run the command, and do what the interpreter does at the end of a process."""
    try:
        code = run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        return 120
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    except BaseException:  # noqa: BLE001 - the process ends here, as if this were its main module
        traceback.print_exc()
        return 1
    return code & 0xFF


def _end_with(connection: socket.socket) -> None:
    """End this process at once when the client is gone, however it has ended."""
    try:
        connection.recv(1)
    finally:
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> int:
    from sqe.common.filelock import hold
    from sqe.errors import SetupError
    from sqe.locations import private_directory

    directory = private_directory(Path(shell_directory(os.environ)))
    try:
        with hold(directory / "lock", timeout=0, what="serves shells") as lock:
            os.register_at_fork(after_in_child=lambda: os.close(lock))
            preload()
            from sqe.cli.command import run

            serve(directory, run)
    except SetupError:
        return 0  # another gateway's serves this account
    return 0


if __name__ == "__main__":
    os._exit(main())
