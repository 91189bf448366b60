"""Run one statement: wait for the connection, fetch, draw progress, write the result, report the error."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing

import pyarrow as pa

from sqe.cli.client.background_connection import BackgroundConnection
from sqe.cli.client.connection import Connection
from sqe.cli.client.fetch import TICK, End, Fetch
from sqe.cli.execution.console import Console, Display, screen_size
from sqe.cli.execution.copy_file import copy_writer
from sqe.cli.execution.progress import ProgressLine
from sqe.cli.execution.report import report
from sqe.cli.output.formats import Writer, make_writer
from sqe.cli.output.screen_table import ScreenTable
from sqe.cli.shell import pager
from sqe.errors import GatewayError, SessionError, SqeError, UnsupportedError
from sqe.sql.files.copy import Copy, begins_copy, read_copy

CANCEL_SECONDS = 5.0
ABANDON_SECONDS = 1.0
FOR_PEOPLE = frozenset({"table", "markdown", "vertical"})


class Interrupted(Exception):  # noqa: N818 - it is no error
    """The user pressed Ctrl-C while a statement ran; it is canceled."""


class Runner:
    def __init__(self, connection: BackgroundConnection, display: Display, console: Console) -> None:
        self.connection = connection
        self.display = display
        self.console = console

    def run(self, sql: str, *, line: int = 1, source: str | None = None) -> SqeError | None:
        """Run a statement and show its result; a failure is reported and returned.

        Raises:
            Interrupted: after Ctrl-C.
            PipeClosed: when the reader of the output has ended.
        """
        started = time.monotonic()
        try:
            try:
                self._show(sql)
            except pa.ArrowException as error:  # a value or a type that Arrow cannot turn into text
                raise UnsupportedError(
                    f"The result has a value or type that cannot be shown: {error}."
                ) from error
        except SqeError as error:
            paint = self.console.paint
            self.console.write_error(
                report(error, statement=sql, first_line=line, source=source, paint=paint)
            )
            return error
        finally:
            if self.display.timer:
                self.console.write_message(f"Time: {time.monotonic() - started:.3f} s")
        return None

    def show_table(self, table: pa.Table) -> None:
        """Show a table of the shell's own in the current format."""
        writer = self._writer()
        writer.begin(table.schema)
        for batch in table.to_batches():
            writer.batch(batch)
        writer.end()

    def collect(self, sql: str) -> pa.Table:
        """Run a statement and return its result, which must be small. Raises SqeError."""
        with closing(self._stream(sql)) as events:
            schema = next(events)
            return pa.Table.from_batches(
                [batch for batch in events if isinstance(batch, pa.RecordBatch)], schema
            )

    def schema(self, sql: str) -> pa.Schema:
        """Return the columns that a query would have. Raises SqeError."""
        with closing(self._stream(sql)) as events:
            return next(events)

    def _show(self, sql: str) -> None:
        if begins_copy(sql):
            self._copy(read_copy(sql))
            return
        streams = self.console.out_terminal and not self._on_screen
        with closing(self._stream(sql, streams=streams)) as events:
            schema = next(events)
            if not len(schema):
                for _ in events:
                    pass
                if self.console.out_terminal and self.display.format in FOR_PEOPLE:
                    self.console.out.text("OK\n")
                return
            writer = self._writer()
            writer.begin(schema)
            for batch in events:
                writer.batch(batch)
            writer.end()

    def _copy(self, copy: Copy) -> None:
        """Write the result of a query to a file of this machine."""
        rows = 0
        with copy_writer(copy) as writer:
            try:
                with closing(self._stream(copy.query)) as events:
                    writer.begin(next(events))
                    for batch in events:
                        writer.batch(batch)
                        rows += batch.num_rows
                    writer.end()
            except SqeError as error:
                if not copy.placed:
                    error.position = None  # a place in a text that the user did not write
                raise
        if self.console.out_terminal and self.display.format in FOR_PEOPLE:
            self.console.out.text(f"OK, {rows} rows written\n")

    @property
    def _on_screen(self) -> bool:
        """Whether the result is a table that is drawn when it is complete."""
        return self.display.format == "table" and self.console.interactive

    def _writer(self) -> Writer:
        display, console = self.display, self.console
        style = display.style(console)
        if not self._on_screen:
            return make_writer(display.format, console.out, style)
        command = pager.default_pager() if display.pager and console.out_terminal else None
        return ScreenTable(
            style,
            show=lambda text: pager.page(console, text, command),
            write_footer=console.write_message,
            max_rows=display.max_rows,
            screen_width=display.max_width or (None if command else screen_size()[0]),
        )

    def _stream(
        self, sql: str, *, streams: bool = False
    ) -> Generator[pa.Schema | pa.RecordBatch, None, None]:
        """Yield the schema, then the batches.

        Args:
            sql: The statement.
            streams: Whether output goes to the screen batch by batch, so that the progress line must be cleared before.
        """
        progress = ProgressLine(self.console)
        fetch: Fetch | None = None
        try:
            fetch = Fetch(self._connection(progress), sql)
            while not isinstance(event := self._next(fetch, progress), End):
                if streams:
                    progress.stop()
                yield event
                self._tick(fetch, progress)
            fetch = None
        except KeyboardInterrupt:
            if fetch is not None:
                self._cancel(fetch, progress)
            raise Interrupted from None
        except (GatewayError, SessionError):
            self.connection.close()
            raise
        except SqeError:
            fetch = None  # it has ended
            raise
        finally:
            progress.clear()
            if fetch is not None:  # the reader stopped early: `| head`
                fetch.cancel(ABANDON_SECONDS)

    def _connection(self, progress: ProgressLine) -> Connection:
        while (connection := self.connection.wait(TICK)) is None:
            progress.update(self.connection.note or "connecting", None)
        return connection

    def _next(self, fetch: Fetch, progress: ProgressLine) -> pa.Schema | pa.RecordBatch | End:
        while (event := fetch.next(TICK)) is None:
            self._tick(fetch, progress)
        return event

    def _tick(self, fetch: Fetch, progress: ProgressLine) -> None:
        if progress.due:
            fetch.poll()
            progress.update(None, fetch.status)

    def _cancel(self, fetch: Fetch, progress: ProgressLine) -> None:
        """Cancel a statement and wait for its end; another Ctrl-C stops the waiting."""
        progress.clear()
        try:
            if not fetch.cancel(CANCEL_SECONDS):
                self.console.write_error("The server has not confirmed the cancellation yet.")
        except KeyboardInterrupt:
            self.console.write_error("Not waiting for the server to confirm the cancellation.")
