"""The gateway that `sqe policy test` starts, with an engine and warehouses that end with it.

The gateway lets its client impersonate any user, and asks the policy engines about that user. REST catalogs still see
the login of this account, so that impersonation grants no access to a catalog.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sqe.catalogs import catalogs_of
from sqe.cli.client.gateway import open_connection, start_gateway, stop_gateway
from sqe.cli.policy_test.outcome import Outcome
from sqe.config.schema import Config
from sqe.errors import EngineError, GatewayError, SessionError, SetupError, SqeError, UsageError
from sqe.frontends.flight.client import FlightConnection
from sqe.frontends.flight.wire import Impersonation
from sqe.locations import STAND_INS, locate, private_directory
from sqe.model.session import Catalog, Dialect, SessionSpec, WarehouseCatalog
from sqe.units import Duration

_MOST_ROWS = 10_000  # that are compared; further rows are only counted
_IDLE = Duration("1min")  # ends the engine soon if this process is killed


class PolicyTestGateway(AbstractContextManager["PolicyTestGateway"]):
    """A gateway in a run directory of its own, from `__enter__` to `__exit__`."""

    def __init__(self, config: Config) -> None:
        self._config = config.model_copy(
            update={"engine": config.engine.model_copy(update={"idle_timeout": _IDLE})}
        )
        self._run = private_directory(locate(config).run / secrets.token_hex(8))

    def __enter__(self) -> Self:
        """Start the gateway. Raises SqeError."""
        try:
            start_gateway(self._config, self._run, STAND_INS)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            stop_gateway(self._run)
        finally:
            self._remove()

    def _remove(self) -> None:
        shutil.rmtree(self._run, ignore_errors=True)

    def new_test_bed(self) -> PolicyTestBed:
        """Return a test bed with new, empty warehouses instead of the configured ones. REST catalogs stay."""
        directory = private_directory(self._run / "warehouses" / secrets.token_hex(4))
        catalogs = tuple(
            WarehouseCatalog(catalog.name, private_directory(directory / catalog.name))
            if isinstance(catalog, WarehouseCatalog)
            else catalog
            for catalog in catalogs_of(self._config)
        )
        return PolicyTestBed(self._run, catalogs, _administrator(self._config))


@dataclass(frozen=True, slots=True)
class PolicyTestBed:
    """The catalogs that the cases of one file share, and queries on them."""

    run: Path
    catalogs: tuple[Catalog, ...]
    administrator: Impersonation

    def prepare(self, statements: tuple[str, ...]) -> None:
        """Run statements without policies, in the throw-away warehouses only. Raises SqeError."""
        if not statements:
            return
        own = tuple(catalog for catalog in self.catalogs if isinstance(catalog, WarehouseCatalog))
        if not own:
            raise UsageError(
                "The statements in `setup` need a catalog of type warehouse, and all catalogs are of type rest.",
                hint="Create the tables yourself, and remove `setup`.",
            )
        with self._connect(self.administrator, SessionSpec(own)) as session:
            for statement in statements:
                outcome = session.run(statement)
                if outcome.error is not None:
                    raise UsageError(
                        f"A statement in `setup` failed: {outcome.error.message}",
                        hint=f"The statement is: {statement}",
                    )

    def run_query(self, who: Impersonation, query: str, dialect: Dialect) -> Outcome:
        """Run a query as the given user. Raises SqeError if the gateway or its engine fails."""
        with self._connect(who, SessionSpec(self.catalogs, dialect=dialect)) as session:
            return session.run(query)

    def _connect(self, who: Impersonation, spec: SessionSpec) -> _Session:
        return _Session(self.run, who, spec)


class _Session(AbstractContextManager["_Session"]):
    def __init__(self, run: Path, who: Impersonation, spec: SessionSpec) -> None:
        connection = open_connection(run)
        if connection is None:
            raise GatewayError("The gateway of the test has ended.")
        self._connection: FlightConnection = connection
        connection.open(spec, who)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def run(self, sql: str) -> Outcome:
        rows: list[tuple[Any, ...]] = []
        count = 0
        try:
            result = self._connection.execute(sql)
            columns = tuple(result.schema.names)
            for batch in result:
                count += batch.num_rows
                if len(rows) < _MOST_ROWS:
                    kept = batch.slice(0, _MOST_ROWS - len(rows))
                    rows += zip(*(column.to_pylist() for column in kept.columns), strict=True)
        except (EngineError, GatewayError, SessionError, SetupError):
            raise  # not a decision of a policy
        except SqeError as error:
            return Outcome(error=error)
        return Outcome(columns, tuple(rows), count)


def _administrator(config: Config) -> Impersonation:
    """Return the first of policy.admins, so that `setup` can grant; it owns the tables that `setup` creates."""
    kinds: Mapping[str, str] = {}
    if config.policy.admins:
        kind, _, name = config.policy.admins[0].partition(":")
        kinds = {kind: name}
    return Impersonation(
        kinds.get("user", "setup"),
        frozenset({kinds["role"]} if "role" in kinds else ()),
        frozenset({kinds["group"]} if "group" in kinds else ()),
        trusted=True,
    )
