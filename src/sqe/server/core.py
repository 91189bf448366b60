"""The parts that both composition roots share, and the order in which they start and end."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqe import __version__
from sqe.config.schema import Config
from sqe.engine.control import GuardSettings
from sqe.engine.endpoint import Endpoint
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.self_test import check_guard
from sqe.engine.source import EngineSource, RemoteEngine
from sqe.locations import Locations
from sqe.server.run_directory import RunDirectory

# Loading Arrow, Flight and PySpark takes a good second: the JVM is started first, and they are loaded while it boots.
if TYPE_CHECKING:
    from sqe.config.sections.limits import LimitsConfig
    from sqe.control.endpoint import ControlEndpoint
    from sqe.engine.interface import Engine
    from sqe.engine.sessions import EngineSessions
    from sqe.executor.pool import LocalExecutor
    from sqe.frontends.flight.server import FlightGateway
    from sqe.frontends.flight.wire import Impersonation
    from sqe.identity.service import IdentityService
    from sqe.model.identity import Principal
    from sqe.policy.decision_point import DecisionPoint
    from sqe.policy.governance.statements import Governance
    from sqe.server.idle_work import IdleWork
    from sqe.server.preloaded_shell import PreloadedShell
    from sqe.service.service import QueryService

_log = logging.getLogger(__name__)

REFRESH_SECONDS = 0.5
_DRAIN_GRACE = 20.0  # seconds for canceled queries and for closing sessions


class GatewayCore:
    """Engine, control endpoint, policies, query service and private socket.

    A composition root calls `start`, `make_service`, `listen` and `work_when_idle` in this order, then `refresh` every
    `REFRESH_SECONDS` until `stopping` is set, and finally `drain` and `close`.
    """

    def __init__(
        self,
        config: Config,
        locations: Locations,
        run_directory: Path,
        identity: IdentityService | None = None,
        *,
        shared: bool,
    ) -> None:
        """Lock the run directory.

        Args:
            config: all settings.
            locations: of this machine.
            run_directory: the private directory of this gateway.
            identity: the identity service. None: one that knows only this account, created on first use.
            shared: whether principals that may not see each other's work share the engine.

        Raises:
            GatewayError: another gateway has the directory.
        """
        self._config = config
        self._locations = locations
        self._identity = identity
        self._shared = shared
        self._started = time.time()
        self._drain_seconds = float(config.server.drain_timeout)
        self._sessions: EngineSessions | None = None
        self._executor: LocalExecutor | None = None
        self._idle_work: IdleWork | None = None
        self._private_server: FlightGateway | None = None
        self.stopping = threading.Event()
        self.observe_control: Callable[[str, str], None] = lambda question, result: None
        self.run_directory = RunDirectory(run_directory)
        self.policy = self._make_policy()
        self._control = self._make_control()
        self.source = self._make_source()

    @property
    def identity(self) -> IdentityService:
        """The identity service, created on first use: loading it would delay the JVM."""
        if self._identity is None:
            from sqe.identity.service import IdentityService

            self._identity = IdentityService(self._config, network=False)
        return self._identity

    @property
    def sessions(self) -> EngineSessions | None:
        """The sessions on the engine, once `make_service` was called."""
        return self._sessions

    def start(self) -> None:
        """Start the engine, and prepare the run directory."""
        self.source.start()
        self._token = self.run_directory.prepare()

    def make_service(self, limits: LimitsConfig, **options: Any) -> QueryService:
        """Create the query service, with `options` of the composition root's own."""
        from sqe.service.service import QueryService

        engine = self._make_engine(self.run_directory.scratch("memory"))
        self.service = QueryService(
            engine, limits, watch=self.policy, governance=self._make_governance(), **options
        )
        return self.service

    def listen(self, act_as: Callable[[Impersonation], Principal] | None = None) -> None:
        """Serve the shells of this account on the private socket, and the engine on the control endpoint.

        Args:
            act_as: makes a principal of whom a client acts as. None: no client may act as another principal.
        """
        from sqe.frontends.flight.server import FlightGateway, GatewayControls

        self.identity.on_login_end = self.service.end_login
        if self._control is not None:
            self._control.start()
        self._private_server = FlightGateway(
            f"grpc+unix://{self.run_directory.socket}",
            self._token,
            self.service,
            GatewayControls(self._status, self.stop),
            self.identity.local_principal,
            act_as,
        )

    def work_when_idle(self, shell: PreloadedShell | None = None) -> None:
        """Load the engine's client, and start the idle work if the engine is this gateway's own.

        Args:
            shell: the preloaded shell that the idle work starts.
        """
        threading.Thread(target=self._load_engine_client, name="load-pyspark", daemon=True).start()
        _log.info("gateway %s listens (pid %d)", __version__, os.getpid())
        if self.source.own and self._sessions is not None:
            from sqe.server.idle_work import IdleWork

            self._idle_work = IdleWork(
                self.source,
                self._sessions,
                self.service,
                self.stopping,
                warm_up=self._config.engine.warm_up,
                shell=shell,
            )
            self._idle_work.start()

    def refresh(self) -> None:
        """Take up changed logins and policies."""
        self.identity.refresh()
        if self.policy is not None:
            self.policy.refresh()

    def stop(self, drain: float | None = None) -> None:
        """End soon. Running queries have `drain` seconds; None: as long as the configuration says."""
        if drain is not None:
            self._drain_seconds = drain
        self.stopping.set()

    def drain(self) -> None:
        """Let no new client in, and wait for running queries, but not for an engine that does not answer."""
        self.stopping.set()
        self.run_directory.hide()
        draining = threading.Thread(
            target=self.service.drain, args=(self._drain_seconds,), name="drain", daemon=True
        )
        draining.start()
        draining.join(self._drain_seconds + _DRAIN_GRACE)

    def close(self) -> None:
        """Close the private socket, stop the engine, and release the run directory."""
        if self._private_server is not None:
            self._private_server.close()
        if self._executor is not None:
            self._executor.close()
        self.source.stop()
        if self._control is not None:
            self._control.close()
        if self.policy is not None:
            self.policy.close()
        self.identity.close()
        self.run_directory.release()
        _log.info("gateway ended")

    # -- parts ----------------------------------------------------------------------------------------------------

    def _make_policy(self) -> DecisionPoint | None:
        """Create the decision point; None when the catalog alone decides."""
        if not self._config.policy.guarded:
            return None
        from sqe.policy.engines import make_decision_point

        point = make_decision_point(self._config, self._locations)
        _log.info("%s", point.describe_at_start())
        return point

    def _make_control(self) -> ControlEndpoint | None:
        needs_tokens = any(catalog.type == "rest" for catalog in self._config.catalogs.values())
        if not needs_tokens and self.policy is None:
            return None
        from sqe.control.endpoint import make_control

        return make_control(self._config, self.identity.logins, self._observe_control, self.policy)

    def _observe_control(self, question: str, result: str) -> None:
        self.observe_control(question, result)

    def _make_source(self) -> EngineSource:
        guarding = self._guarding()
        if self._config.engine.url is not None:
            return RemoteEngine(self._config, self._prove if guarding is not None else None)
        return Supervisor(
            self._config,
            self._locations,
            self.run_directory.path,
            control=self._control,
            locked=self._shared,
            guarding=guarding,
            prove=self._prove if guarding is not None else lambda endpoint: None,
        )

    def _guarding(self) -> GuardSettings | None:
        if self.policy is None:
            return None
        settings = self._config.policy
        key = settings.mask_key.reveal() if settings.mask_key is not None else None
        return GuardSettings(float(settings.timeout), key)

    def _prove(self, endpoint: Endpoint) -> None:
        check_guard(endpoint, float(self._config.engine.start_timeout))

    def _make_engine(self, scratch: Path) -> Engine:
        from sqe.engine.sessions import EngineSessions

        self._sessions = EngineSessions(
            self.source,
            scratch,
            self._control,
            guarded=self.policy is not None,
            executor=self._make_executor(),
        )
        return self._sessions

    def _make_executor(self) -> LocalExecutor | None:
        """Create the local executor; None where Spark runs everything."""
        if self._config.executor.local == "off" or not self.source.own:
            return None
        from sqe.engine.launcher.memory import available_cores, machine_memory
        from sqe.executor.pool import Capacity, LocalExecutor

        capacity = Capacity.of(self._config.executor, machine_memory(), available_cores())
        self._executor = LocalExecutor(capacity, self.run_directory.scratch("executor"), self._ca_file)
        return self._executor

    def _ca_file(self) -> Path | None:
        """Return the file with the certificates that the engine trusts as well."""
        from sqe.engine.runtime.report import QuietReporter
        from sqe.engine.runtime.truststore import find_bundle

        found = find_bundle(self._config.tls.ca_bundle, os.environ, QuietReporter())
        return None if found is None else found[0]

    def _make_governance(self) -> Governance | None:
        if self.policy is None:
            return None
        from sqe.policy.governance.statements import make_governance

        return make_governance(self._config, self.policy)

    @staticmethod
    def _load_engine_client() -> None:
        """Import PySpark while the JVM boots: the first query would otherwise wait for it."""
        import sqe.engine.connect  # noqa: F401

    def _status(self) -> Mapping[str, Any]:
        warm = self._idle_work.warm if self._idle_work is not None else not self._config.engine.warm_up
        return {
            "version": __version__,
            "pid": os.getpid(),
            "engine": self.source.description,
            "engine_pid": getattr(self.source, "pid", None),
            "note": self.source.note,
            "restarts": getattr(self.source, "restarts", 0),
            "warm": warm,
            "class_data_archive": getattr(self.source, "archive_state", None),
            "up": time.time() - self._started,
            "idle": self.service.idle_seconds,
            "idle_timeout": float(self._config.engine.idle_timeout),
            "logs": str(self._locations.logs),
            **self.service.counts(),
        }
