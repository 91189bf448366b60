"""Executes statements and dot commands in order: what batch mode, `.read` and the interactive shell share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from sqe.cli import exits
from sqe.cli.execution.report import report
from sqe.cli.execution.runner import Runner
from sqe.cli.execution.script import Item, file_chunks, items
from sqe.cli.shell.dot import DotContext, run_dot
from sqe.errors import SqeError, UsageError
from sqe.model.session import SessionSpec

DEEPEST_READ = 16


class Stop(Exception):  # noqa: N818 - it is no error
    """A statement failed and the script is to stop there."""


class Interpreter:
    """`code` is the exit code that what has run so far deserves; a broken engine outweighs a failed statement."""

    def __init__(self, runner: Runner, spec: SessionSpec, *, stop_on_error: bool = False) -> None:
        self.code = exits.OK
        self.after: Callable[[str], None] = lambda sql: None  # called with each statement that succeeded
        self._runner = runner
        self._dots = DotContext(runner, spec, self._read)
        self._stop_on_error = stop_on_error
        self._depth = 0

    def script(self, chunks: Iterable[str], source: str | None = None) -> None:
        """Run a whole script. Raises Stop, Quit, Interrupted and PipeClosed."""
        try:
            for item in items(chunks):
                self.item(item, source)
        except UsageError as error:  # the text cannot be read
            self._runner.console.complain(report(error, paint=self._runner.console.paint))
            self._failed(error)

    def item(self, item: Item, source: str | None = None) -> None:
        error = self._dot(item, source) if item.dot else self._sql(item, source)
        if error is not None:
            self._failed(error)

    def _sql(self, item: Item, source: str | None) -> SqeError | None:
        error = self._runner.run(item.text, line=item.line, source=source)
        if error is None:
            self.after(item.text)
        return error

    def _dot(self, item: Item, source: str | None) -> SqeError | None:
        console = self._runner.console
        try:
            run_dot(item.text, self._dots)
        except SqeError as error:
            console.complain(report(error, first_line=item.line, source=source, paint=console.paint))
            return error
        return None

    def _failed(self, error: SqeError) -> None:
        code = exits.exit_code(error)
        # A mistake inside a script is a failed statement; only the command line itself can be misused.
        self.code = max(self.code, exits.STATEMENT_FAILED if code == exits.USAGE else code)
        # Without its session a script would go on in another one, where nothing is as it left it.
        lost = code == exits.ENGINE_FAILED and self._runner.link.open is None
        if self._stop_on_error or (lost and not self._runner.console.interactive):
            raise Stop

    def _read(self, name: str) -> None:
        if self._depth >= DEEPEST_READ:
            raise UsageError(
                f"Scripts read each other more than {DEEPEST_READ} deep.", hint="Does one read itself?"
            )
        self._depth += 1
        try:
            self.script(file_chunks(Path(name).expanduser()), source=name)
        finally:
            self._depth -= 1
