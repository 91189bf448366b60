"""Fetch a statement's result in a thread, so that the main thread can handle Ctrl-C and show progress."""

from __future__ import annotations

import queue
import threading
from typing import Final, TypeAlias

import pyarrow as pa

from sqe.cli.client.connection import Connection, Result
from sqe.errors import SqeError
from sqe.model.months import readable_batch, readable_schema
from sqe.model.query import QueryStatus

AHEAD = 4  # batches that are fetched ahead of the writer
TICK = 0.1
POLL_SECONDS = 0.15


class End:
    """The result is complete."""


END: Final = End()

Event: TypeAlias = "pa.Schema | pa.RecordBatch | End"


class Fetch:
    """Starts the statement at once. `next` returns the schema, the batches and END, or raises the error."""

    def __init__(self, connection: Connection, sql: str) -> None:
        self._connection = connection
        self._sql = sql
        self._events: queue.Queue[Event | BaseException] = queue.Queue(AHEAD)
        self._result: Result | None = None
        self._stopped = threading.Event()
        self._canceled = False
        self._lock = threading.Lock()
        self._poller: threading.Thread | None = None
        self.status: QueryStatus | None = None  # as last polled
        self._worker = threading.Thread(target=self._work, name="fetch", daemon=True)
        self._worker.start()

    def next(self, timeout: float) -> Event | None:
        """Return the next event, or None when there is none in time."""
        try:
            event = self._events.get(timeout=timeout)
        except queue.Empty:
            return None
        if isinstance(event, BaseException):
            raise event
        return event

    def poll(self) -> None:
        """Start to update `status` in the background."""
        if self._poller is None:
            self._poller = threading.Thread(target=self._poll, name="poll", daemon=True)
            self._poller.start()

    def cancel(self, wait: float) -> bool:
        """Cancel the statement; return whether it ended within `wait` seconds."""
        self._stopped.set()
        with self._lock:
            result, self._canceled = self._result, True
        if result is not None:
            threading.Thread(target=_cancel, args=(result,), name="cancel", daemon=True).start()
        self._worker.join(wait)
        return not self._worker.is_alive()

    def _work(self) -> None:
        try:
            result = self._connection.execute(self._sql)
            with self._lock:
                self._result = result
                canceled = self._canceled
            if canceled:
                result.cancel()
            try:
                schema = readable_schema(given := result.schema)
                self._put(schema)
                for batch in result:
                    if not self._put(batch if schema is given else readable_batch(batch, schema)):
                        return
                self._put(END)
            finally:
                result.close()
        except BaseException as failure:  # noqa: BLE001 - handed to the main thread, which raises it
            self._put(failure)
        finally:
            self._stopped.set()

    def _put(self, event: Event | BaseException) -> bool:
        """Queue an event for the main thread; return False if the fetch was stopped."""
        while not self._stopped.is_set():
            try:
                self._events.put(event, timeout=TICK)
            except queue.Full:
                continue
            return True
        return False

    def _poll(self) -> None:
        while not self._stopped.wait(POLL_SECONDS):
            with self._lock:
                result = self._result
            if result is None:
                continue
            try:
                self.status = result.status()
            except SqeError:
                return  # `next` raises the error


def _cancel(result: Result) -> None:
    try:
        result.cancel()
    except SqeError:
        return  # it ended by itself, or the server is gone: nothing runs any more
