"""A preloaded shell whose commands are those of test_server, as a program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sqe.cli.preload.protocol import shell_directory
from sqe.cli.preload.server import serve
from sqe.locations import private_directory


def run(arguments: list[str]) -> int:
    match arguments[1]:
        case "show":
            sys.stdout.write(f"{arguments} {os.environ.get('SPELLED')} {Path.cwd()}\n")
            sys.stderr.write("to stderr\n")
            Path("made").touch()
            return 7
        case "read":
            sys.stdout.write(sys.stdin.read().upper())
            return 0
        case _:
            try:
                sys.stdout.write(f"waits {os.getpid()}\n")
                sys.stdout.flush()
                sys.stdin.read()
            except KeyboardInterrupt:
                return 130
            return 0


if __name__ == "__main__":
    serve(private_directory(Path(shell_directory(os.environ))), run)
