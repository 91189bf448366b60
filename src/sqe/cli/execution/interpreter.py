"""Execute statements and dot commands in order, for batch mode, `.read` and the interactive shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from sqe.cli import exit_codes
from sqe.cli.execution.report import report
from sqe.cli.execution.runner import Runner
from sqe.cli.execution.script import Item, file_chunks, items
from sqe.cli.shell.dot_commands import DotContext, run_dot
from sqe.errors import SqeError, UsageError
from sqe.model.session import SessionSpec

DEEPEST_READ = 16


class Stop(Exception):  # noqa: N818 - it is no error
    """Ends a script after a failed statement."""


class Interpreter:
    """Runs items; `code` is the exit code so far, in which a failed engine outweighs a failed statement."""

    def __init__(self, runner: Runner, spec: SessionSpec, *, stop_on_error: bool = False) -> None:
        self.code = exit_codes.OK
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
        except UsageError as error:  # the script cannot be read
            self._runner.console.write_error(report(error, paint=self._runner.console.paint))
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
            console.write_error(report(error, first_line=item.line, source=source, paint=console.paint))
            return error
        return None

    def _failed(self, error: SqeError) -> None:
        code = exit_codes.exit_code(error)
        # A usage error in a script counts as a failed statement; USAGE is for the command line.
        self.code = max(self.code, exit_codes.STATEMENT_FAILED if code == exit_codes.USAGE else code)
        # Without its session the script would continue in a new one, without its views and settings.
        lost = code == exit_codes.ENGINE_FAILED and self._runner.connection.current is None
        if self._stop_on_error or (lost and not self._runner.console.interactive):
            raise Stop

    def _read(self, name: str) -> None:
        if self._depth >= DEEPEST_READ:
            raise UsageError(
                f"Scripts read each other more than {DEEPEST_READ} levels deep.",
                hint="Check whether one reads itself.",
            )
        self._depth += 1
        try:
            self.script(file_chunks(Path(name).expanduser()), source=name)
        finally:
            self._depth -= 1
