"""A worker of the local executor: runs rendered plans in DuckDB, one at a time, and sends their batches.

The gateway starts it as `python -I -m sqe.executor.worker`, with a socket as its standard input, which is all that it
shares with other processes. Each plan has a database of its own, in memory, which can open the plan's files and nothing
else. The worker ends when the socket does.
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import resource
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sqe.executor import wire
from sqe.executor.file_schemas import FileSchemas, UnexpectedFileError
from sqe.executor.macros import MACROS

_BATCH_ROWS = 16_384
_NO_NEW_PRIVILEGES = 38  # of prctl(2)
_KILLED_FIRST = "500"  # when the machine has no memory left, this process goes before the gateway


class Worker:
    """Runs the plans that come in over a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._database: duckdb.DuckDBPyConnection | None = None
        self._canceled: set[int] = set()
        self._number = 0
        self._file_schemas = FileSchemas()

    def serve(self) -> None:
        """Run plans until the connection ends."""
        threading.Thread(target=self._run_all, name="plans", daemon=True).start()
        wire.send(self._connection, wire.Kind.READY)
        while (frame := wire.receive(self._connection)) is not None:
            kind, payload = frame
            request = json.loads(payload)
            if kind is wire.Kind.QUERY:
                self._requests.put(request)
            elif kind is wire.Kind.CANCEL:
                self._cancel(request["number"])

    def _cancel(self, number: int) -> None:
        with self._lock:
            if number < self._number:
                return  # it has ended
            self._canceled.add(number)
            if number == self._number and self._database is not None:
                self._database.interrupt()

    def _run_all(self) -> None:
        try:
            while True:
                self._run(self._requests.get())
        except OSError:
            os._exit(0)  # the gateway is gone

    def _run(self, request: dict[str, Any]) -> None:
        number = request["number"]
        outcome, reason = wire.OK, ""
        try:
            with _database(request) as database:
                with self._lock:
                    self._number, self._database = number, database
                    canceled = number in self._canceled
                if canceled:
                    outcome = wire.CANCELED
                else:
                    self._file_schemas.check(database, request)
                    self._send_rows(database, request)
        except duckdb.InterruptException:
            outcome = wire.CANCELED
        except UnexpectedFileError as error:
            outcome, reason = wire.FAILED, str(error)
        except (duckdb.Error, pa.ArrowException, MemoryError) as error:
            # The name alone: a message may have values of rows in it.
            outcome, reason = wire.FAILED, type(error).__name__
        with self._lock:
            self._database = None
            self._number = number + 1
            self._canceled.discard(number)
        wire.send(
            self._connection, wire.Kind.END, json.dumps({"outcome": outcome, "reason": reason}).encode()
        )

    def _send_rows(self, database: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> None:
        sql = request["sql"]
        if request["can_fail"]:
            # All rows are there before the first one leaves, so that a plan that fails can still be run elsewhere.
            database.execute(f"CREATE TEMP TABLE result AS {sql}")
            sql = "FROM result"
        reader = database.execute(sql).to_arrow_reader(_BATCH_ROWS)
        wire.send(self._connection, wire.Kind.SCHEMA, reader.schema.serialize())
        for batch in reader:
            wire.send(self._connection, wire.Kind.BATCH, memoryview(batch.serialize()))


def _database(request: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """Open a database that can read the files of a plan and nothing else."""
    database = duckdb.connect(
        ":memory:",
        config={
            "threads": request["threads"],
            "memory_limit": f"{request['memory']}B",
            "temp_directory": request["scratch"],
            "max_temp_directory_size": f"{request['spill']}B",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
        },
    )
    try:
        database.execute("SET TimeZone = 'UTC'")
        # The footers of files are needed twice: for the check of their columns, and to read them.
        database.execute("SET parquet_metadata_cache = true")
        for macro in MACROS:
            database.execute(macro)
        database.execute("SET allowed_paths = $paths", {"paths": request["files"]})
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")
    except BaseException:
        database.close()
        raise
    return database


def _confine(scratch: Path) -> None:
    """Give up what the worker does not need."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(scratch)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        Path("/proc/self/oom_score_adj").write_text(_KILLED_FIRST)


def main() -> None:
    """Serve the socket that is the standard input."""
    _confine(Path(sys.argv[1]))
    Worker(socket.socket(fileno=os.dup(0))).serve()
    os._exit(0)  # a plan that runs has nobody to run for


if __name__ == "__main__":
    main()
