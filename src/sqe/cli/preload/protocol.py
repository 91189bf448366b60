"""The place and the messages of the preloaded shell. Importing it has to take no time, so it needs only `os` and `sys`.

A client connects to a unix socket in a private directory:

client   a request (`pack`), with its standard streams and its current directory as descriptors
shell    ACCEPTED and the pid of the process that will run the command, or nothing, if it cannot
client   GO; from now on it forwards signals to that process
shell    the exit code as one byte, at the end

Nothing runs before GO. Each side takes the end of the connection for the end of the other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

import sqe

SOCKET = "socket"
DESCRIPTORS = 4  # standard input, output and error, and the current directory
ACCEPTED = b"a"
GO = b"g"
PID_BYTES = 8
LENGTH_BYTES = 8
LARGEST = 16 << 20  # of a request; the kernel allows a few megabytes of arguments and environment

# Libraries read these when they are loaded, so that a client that has others needs a process of its own.
_READ_AT_START = ("ARROW_", "GLIBC_", "GRPC_", "LC_", "LD_", "MALLOC_", "PYDANTIC_", "PYTHON")
_READ_AT_START_EXACTLY = ("LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP")


def shell_directory(environ: Mapping[str, str]) -> str:
    """Return the private directory of the preloaded shell: `preloaded` in the home that the environment leads to.

    A home that only a configuration file names is not found, because reading it would take longer than the command.
    """
    home = environ.get("SQE_PATHS__HOME") or "~/.sqe"
    # Not pathlib, which takes longer to load than all the rest.
    return f"{os.path.abspath(os.path.expanduser(home))}/preloaded"  # noqa: PTH100, PTH111


def build() -> list[str]:
    """Return what a process and its preloaded shell must have in common: Python, code, and variables of libraries."""
    variables = (
        f"{name}={value}"
        for name, value in os.environ.items()
        if (name.startswith(_READ_AT_START) or name in _READ_AT_START_EXACTLY)
        and name != "PYDANTIC_DISABLE_PLUGINS"
    )
    return [sys.executable, sys.version, sqe.__version__, sqe.__file__, *sorted(variables)]


def pack(program: str, arguments: Sequence[str]) -> bytes:
    """Write this process's build, arguments and environment as a request. None of them can hold a NUL."""
    tables = [build(), [program, *arguments], [f"{name}={value}" for name, value in os.environ.items()]]
    fields = [field for table in tables for field in (str(len(table)), *table)]
    body = b"\0".join(map(os.fsencode, fields))
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def unpack(body: bytes) -> tuple[list[str], list[str], dict[str, str]]:
    """Read what `pack` wrote, without its length: the build, the arguments, the environment. Raises ValueError."""
    fields = iter(map(os.fsdecode, body.split(b"\0")))
    try:
        build, arguments, variables = ([next(fields) for _ in range(int(next(fields)))] for _ in range(3))
    except (StopIteration, RuntimeError) as error:
        raise ValueError("the request is cut off") from error
    if next(fields, None) is not None or not arguments:
        raise ValueError("the request is malformed")
    return build, arguments, dict(variable.split("=", 1) for variable in variables)
