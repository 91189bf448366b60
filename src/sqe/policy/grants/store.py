"""Read and change the database of grants: whole snapshots, and transactions that are recorded in the history."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn, TypeVar

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sqe.errors import PolicyUnavailableError
from sqe.policy.grants.database import open_database, writing
from sqe.policy.grants.entries import Grant, HistoryEntry, Policy, Snapshot
from sqe.policy.grants.rows import grant_of, grant_row, policy_of, policy_row
from sqe.policy.grants.tables import GRANTS, HISTORY, POLICIES, STATE, migrate

_log = logging.getLogger(__name__)

Result = TypeVar("Result")


class GrantStore:
    """The store of grants and policies. Gateways may share a database: each decision sees the changes of all."""

    def __init__(self, location: Path | str, *, timeout: float) -> None:
        """Open the database and migrate it to the current layout.

        Args:
            location: a SQLite file, or a `postgresql://` address.
            timeout: seconds to wait for the database, each time.

        Raises:
            ConfigError: the address or the database's layout is unknown.
            SetupError: the file cannot be created, or other users can read it.
            PolicyUnavailableError: the database does not respond.
        """
        self._engine = open_database(location, timeout)
        self._writing = writing(self._engine)
        self._lock = threading.Lock()
        self._snapshot = Snapshot("")
        try:
            with self._writing.begin() as connection:
                migrate(connection, uuid.uuid4().hex)
        except SQLAlchemyError as error:
            _unavailable(error)

    def version(self) -> str:
        """Return a value that differs after every change. Raises PolicyUnavailableError."""
        return self._read(_version)

    def snapshot(self) -> Snapshot:
        """Return the current snapshot; it is read again only after a change. Raises PolicyUnavailableError."""
        kept = self._snapshot
        if kept.version == self.version():
            return kept
        with self._lock:  # one thread reads for all that have seen the change
            kept = self._snapshot
            if kept.version != self.version():
                kept = self._snapshot = self._read(_load)
            return kept

    def history(self) -> list[HistoryEntry]:
        """Return every change, oldest first. Raises PolicyUnavailableError."""

        def load(connection: Connection) -> list[HistoryEntry]:
            rows = connection.execute(select(HISTORY).order_by(HISTORY.c.version)).mappings()
            return [HistoryEntry(**row) for row in rows]

        return self._read(load)

    @contextmanager
    def change(self, who: str, statement: str) -> Iterator[Change]:
        """Open a write transaction, which excludes other writers until it ends; an exception rolls it back.

        Raises:
            PolicyUnavailableError: the database does not respond, or another writer locks it for too long.
        """
        try:
            with self._writing.begin() as connection:
                change = Change(connection)
                yield change
                if not change.made:
                    return
                version = _raise_version(connection)
                connection.execute(
                    insert(HISTORY).values(version=version, at=_now(), who=who, statement=statement)
                )
        except SQLAlchemyError as error:
            _unavailable(error)
        _log.info("policy change %d by %r: %r", version, who, statement)

    def record(self, who: str, statement: str) -> None:
        """Record a change that is made outside of the database, such as tags in a table's properties."""
        with self.change(who, statement) as change:
            change.made = True

    def close(self) -> None:
        self._engine.dispose()

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        for last in (False, True):
            try:
                with self._engine.begin() as connection:
                    return work(connection)
            except DBAPIError as error:
                # The database may have restarted since the connection was opened: try once more with a new one.
                if last or not error.connection_invalidated:
                    _unavailable(error)
            except SQLAlchemyError as error:
                _unavailable(error)
        raise AssertionError("the last try either returns or raises")


class Change:
    """The changes of one write transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.made = False  # whether anything was changed
        self.version = _version(connection)  # as it was when the transaction began

    def add_grant(self, grant: Grant) -> None:
        self._connection.execute(insert(GRANTS).values(grant_row(replace(grant, created=_now()))))
        self.made = True

    def replace_grant(self, grant: Grant) -> None:
        """Overwrite the entry with the grant's id."""
        self._connection.execute(update(GRANTS).where(GRANTS.c.id == grant.id).values(grant_row(grant)))
        self.made = True

    def remove_grant(self, grant: Grant) -> None:
        self._connection.execute(delete(GRANTS).where(GRANTS.c.id == grant.id))
        self.made = True

    def put_policy(self, policy: Policy) -> None:
        """Write a policy, replacing one of the same name."""
        self.drop_policy(policy.name)
        self._connection.execute(insert(POLICIES).values(policy_row(replace(policy, created=_now()))))

    def drop_policy(self, name: str) -> None:
        self._connection.execute(delete(POLICIES).where(POLICIES.c.name_key == name.lower()))
        self.made = True


def _version(connection: Connection) -> str:
    state = connection.execute(select(STATE.c.instance, STATE.c.version)).one()
    return f"{state.instance}:{state.version}"


def _load(connection: Connection) -> Snapshot:
    grants = connection.execute(select(GRANTS).order_by(GRANTS.c.id)).mappings().all()
    policies = connection.execute(select(POLICIES).order_by(POLICIES.c.name_key)).mappings().all()
    try:
        return Snapshot(
            _version(connection),
            tuple(grant_of(dict(row)) for row in grants),
            tuple(policy_of(dict(row)) for row in policies),
        )
    except (KeyError, TypeError, ValueError) as error:  # a part of the grants could miss a restriction
        raise PolicyUnavailableError(
            "The database of grants has an invalid entry, so that all access is denied.",
            hint="An administrator has to repair it; the server's log has the details.",
            detail=repr(error),
        ) from error


def _raise_version(connection: Connection) -> int:
    connection.execute(update(STATE).values(version=STATE.c.version + 1))
    version: int = connection.execute(select(STATE.c.version)).scalar_one()
    return version


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _unavailable(error: SQLAlchemyError) -> NoReturn:
    raise PolicyUnavailableError(
        "The database of grants does not respond, so that all access is denied.",
        hint="Try again in a moment; the server's log has the details.",
        detail=f"{type(error).__name__}: {getattr(error, 'orig', None) or error}",
    ) from error
