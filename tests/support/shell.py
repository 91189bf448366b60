"""Run the interactive shell on a pseudo-terminal."""

from __future__ import annotations

import re
import sys

from testing.command import Sqe
from tests.support.pty import Terminal

ENGINE_SECONDS = 120.0  # the first statement waits for the engine
STATEMENT_SECONDS = 60.0


def open_shell(sqe: Sqe, *, columns: int = 100, lines: int = 60, **variables: str) -> Terminal:
    """Start a shell on the command's engine and warehouse, and wait for its prompt."""
    terminal = Terminal.spawn(
        [sys.executable, "-m", "sqe.cli.main", "--warehouse", str(sqe.warehouse)],
        env={
            **sqe.environment,
            **sqe.settings,
            "TERM": "xterm-256color",
            "PAGER": "",
            "NO_COLOR": "",
            **variables,
        },
        inherit=False,
        cwd=str(sqe.directory),
        columns=columns,
        lines=lines,
    )
    terminal.wait_for("sqe>")
    return terminal


def run(shell: Terminal, text: str, expected: str, *, seconds: float = STATEMENT_SECONDS) -> str:
    """Enter a line at the prompt, wait for the next one, and return what is between them."""
    prompts = shell.text.count("sqe>")
    shell.line(text)
    answer = shell.wait_for("sqe>", count=prompts + 1, seconds=seconds).split("sqe>")[prompts]
    assert re.search(expected, answer), f"no {expected!r} in:\n{answer}"
    return answer


def complete(shell: Terminal, text: str, expected: str) -> None:
    """Type and press Tab, again and again: names arrive in the background, some time after a table was made."""

    def attempt() -> None:
        shell.key("ctrl-u")
        shell.send(text)
        shell.key("tab")

    shell.wait_until(attempt, expected, seconds=STATEMENT_SECONDS)


def leave(shell: Terminal) -> None:
    shell.line(".quit")
    assert shell.wait_exit() == 0
