"""Connect to the database of grants: a private SQLite file, or PostgreSQL."""

from __future__ import annotations

import math
import os
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

from sqe.common.filelock import hold
from sqe.errors import ConfigError, SetupError

_CONNECTIONS = 4
_WRITERS = 0x5351_4550  # any number, the same for every gateway
_WRITES = "sqe_writes"  # an execution option: the transaction takes the lock of writers when it begins


def open_database(location: Path | str, timeout: float) -> Engine:
    """Return an engine of SQLAlchemy; it does not connect to PostgreSQL yet.

    Args:
        location: the path of a SQLite file, created if missing, or a `postgresql://` address.
        timeout: seconds to wait for a lock, a connection or a response.

    Raises:
        ConfigError: the address is not one of PostgreSQL.
        SetupError: the file cannot be created, or other users can read it.
    """
    if isinstance(location, Path):
        return _sqlite(location, timeout)
    return _postgresql(location, timeout)


def writing(engine: Engine) -> Engine:
    """Return an engine with the same connections for write transactions, which run one at a time."""
    if engine.dialect.name == "postgresql":
        # Statements after the lock must see the last writer's changes. The snapshot of REPEATABLE READ is taken by the
        # first statement, which is the lock itself, and would be older.
        return engine.execution_options(isolation_level="READ COMMITTED", **{_WRITES: True})
    return engine.execution_options(**{_WRITES: True})


def _sqlite(path: Path, timeout: float) -> Engine:
    _make_private(path)
    engine = create_engine(
        URL.create("sqlite+pysqlite", database=str(path)),
        connect_args={"timeout": timeout, "check_same_thread": False},
        poolclass=QueuePool,
        pool_size=_CONNECTIONS,
        pool_timeout=timeout,
        hide_parameters=True,
    )
    event.listen(engine, "connect", lambda connection, _: _prepare_sqlite(connection, path, timeout))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, path: Path, timeout: float) -> None:
    connection.isolation_level = None  # `_begin_sqlite` begins transactions, not the driver
    # The first connection to a new file changes its mode. SQLite does that only while no other connection uses the
    # file, and fails at once where one does, whatever its time limit is: gateways that start together take turns.
    lock = path.with_name(f"{path.name}.lock")
    with (
        hold(lock, timeout=timeout, what="opens the database of grants"),
        closing(connection.cursor()) as cursor,
    ):
        cursor.execute("PRAGMA journal_mode = WAL")  # readers do not wait for writers
        cursor.execute("PRAGMA synchronous = FULL")  # a committed REVOKE survives a power failure


def _begin_sqlite(connection: Connection) -> None:
    # IMMEDIATE: a transaction that reads before it writes could otherwise fail because of another writer.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _make_private(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600))
        found = path.lstat()
    except OSError as error:
        raise SetupError(
            f"The database of grants, {path}, cannot be opened: {error.strerror}.",
            hint="Set paths.home to a directory of your own, or policy.grants_database to a PostgreSQL address.",
        ) from error
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise SetupError(
            f"The database of grants, {path}, is not a private file of this user.",
            hint="Check its content, then `chmod 600` it.",
        )


def _postgresql(address: str, timeout: float) -> Engine:
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    if url is None or url.drivername not in ("postgresql", "postgres"):
        # The address may hold a password: it is not repeated.
        raise ConfigError(
            "policy.grants_database is not a PostgreSQL address.",
            hint="Write postgresql://user@host/database, or leave it out for a SQLite file.",
        )
    milliseconds = max(1, int(timeout * 1000))
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args={
            "connect_timeout": max(2, math.ceil(timeout)),  # libpq's minimum is 2
            "options": f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds}",
            "application_name": "sqe",
        },
        isolation_level="REPEATABLE READ",  # a snapshot is of one moment
        pool_size=_CONNECTIONS,
        pool_timeout=timeout,
        hide_parameters=True,
    )
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def _begin_postgresql(connection: Connection) -> None:
    if connection.get_execution_options().get(_WRITES, False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS})")
