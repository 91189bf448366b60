"""The output streams of the command, and how it displays results on them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqe.cli.output.formats import Style
from sqe.cli.output.sink import PipeClosed, Sink
from sqe.errors import UsageError

MAX_ROWS = 40

_STYLES = {
    "error": "\x1b[1;31m",
    "hint": "\x1b[36m",
    "dim": "\x1b[2m",
    "caret": "\x1b[1;31m",
    "bold": "\x1b[1m",
}


@dataclass(frozen=True, slots=True)
class Console:
    """Standard output and error. `interactive`: a person types the statements; the other flags describe the streams."""

    interactive: bool = False
    out_terminal: bool = False
    err_terminal: bool = False
    color: bool = False
    progress: bool = False
    out: Sink = field(default_factory=lambda: Sink(1))
    err: Sink = field(default_factory=lambda: Sink(2))

    @classmethod
    def of_process(cls, environ: Mapping[str, str], *, interactive: bool) -> Console:
        """Describe the streams of this process."""
        out_terminal, err_terminal = os.isatty(1), os.isatty(2)
        plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
        return cls(
            interactive=interactive,
            out_terminal=out_terminal,
            err_terminal=err_terminal,
            color=not plain,
            # With `| less` both programs would draw on the same screen.
            progress=err_terminal and environ.get("TERM") != "dumb" and (out_terminal or _is_file(1)),
        )

    @property
    def color_out(self) -> bool:
        return self.color and self.out_terminal

    def write_message(self, text: str) -> None:
        """Write a message that is not part of a result."""
        if self.interactive:
            self.out.text(text + "\n")
        else:
            self.write_error(text)

    def write_error(self, text: str) -> None:
        """Write to stderr; a closed stderr is ignored."""
        try:
            self.err.text(text + "\n")
        except (PipeClosed, UsageError):
            return

    def paint(self, style: str, text: str) -> str:
        """Colour text for stderr, if that is a terminal that supports it."""
        return f"{_STYLES[style]}{text}\x1b[0m" if self.color and self.err_terminal else text


@dataclass(slots=True)
class Display:
    """Display settings: from flags and configuration, changed by dot commands."""

    format: str = "table"
    null: str = "NULL"
    data_null: str | None = None  # only what the user asked for: csv and tsv have marks of their own
    header: bool = True
    timer: bool = False
    pager: bool = True
    max_rows: int | None = MAX_ROWS  # of a table in the interactive shell; None: all
    max_width: int | None = None

    def style(self, console: Console) -> Style:
        return Style(
            null=self.null,
            data_null=self.data_null,
            header=self.header,
            color=console.color_out,
            terminal=console.out_terminal,
        )


def screen_size() -> tuple[int, int]:
    """Return the terminal's columns and lines."""
    size = shutil.get_terminal_size()
    return size.columns, size.lines


def _is_file(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False
