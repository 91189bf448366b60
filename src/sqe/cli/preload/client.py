"""Run this process's command in the preloaded shell. It imports next to nothing: that is its purpose."""

from __future__ import annotations

import os
import signal
import socket
import stat
import sys
from collections.abc import Sequence

from sqe.cli.preload.protocol import (
    ACCEPTED,
    DESCRIPTORS,
    GO,
    PID_BYTES,
    SOCKET,
    pack,
    shell_directory,
)

ANSWER_SECONDS = 2.0
_LOST = 3  # exit_codes.ENGINE_FAILED, whose module would have to be loaded


def run_in_preloaded_shell(arguments: Sequence[str]) -> int | None:
    """Run the command and return its exit code, or None when it has to run in this process.

    Only statements on the command line (`-e`) are worth it: subcommands and the interactive shell take longer, and
    the interactive shell needs the terminal for itself.
    """
    if sys.platform != "linux" or not any(text.startswith(("-e", "--execute")) for text in arguments):
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        pid = _ask(connection, arguments)
        return None if pid is None else _follow(connection, pid)


def _ask(connection: socket.socket, arguments: Sequence[str]) -> int | None:
    """Send the command; return the process that will run it, or None if there is none."""
    directory = shell_directory(os.environ)
    try:
        found = os.lstat(directory)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            return None
        connection.settimeout(ANSWER_SECONDS)
        connection.connect(f"{directory}/{SOCKET}")
        here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            descriptors = (0, 1, 2, here)
            assert len(descriptors) == DESCRIPTORS
            request = memoryview(pack(sys.argv[0], arguments))
            sent = socket.send_fds(connection, [request], descriptors)
            connection.sendall(request[sent:])
        finally:
            os.close(here)
        answer = connection.recv(1 + PID_BYTES, socket.MSG_WAITALL)
    except OSError:
        return None
    if len(answer) != 1 + PID_BYTES or answer[:1] != ACCEPTED:
        return None
    return int.from_bytes(answer[1:], "big")


def _follow(connection: socket.socket, pid: int) -> int | None:
    """Let the process begin, forward signals to it, and return its exit code."""
    try:
        process = os.pidfd_open(pid)
    except OSError:
        return None

    def forward(number: int, _: object) -> None:
        _send(process, number)

    def stop(_number: int, _: object) -> None:
        _send(process, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        _send(process, signal.SIGCONT)

    # All other signals end this process, and the end of the connection then ends the other.
    for number, handler in ((signal.SIGINT, forward), (signal.SIGTSTP, stop)):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        connection.settimeout(None)
        connection.sendall(GO)
        code = connection.recv(1)
    except OSError:
        code = b""
    if code:
        return code[0]
    sys.stderr.write("error: The process that ran the command has ended.\n")
    return _LOST


def _send(process: int, number: int) -> None:
    try:
        signal.pidfd_send_signal(process, number)
    except ProcessLookupError:
        return  # it has ended; its exit code is on the way
