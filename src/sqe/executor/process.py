"""One worker process, as the gateway sees it."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from sqe.errors import QueryCanceledError
from sqe.executor import wire
from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan

_START_SECONDS = 60.0
_END_SECONDS = 5.0
_REACT_SECONDS = 3.0  # from a cancel to its effect; a worker that takes longer is killed
# Nothing of the gateway's environment: keys of its account, proxies, preloaded libraries.
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


class WorkerProcess:
    """Runs one plan at a time. After `alive` is false it can only be closed."""

    def __init__(self, directory: Path) -> None:
        self._scratch = Path(tempfile.mkdtemp(prefix="worker-", dir=directory))
        self._connection, theirs = socket.socketpair()
        with theirs, (directory / "executor.stderr").open("ab") as output:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                [sys.executable, "-I", "-m", "sqe.executor.worker", str(self._scratch)],
                stdin=theirs.fileno(),
                stdout=output,
                stderr=output,
                env=_ENVIRONMENT,
                start_new_session=True,  # a Ctrl-C at the server's terminal is for the server
            )
        self._sending = threading.Lock()
        self._number = 0
        self._canceled_at: float | None = None
        self._ready = False
        self.alive = True
        self.idle_since = time.monotonic()
        self.files: tuple[str, ...] = ()  # of its last plan

    def run(self, plan: LocalPlan, memory: int, spill: int, threads: int) -> Iterator[pa.RecordBatch]:
        """Run a plan; yield its batches, the first of which may have no rows. Raises LocalExecutionError, SqeError."""
        self._number += 1
        self.files = plan.files
        self._canceled_at = None
        request = {
            **plan.request(),
            "number": self._number,
            "memory": memory,
            "spill": spill,
            "threads": threads,
            "scratch": str(self._scratch),
        }
        delivered = ended = False
        try:
            self._wait_until_ready()
            self._send(wire.Kind.QUERY, json.dumps(request).encode())
            schema: pa.Schema | None = None
            while True:
                kind, payload = self._receive()
                if kind is wire.Kind.END:
                    ended = True
                    break
                if kind is wire.Kind.SCHEMA:
                    schema = pa.ipc.read_schema(pa.py_buffer(payload))
                    yield pa.RecordBatch.from_pylist([], schema)
                    continue
                delivered = True
                yield pa.ipc.read_record_batch(pa.py_buffer(payload), schema)
            _raise_failure(json.loads(payload), delivered=delivered)
        except (OSError, ValueError) as error:
            self.alive = False
            if self._canceled_at is not None:
                raise QueryCanceledError("The query was canceled.") from error
            raise LocalExecutionError("worker ended", delivered=delivered) from error
        finally:
            if not ended and self.alive:
                self._abandon()
            self.idle_since = time.monotonic()

    def cancel(self) -> None:
        """Stop the plan that runs, and kill the process if it has not reacted to an earlier call."""
        now = time.monotonic()
        if self._canceled_at is None:
            self._canceled_at = now
            try:
                self._send(wire.Kind.CANCEL, json.dumps({"number": self._number}).encode())
            except OSError:
                self._kill()
        elif now - self._canceled_at > _REACT_SECONDS:
            self._kill()

    def close(self) -> None:
        """End the process and remove its files."""
        self.alive = False
        self._shut()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()
        self._connection.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _wait_until_ready(self) -> None:
        if self._ready:
            return
        self._connection.settimeout(_START_SECONDS)
        kind, _ = self._receive()
        self._ready = kind is wire.Kind.READY
        self._connection.settimeout(None)

    def _send(self, kind: wire.Kind, payload: bytes) -> None:
        with self._sending:
            wire.send(self._connection, kind, payload)

    def _receive(self) -> tuple[wire.Kind, bytearray]:
        frame = wire.receive(self._connection)
        if frame is None:
            raise OSError("The worker has closed the connection.")
        return frame

    def _abandon(self) -> None:
        """Stop a plan whose rows nobody reads any more, and wait for its end."""
        try:
            self.cancel()
            self._connection.settimeout(_REACT_SECONDS)
            while self._receive()[0] is not wire.Kind.END:
                pass
            self._connection.settimeout(None)
        except (OSError, ValueError):
            self._kill()

    def _kill(self) -> None:
        self.alive = False
        self._process.kill()
        self._process.wait(_END_SECONDS)
        self._shut()

    def _shut(self) -> None:
        """Wake the thread that reads from the connection, which only it may close."""
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the other side was first


def _raise_failure(end: dict[str, str], *, delivered: bool) -> None:
    if end["outcome"] == wire.CANCELED:
        raise QueryCanceledError("The query was canceled.")
    if end["outcome"] != wire.OK:
        raise LocalExecutionError(end["reason"], delivered=delivered)
