"""The network server (`sqe server`): a gateway with listeners, metrics and probes, which runs until it is stopped."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqe.config.schema import Config
from sqe.locations import locate
from sqe.server.core import REFRESH_SECONDS, GatewayCore
from sqe.server.listeners import Listeners, OpenListener
from sqe.server.process import handle_signals, restrict_files

# Loaded when the engine is on its way.
if TYPE_CHECKING:
    from sqe.service.engine_probe import EngineProbe
    from sqe.service.service import QueryService
    from sqe.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)


class NetworkServer:
    def __init__(
        self,
        config: Config,
        core: GatewayCore,
        listeners: Listeners,
        on_open: Callable[[Sequence[OpenListener]], None] = lambda listeners: None,
    ) -> None:
        """Compose a server from its parts.

        Args:
            config: all settings.
            core: is started and ended by `run`; it has the listeners' identity service.
            listeners: have their addresses already.
            on_open: is told which listeners are open.
        """
        self._config = config
        self._core = core
        self._listeners = listeners
        self._on_open = on_open
        self._reload = threading.Event()
        self._probe: EngineProbe | None = None
        if core.policy is None:
            _log.info("no policy engine is configured: the catalog alone decides")

    def run(self) -> None:
        """Serve until told to stop."""
        core = self._core
        core.start()
        from sqe.identity.query_rates import QueryRates
        from sqe.telemetry.metrics import Metrics

        metrics = Metrics()
        limit = self._config.rate_limit
        service = core.make_service(
            self._config.limits.for_server(),
            spill_directory=core.run_directory.scratch("results"),
            on_end=metrics.query_ended,
            admit=QueryRates(limit.queries_per_user, limit.queries_per_address).take,
        )
        core.observe_control = metrics.control_call
        core.listen()
        try:
            self._open(service, metrics)
            core.work_when_idle()
            while not core.stopping.wait(REFRESH_SECONDS):
                core.refresh()
                self._listeners.refresh(reload=self._reload.is_set())
                self._reload.clear()
        finally:
            core.drain()
            if self._probe is not None:
                self._probe.stop()
            self._listeners.close()
            core.close()

    def reload(self) -> None:
        """Read certificates and users again soon."""
        self._reload.set()

    def _open(self, service: QueryService, metrics: Metrics) -> None:
        core = self._core
        metrics.watch(
            service.counts, lambda: core.source.note is None, lambda: getattr(core.source, "restarts", 0)
        )
        core.identity.on_renewal = metrics.renewal
        if core.policy is not None:
            core.policy.observe(metrics)
        self._start_probe(service, metrics)
        self._listeners.open(service, metrics, self._not_ready, core.run_directory.scratch("uploads"))
        self._on_open(self._listeners.described)

    def _start_probe(self, service: QueryService, metrics: Metrics) -> None:
        if self._core.sessions is None:
            return
        from sqe.model.gateway_principal import GatewayPrincipal
        from sqe.service.engine_probe import EngineProbe

        self._probe = EngineProbe(
            self._core.sessions,
            GatewayPrincipal(),
            float(self._config.server.probe_timeout),
            lambda: service.quiet_seconds,
            metrics.probe,
            hung_after=float(self._config.server.hung_timeout),
            replace_engine=self._core.source.replace,
        )
        self._probe.start()

    def _not_ready(self) -> str | None:
        """Return why a load balancer should send no clients here now."""
        if self._core.stopping.is_set():
            return "the server is shutting down"
        return self._core.source.note or (self._probe.problem if self._probe is not None else None)


def serve(
    config: Config,
    run_directory: Path,
    listeners: Listeners,
    on_open: Callable[[Sequence[OpenListener]], None] = lambda listeners: None,
) -> None:
    """Run a server in this process until SIGTERM or SIGINT; SIGHUP reads certificates and users again.

    Args:
        config: all settings.
        run_directory: for its private socket and files.
        listeners: on the network.
        on_open: is told which listeners are open.
    """
    restrict_files()
    core = GatewayCore(config, locate(config), run_directory, listeners.identity, shared=True)
    server = NetworkServer(config, core, listeners, on_open)
    handle_signals(core.stop, server.reload)
    server.run()
