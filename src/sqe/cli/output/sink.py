"""Write output directly to a file descriptor, so that a closed pipe is noticed at once and in one place."""

from __future__ import annotations

import os
import select

import pyarrow as pa

from sqe.errors import UsageError


class PipeClosed(Exception):  # noqa: N818 - it is no error
    """The reader has closed the pipe, as in `| head`: stop without an error."""


class Sink:
    """An unbuffered stream: writers write one block for each batch. Writing raises PipeClosed and UsageError."""

    def __init__(self, descriptor: int = 1) -> None:
        self._descriptor = descriptor
        self.used = False
        """Whether anything was written."""

    def write(self, data: bytes | memoryview) -> None:
        self.used = True
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BrokenPipeError:
                raise PipeClosed from None
            except BlockingIOError:  # another process that shares the terminal has made it non-blocking
                select.select([], [self._descriptor], [])
            except OSError as error:
                raise UsageError(f"The output cannot be written: {error.strerror}.") from None

    def text(self, text: str) -> None:
        self.write(text.encode("utf-8", "backslashreplace"))

    def strings(self, rows: pa.Array) -> None:
        """Write a freshly computed large_string array's bytes one after the other, without a copy."""
        if not len(rows):
            return
        _, offsets, data = rows.buffers()
        ends = memoryview(offsets).cast("q")
        if data is not None:
            self.write(memoryview(data).cast("B")[ends[rows.offset] : ends[rows.offset + len(rows)]])
