"""The two streams that the command writes to, and what is known about them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqe.cli.output.sink import PipeClosed, Sink
from sqe.errors import UsageError

_STYLES = {
    "error": "\x1b[1;31m",
    "hint": "\x1b[36m",
    "dim": "\x1b[2m",
    "caret": "\x1b[1;31m",
    "bold": "\x1b[1m",
}


@dataclass(frozen=True, slots=True)
class Console:
    """`interactive` means that a person types; the other flags are about where output goes."""

    interactive: bool = False
    out_terminal: bool = False
    err_terminal: bool = False
    color: bool = False
    progress: bool = False
    out: Sink = field(default_factory=lambda: Sink(1))
    err: Sink = field(default_factory=lambda: Sink(2))

    @classmethod
    def of_process(cls, environ: Mapping[str, str], *, interactive: bool) -> Console:
        """Look at this process's own streams."""
        out_terminal, err_terminal = os.isatty(1), os.isatty(2)
        plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
        return cls(
            interactive=interactive,
            out_terminal=out_terminal,
            err_terminal=err_terminal,
            color=not plain,
            # Not with `| less`: both would draw on the same screen.
            progress=err_terminal and environ.get("TERM") != "dumb" and (out_terminal or _is_file(1)),
        )

    @property
    def color_out(self) -> bool:
        return self.color and self.out_terminal

    def say(self, text: str) -> None:
        """Tell a person something that is no part of a result."""
        if self.interactive:
            self.out.text(text + "\n")
        else:
            self.complain(text)

    def complain(self, text: str) -> None:
        """Write to stderr; nobody listening there is no reason to stop."""
        try:
            self.err.text(text + "\n")
        except (PipeClosed, UsageError):
            return

    def paint(self, style: str, text: str) -> str:
        """Colour text for stderr, if that is a terminal that wants it."""
        return f"{_STYLES[style]}{text}\x1b[0m" if self.color and self.err_terminal else text


def screen_size() -> tuple[int, int]:
    """Columns and lines."""
    size = shutil.get_terminal_size()
    return size.columns, size.lines


def _is_file(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False
