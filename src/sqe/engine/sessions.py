"""Open one Spark session for each client session, with its own catalogs, settings and temporary views."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sqe.engine.catalog_settings import (
    creating_warehouse,
    rest_catalog_settings,
    warehouse_exists,
    warehouse_settings,
)
from sqe.engine.control import Control, NoControl
from sqe.engine.endpoint import Endpoint
from sqe.engine.interface import NO_VIEWS
from sqe.engine.redaction import redacted
from sqe.engine.self_test import check_session_guard
from sqe.engine.source import EngineSource
from sqe.errors import ConfigError, EngineLostError, SessionError, SqeError
from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import Store, StoreAccess
from sqe.model.files import FileSource
from sqe.model.gateway_principal import GatewayPrincipal
from sqe.model.identity import Principal
from sqe.model.query import Progress
from sqe.model.session import DEFAULT_NAMESPACE, RestCatalog, SessionSpec, WarehouseCatalog

if TYPE_CHECKING:
    from sqe.engine.connect import ConnectSession
    from sqe.executor.pool import LocalExecutor

_log = logging.getLogger(__name__)


class SparkEngineSession:
    """A client's session on the engine. It opens a Spark session on first use, and another one after a crash."""

    def __init__(self, sessions: EngineSessions, spec: SessionSpec, principal: Principal) -> None:
        self._sessions = sessions
        self._spec = spec
        self._principal = principal
        self._bound: str | None = None  # the UUID under which the control endpoint knows the Spark session
        self._lock = threading.Lock()
        self._connect: ConnectSession | None = None
        self._endpoint: Endpoint | None = None
        self._closed = False
        self._temporary_warehouses: dict[str, Path] = {}

    def ready(self, given_up: Callable[[], bool]) -> None:
        """Wait for the engine and open a Spark session on it. Raises SqeError."""
        endpoint = self._sessions.source.endpoint(given_up)
        with self._lock:
            if self._endpoint != endpoint:
                if self._connect is not None:
                    self._connect.close()  # its engine is gone
                self._unbind()
                self._connect = self._endpoint = None  # in case the next one cannot be opened
                self._connect, self._endpoint = self._open(endpoint), endpoint
                self._closed = False

    def stream(
        self,
        sql: str,
        tag: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
        *,
        local: bool = False,
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run one statement; yield its schema, then its batches. Raises SqeError."""
        with self._tagged(tag) as session:
            executor = self._sessions.executor if local else None
            if executor is None:
                yield from session.stream(sql, on_progress, parameters, views)
                return
            from sqe.engine.local_execution import LocalExecution

            execution = LocalExecution(session, executor, tag, on_progress, self._open_stores)
            yield from execution.stream(sql, parameters, views)

    def executor_of(
        self,
        sql: str,
        tag: str,
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> str:
        executor = self._sessions.executor
        if executor is None:
            return "Spark: executor.local is off"
        with self._tagged(tag) as session:
            return session.executor_of(sql, parameters, views, executor.max_scan)

    def describe(
        self,
        sql: str,
        tag: str,
        parameters: Sequence[pa.DataType | pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> pa.Schema:
        with self._tagged(tag) as session:
            return session.describe(sql, parameters, views)

    def parameter_types(self, sql: str, tag: str, count: int) -> tuple[pa.DataType, ...]:
        with self._tagged(tag) as session:
            return session.parameter_types(sql, count)

    def table_schema(self, name: Sequence[str], tag: str) -> pa.Schema:
        with self._tagged(tag) as session:
            return session.table_schema(name)

    @property
    def lists_names(self) -> bool:
        return self._sessions.source.own

    def namespaces(self, catalog: str, tag: str) -> list[tuple[str, ...]]:
        with self._tagged(tag) as session:
            return session.namespaces(catalog)

    def tables(self, catalog: str, namespace: tuple[str, ...], tag: str) -> dict[str, bool]:
        with self._tagged(tag) as session:
            return session.tables(catalog, namespace)

    def register_file_view(self, name: str, tag: str, source: FileSource) -> None:
        with self._tagged(tag) as session:
            session.register_file_view(name, source)

    def register_uploaded_files(self, name: str, tag: str, files: Sequence[str]) -> None:
        with self._tagged(tag) as session:
            session.register_uploaded_files(name, files)

    def register_rows(self, name: str, tag: str, rows: pa.Table) -> None:
        with self._tagged(tag) as session:
            session.register_rows(name, rows)

    def drop_view(self, name: str, tag: str) -> None:
        # A view ends with its engine. Callers clean up after an error with this, which must not replace that error.
        if self._connect is not None:
            with suppress(EngineLostError), self._tagged(tag) as session:
                session.drop_view(name)

    def changed_rows(self, tag: str) -> int | None:
        with self._tagged(tag) as session:
            return session.changed_rows(tag)

    def want_plan(self, tag: str) -> None:
        with self._tagged(tag) as session:
            session.want_plan(tag)

    def executed_plan(self, tag: str) -> str:
        with self._tagged(tag) as session:
            return session.executed_plan(tag)

    def statement_plan(self, kind: str, sql: str, tag: str) -> str:
        with self._tagged(tag) as session:
            return session.statement_plan(kind, sql)

    def table_facts(self, name: Sequence[str], tag: str) -> str:
        with self._tagged(tag) as session:
            return session.table_facts(name)

    def set_tags(self, change: str, tag: str) -> None:
        with self._tagged(tag) as session:
            session.set_tags(change)

    def redacted(self, error: SqeError) -> SqeError:
        return redacted(error)

    def interrupt(self, tag: str) -> None:
        """Stop the query `tag`, if it runs."""
        if self._sessions.executor is not None:
            self._sessions.executor.interrupt(tag)
        if self._connect is not None:
            self._connect.interrupt_tag(tag)

    def close(self) -> None:
        """Release the Spark session and remove temporary warehouses."""
        with self._lock:
            session, self._connect, self._endpoint = self._connect, None, None
            self._closed = True
            self._unbind()
        if session is not None:
            _release(session)
        for directory in self._temporary_warehouses.values():
            shutil.rmtree(directory, ignore_errors=True)

    def _open_stores(self, stores: Sequence[Store], reference: str | None) -> tuple[StoreAccess, ...]:
        """Return the principal's credentials for the stores of a plan. Raises LocalExecutionError."""
        if self._bound is None:
            raise LocalExecutionError("The session is not bound to a principal.")
        return self._sessions.control.open_stores(self._bound, stores, reference)

    @contextmanager
    def _tagged(self, tag: str) -> Iterator[ConnectSession]:
        """Provide the Spark session, with this thread tagged for the query `tag`."""
        with self._current() as session:
            session.tag_thread(tag)
            yield session

    @contextmanager
    def _current(self) -> Iterator[ConnectSession]:
        """Provide the Spark session, and forget it if its engine is lost, so that the next statement opens another.

        This does not close it, because other statements may be reading from it.
        """
        session = self._connect
        if session is None and self._closed:
            raise SessionError("The session was closed.", hint="Connect again.")
        if session is None:
            # Another statement of the session has found after `ready` that the engine is lost.
            raise EngineLostError(
                "The engine ended before the statement began.",
                hint="The gateway restarts it; run the statement again.",
            )
        try:
            yield session
        except EngineLostError:
            with self._lock:
                if self._connect is session:
                    self._connect = self._endpoint = None
                    self._unbind()
            raise

    def _open(self, endpoint: Endpoint) -> ConnectSession:
        session = self._sessions.take(endpoint, self._principal.user)
        session.own_zones = self._spec.own_zones
        try:
            self._set_up(session)
        except BaseException:
            self._unbind()
            _release(session)
            raise
        return session

    def _set_up(self, session: ConnectSession) -> None:
        paths = {
            catalog.name: catalog.path or self._temporary_warehouse(catalog.name)
            for catalog in self._spec.catalogs
            if isinstance(catalog, WarehouseCatalog)
        }
        session.set_conf(session_settings(self._spec, paths, self._sessions.source))
        if self._sessions.guarded and not self._sessions.source.own:
            # A remote engine may have restarted without its guard.
            check_session_guard(session)
        self._bind(session)
        new = {name: path for name, path in paths.items() if not warehouse_exists(path)}
        if new and self._sessions.guarded and not isinstance(self._principal, GatewayPrincipal):
            self._sessions.make_warehouses(new)  # the user may lack the grants for it
            return
        for name, path in new.items():
            with creating_warehouse(path):
                _drain(session, f"CREATE NAMESPACE IF NOT EXISTS `{name}`.`{DEFAULT_NAMESPACE}`")

    def _bind(self, session: ConnectSession) -> None:
        """Bind the Spark session to the principal. Spark loads catalogs on first use, and so never before this."""
        rest = [catalog for catalog in self._spec.catalogs if isinstance(catalog, RestCatalog)]
        if rest or self._sessions.guarded:
            self._bound = session.server_id
            self._sessions.control.bind(self._bound, self._principal, rest)

    def _unbind(self) -> None:
        bound, self._bound = self._bound, None
        if bound is not None:
            self._sessions.control.unbind(bound)

    def _temporary_warehouse(self, catalog: str) -> Path:
        if catalog not in self._temporary_warehouses:
            self._temporary_warehouses[catalog] = Path(
                tempfile.mkdtemp(prefix="memory-", dir=self._sessions.scratch)
            )
        return self._temporary_warehouses[catalog]


class EngineSessions:
    """Open sessions, and keep one Spark session in reserve, because opening it takes longer than a small query."""

    def __init__(
        self,
        source: EngineSource,
        scratch: Path,
        control: Control | None = None,
        *,
        guarded: bool = False,
        executor: LocalExecutor | None = None,
    ) -> None:
        """Open sessions.

        Args:
            source: of the engine.
            scratch: a private directory, for warehouses that end with their session.
            control: the gateway's control endpoint.
            guarded: whether the engine asks it for decisions, so that every session must be bound to its principal.
            executor: runs queries that the engine renders for it.
        """
        self.executor = executor
        self.source = source
        self.scratch = scratch
        self.control = control or NoControl()
        self.guarded = guarded
        self._lock = threading.Lock()
        self._reserve: tuple[Endpoint, str, ConnectSession] | None = None

    @property
    def note(self) -> str | None:
        return self.source.note

    def open(self, spec: SessionSpec, principal: Principal) -> SparkEngineSession:
        for catalog in spec.catalogs:
            if isinstance(catalog, RestCatalog) and not self.source.asks_gateway:
                raise ConfigError(
                    f"The catalog {catalog.name} needs the user's identity, which this engine does not have.",
                    hint="Set engine.control_secret; docs/engine.md lists what the server needs.",
                )
        return SparkEngineSession(self, spec, principal)

    def make_warehouses(self, paths: Mapping[str, Path]) -> None:
        """Create warehouses in a session of the gateway's own principal. Raises SqeError."""
        spec = SessionSpec(tuple(WarehouseCatalog(name, path) for name, path in paths.items()))
        session = self.open(spec, GatewayPrincipal())
        try:
            session.ready(lambda: False)
        finally:
            session.close()

    def take(self, endpoint: Endpoint, user: str) -> ConnectSession:
        with self._lock:
            reserve = self._reserve
            if reserve is not None and reserve[:2] == (endpoint, user):
                self._reserve = None
                return reserve[2]
        return _new(endpoint, user)

    def keep_reserve(self, user: str) -> None:
        """Open the session in reserve, if there is none; the gateway calls this when it is idle."""
        endpoint = self.source.endpoint(lambda: False)
        with self._lock:
            if self._reserve is not None and self._reserve[:2] == (endpoint, user):
                return
        session = _new(endpoint, user)
        _drain(session, "SELECT 1")
        with self._lock:
            gone, self._reserve = self._reserve, (endpoint, user, session)
        if gone is not None:
            gone[2].close()  # its engine is gone


def session_settings(spec: SessionSpec, paths: Mapping[str, Path], source: EngineSource) -> dict[str, str]:
    """Return the settings that `spec` describes. Spark applies them only before it loads the session's catalogs."""
    settings: dict[str, str] = {}
    for catalog in spec.catalogs:
        if isinstance(catalog, RestCatalog):
            settings |= rest_catalog_settings(catalog)
        else:
            settings |= warehouse_settings(
                catalog.name, paths[catalog.name], source.catalog_class, own=source.own
            )
    current = spec.engine_catalog
    if current is not None:
        # Catalog names are case-sensitive in Spark. It reports an unknown one on first use.
        names = [catalog.name for catalog in spec.catalogs]
        current = next((name for name in names if name.lower() == current.lower()), current)
        settings["spark.sql.defaultCatalog"] = current
        if spec.namespace is not None and spec.engine_catalog == spec.current_catalog:
            settings[f"spark.sql.catalog.{current}.default-namespace"] = spec.namespace
    if spec.time_zone is not None:
        settings["spark.sql.session.timeZone"] = spec.time_zone
    return settings


def _new(endpoint: Endpoint, user: str) -> ConnectSession:
    # Importing PySpark takes a second or more; the gateway listens before that.
    from sqe.engine.connect import ConnectSession

    return ConnectSession(endpoint, user)


def _drain(session: ConnectSession, sql: str) -> None:
    for _ in session.stream(sql, lambda progress: None):
        pass


def _release(session: ConnectSession) -> None:
    try:
        session.release_session()
    except SqeError as error:
        _log.warning("releasing a Spark session failed: %s", error.message)
    session.close()
