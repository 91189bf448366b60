"""Run scripts from the command line, files and standard input."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqe.cli import exit_codes
from sqe.cli.execution.interpreter import Interpreter, Stop
from sqe.cli.execution.runner import Interrupted
from sqe.cli.execution.script import descriptor_chunks, file_chunks
from sqe.cli.output.sink import PipeClosed
from sqe.cli.shell.dot_commands import Quit
from sqe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Source:
    """SQL given in place, or a file's name; `-` is standard input."""

    text: str
    file: bool


STDIN = Source("-", file=True)


def run_batch(interpreter: Interpreter, sources: Sequence[Source]) -> int:
    """Run the sources one after the other in one session, and return the exit code. Raises UsageError."""
    for source in sources:
        if source.file and source.text != "-" and not os.access(source.text, os.R_OK):
            raise UsageError(f"The script '{source.text}' does not exist or is not readable.")
    try:
        for source in sources:
            if not source.file:
                interpreter.script([source.text])
            elif source.text == "-":
                interpreter.script(descriptor_chunks(0, "stdin"))
            else:
                interpreter.script(file_chunks(Path(source.text)), source=source.text)
    except (Stop, Quit):
        return interpreter.code
    except PipeClosed:
        return interpreter.code  # the reader has ended, as in `| head`
    except (Interrupted, KeyboardInterrupt):
        return exit_codes.INTERRUPTED
    return interpreter.code
