"""Show results that do not fit the screen in the user's pager."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping

from sqe.cli.execution.console import Console, screen_size
from sqe.cli.output.cells import width

# Cut lines and scroll sideways; colours. Not -F: it takes a wide table for one that fits, and wraps it.
LESS = ("less", "-SR")
# A result of MAX_ROWS rows is printed on any screen, because the pager's screen vanishes when it ends.
LINES = 50


def pager_command(environ: Mapping[str, str]) -> list[str] | None:
    """Return the pager to use: $SQE_PAGER, $PAGER or less; None if there is none."""
    asked = environ.get("SQE_PAGER", environ.get("PAGER"))
    if asked is not None and not asked.strip():
        return None
    try:
        words = shlex.split(asked) if asked else list(LESS)
    except ValueError:
        return None
    if not words or shutil.which(words[0]) is None:
        return None
    return list(LESS) if words == ["less"] else words  # a plain `less` would wrap every line of a wide table


def fits(text: str) -> bool:
    """Tell whether the text can be printed directly: not wider than the screen, and not much longer."""
    columns, lines = screen_size()
    rows = text.split("\n")
    # The first line is the box's edge, as wide as the others.
    return len(rows) <= max(lines - 2, LINES) and width(rows[0]) <= columns


def page(console: Console, text: str, command: list[str] | None) -> None:
    """Show text: directly when it fits or there is no pager."""
    if command is None or fits(text):
        console.out.text(text)
        return
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
    except OSError:
        console.out.text(text)
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager handles Ctrl-C while it runs
    try:
        process.communicate(text.encode())  # a pager that ends early closes the pipe, which is no error
    finally:
        signal.signal(signal.SIGINT, before)


def default_pager() -> list[str] | None:
    return pager_command(os.environ)
