"""A worker of the local executor: runs rendered plans in DuckDB, one at a time, and sends their batches.

The gateway starts it as `python -I -m sqe.executor.worker`, with a socket as its standard input, which is all that it
shares with other processes. A plan's database is in memory, and can open the plan's files and nothing else, with the
keys that came with the plan; only the next plan on the same files may have it, too, if there were no keys. The worker
ends when the socket does.
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
_MOST_KEPT_MEMORY = 256 << 20  # of a database that waits for the next plan
_NO_NEW_PRIVILEGES = 38  # of prctl(2)
_KILLED_FIRST = "500"  # when the machine has no memory left, this process goes before the gateway

# Of DuckDB's reader of S3.
_STORE_SETTINGS = (
    "SET httpfs_client_implementation = 'curl'",
    "SET enable_curl_server_cert_verification = true",
    "SET enable_server_cert_verification = true",  # of the other client; it is off by default
    "SET s3_url_compatibility_mode = true",  # the name of an object is neither a pattern nor has it settings in it
    "SET enable_global_s3_configuration = false",  # no keys from the environment
    "SET httpfs_enable_credential_refresh = false",
    "SET enable_http_metadata_cache = true",  # a file of a table does not change
    "SET parquet_metadata_cache = true",
    "SET http_retries = 2",
)
_STORE_ACCESS = (
    "CREATE SECRET store_{number} (TYPE s3, PROVIDER config, SCOPE $scope, ENDPOINT $endpoint, REGION $region, "
    "URL_STYLE $url_style, USE_SSL $use_ssl, KEY_ID $key_id, SECRET $secret, SESSION_TOKEN $session_token)"
)


class Worker:
    """Runs the plans that come in over a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._database: duckdb.DuckDBPyConnection | None = None  # of the plan that runs
        self._kept: tuple[object, duckdb.DuckDBPyConnection] | None = (
            None  # for the next plan on the same files
        )
        self._canceled: set[int] = set()
        self._number = 0
        self._prepared: duckdb.DuckDBPyConnection | None = None  # for a plan on other files
        self._stores = False  # whether a plan has read a store
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
                # Made while there is nothing to do: it takes as long as a small plan, with a reader of S3 longer.
                self._prepared = self._prepared or _prepared(stores=self._stores)
                self._run(self._requests.get())
        except OSError:
            os._exit(0)  # the gateway is gone
        except (duckdb.Error, MemoryError):
            os._exit(1)  # there is no database for the next plan

    def _run(self, request: dict[str, Any]) -> None:
        number = request["number"]
        outcome, reason = wire.OK, ""
        database: duckdb.DuckDBPyConnection | None = None
        try:
            database = self._open(request)
            with self._lock:
                self._number, self._database = number, database
                canceled = number in self._canceled
            if canceled:
                outcome = wire.CANCELED
            else:
                self._file_schemas.check(database, request)
                self._send_rows(database, request)
            if self._keep(request, database):
                database = None
        except duckdb.InterruptException:
            outcome = wire.CANCELED
        except UnexpectedFileError as error:
            outcome, reason = wire.FAILED, str(error)
        except (duckdb.Error, pa.ArrowException, ImportError, MemoryError) as error:
            # The name alone: a message may have values of rows in it.
            outcome, reason = wire.FAILED, type(error).__name__
        with self._lock:
            self._database = None  # before it is closed: a closed one cannot be interrupted
            self._number = number + 1
            self._canceled.discard(number)
        if database is not None:
            database.close()
        wire.send(
            self._connection, wire.Kind.END, json.dumps({"outcome": outcome, "reason": reason}).encode()
        )

    def _open(self, request: dict[str, Any]) -> duckdb.DuckDBPyConnection:
        """Return the last plan's database, if this plan may have the same, or a new one."""
        kept, self._kept = self._kept, None
        if kept is not None:
            if kept[0] == _rights(request):
                return kept[1]
            kept[1].close()
        prepared, self._prepared = self._prepared or _prepared(stores=self._stores), None
        try:
            self._set_up(prepared, request)
        except BaseException:
            prepared.close()
            raise
        return prepared

    def _keep(self, request: dict[str, Any], database: duckdb.DuckDBPyConnection) -> bool:
        """Keep the database of a plan that has ended well, unless it has credentials or much memory."""
        if request["stores"] or request["memory"] > _MOST_KEPT_MEMORY:
            return False
        self._kept = (_rights(request), database)
        return True

    def _set_up(self, database: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> None:
        """Let a prepared database read the files of a plan and nothing else."""
        database.execute(f"SET threads = {request['threads']:d}")
        database.execute(f"SET memory_limit = '{request['memory']:d}B'")
        database.execute("SET temp_directory = $scratch", {"scratch": request["scratch"]})
        database.execute(f"SET max_temp_directory_size = '{request['spill']:d}B'")
        if request["stores"]:
            if not self._stores:
                _load_stores(database)
                self._stores = True
            if request["ca_file"]:
                database.execute("SET ca_cert_file = $file", {"file": request["ca_file"]})
            for number, store in enumerate(request["stores"]):
                database.execute(_STORE_ACCESS.format(number=number), store)
        database.execute("SET allowed_paths = $paths", {"paths": request["files"]})
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")

    def _send_rows(self, database: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> None:
        sql = request["sql"]
        if request["can_fail"]:
            # All rows are there before the first one leaves, so that a plan that fails can still be run elsewhere.
            database.execute(f"CREATE OR REPLACE TEMP TABLE result AS {sql}")
            sql = "FROM result"
        reader = database.execute(sql).to_arrow_reader(_BATCH_ROWS)
        wire.send(self._connection, wire.Kind.SCHEMA, reader.schema.serialize())
        for batch in reader:
            wire.send(self._connection, wire.Kind.BATCH, memoryview(batch.serialize()))
        if request["can_fail"]:
            database.execute("DROP TABLE result")


def _rights(request: dict[str, Any]) -> object:
    """Return all that a database is opened with: two plans with the same may have the same database."""
    return {name: request[name] for name in ("files", "memory", "spill", "threads", "scratch")}


def _prepared(*, stores: bool) -> duckdb.DuckDBPyConnection:
    """Make a database for the next plan."""
    database = duckdb.connect(
        ":memory:",
        config={
            "threads": 1,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
        },
    )
    database.execute("SET TimeZone = 'UTC'")
    # The footers of files are needed twice: for the check of their columns, and to read them.
    database.execute("SET parquet_metadata_cache = true")
    for macro in MACROS:
        database.execute(macro)
    if stores:
        _load_stores(database)
    return database


def _load_stores(database: duckdb.DuckDBPyConnection) -> None:
    """Load DuckDB's reader of S3 from its wheel. DuckDB checks its signature."""
    import duckdb_extension_httpfs as httpfs

    package = Path(str(httpfs.__file__)).parent
    file = package / "extensions" / f"v{duckdb.__version__}" / "httpfs.duckdb_extension"
    database.execute("LOAD '{}'".format(str(file).replace("'", "''")))
    for setting in _STORE_SETTINGS:
        database.execute(setting)


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
