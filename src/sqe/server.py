"""The gateway process: builds everything from a Config, listens, keeps house, and ends cleanly.

`python -m sqe.server RUN_DIRECTORY` is what the shell starts in the background; `sqe server` runs the same in front.
The run directory belongs to one gateway at a time, which holds a lock on it for as long as it lives:

    lock        held while a gateway runs
    config.toml the configuration, as resolved by whoever started it (it may hold secrets: readable by its owner only)
    token       what a client must present
    socket      where it listens, for the shells of this user
    memory, results, uploads   what ends with it

Only `sqe server` listens on the network, too (doors.py).
"""

from __future__ import annotations

import fcntl
import getpass
import logging
import logging.handlers
import os
import secrets
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from sqe import __version__
from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.control import GATEWAY, Guarding
from sqe.engine.endpoint import Endpoint
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.self_test import prove_engine
from sqe.engine.source import EngineSource, RemoteEngine
from sqe.errors import GatewayError, SqeError
from sqe.locations import CONFIG_FILE, STAND_INS, Locations, locate, private_directory, write_private

# Loading Arrow, Flight and PySpark takes a good second: the JVM is started first, and they are loaded while it boots.
if TYPE_CHECKING:
    from sqe.control.endpoint import ControlEndpoint
    from sqe.doors import Doors, OpenDoor
    from sqe.engine.interface import Engine
    from sqe.engine.sessions import EngineSessions
    from sqe.frontends.flight.stand_in import StandIn
    from sqe.identity.house import House
    from sqe.model.identity import Principal
    from sqe.policy.governance.statements import Governance
    from sqe.policy.point import DecisionPoint
    from sqe.service.engine_probe import EngineProbe
    from sqe.service.service import QueryService
    from sqe.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

# In the run directory: throw-away warehouses, results that wait for slow clients, what clients upload.
_SCRATCH = ("memory", "results", "uploads")

_HOUSEKEEPING_SECONDS = 0.5
_QUIET_SECONDS = 1.0  # so much silence before idle time is used
_DRAIN_GRACE = 20.0  # seconds for canceled queries and for closing sessions


class Gateway:
    """Everything that one gateway is made of."""

    def __init__(
        self,
        config: Config,
        locations: Locations,
        run_directory: Path,
        doors: Doors | None = None,
        on_open: Callable[[Sequence[OpenDoor]], None] = lambda doors: None,
        *,
        stand_ins: bool = False,
    ) -> None:
        """Take the run directory. With `doors` it serves the network too, and never ends by itself.

        With `stand_ins`, who knows the token may act as anybody: for `sqe policy test`, which started it for itself.

        Raises:
            GatewayError: another gateway has the directory.
        """
        if stand_ins and doors is not None:
            raise ValueError("nobody acts as somebody else at a door to the network")
        self._config = config
        self._stand_ins = stand_ins
        self._doors = doors
        self._on_open = on_open
        self._locations = locations
        self._run = run_directory
        self._started = time.time()
        self._stop = threading.Event()
        self._drain = float(config.server.drain_timeout)
        self._reload = threading.Event()
        self._warm = not config.engine.warm_up
        self._metrics: Metrics | None = None
        self._sessions: EngineSessions | None = None
        self._probe: EngineProbe | None = None
        self._lock = self._own(run_directory)
        self._house = doors.house if doors is not None else None
        self._policy = self._make_policy()
        self._control = self._make_control()
        self._source = self._make_source()

    @staticmethod
    def _own(run_directory: Path) -> IO[bytes]:
        lock = (run_directory / "lock").open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise GatewayError(
                "A gateway with this configuration runs already.",
                hint="See `sqe engine status`; a shell may have started it. `sqe engine stop` ends it.",
            ) from None
        return lock

    def run(self) -> None:
        """Serve until told to stop or until nobody has needed us for engine.idle_timeout."""
        self._source.start()
        from sqe.frontends.flight.server import FlightGateway, GatewayControls

        socket = self._run / "socket"
        socket.unlink(missing_ok=True)
        token = secrets.token_urlsafe(32)
        write_private(self._run / "token", token)
        self._service = service = self._make_service()
        house = self._enter_house()
        house.on_login_end = service.end_login
        if self._control is not None:
            self._control.start()
        server = FlightGateway(
            f"grpc+unix://{socket}",
            token,
            service,
            GatewayControls(self._status, self.stop),
            house.of_this_account,
            self._stand_in if self._stand_ins else None,
        )
        try:
            self._open_doors(service)
            threading.Thread(target=self._load_engine_client, name="load-pyspark", daemon=True).start()
            _log.info("gateway %s listens (pid %d)", __version__, os.getpid())
            self._keep_house(service)
        finally:
            self._stop.set()  # not ready any more, whatever led here
            socket.unlink(missing_ok=True)  # nobody new from here on
            self._drain_in_time(service)
            if self._probe is not None:
                self._probe.stop()
            if self._doors is not None:
                self._doors.close()
            server.close()
            self._source.stop()
            if self._control is not None:
                self._control.close()
            if self._policy is not None:
                self._policy.close()
            house.close()
            self._clean()
            self._lock.close()
            _log.info("gateway ended")

    def _drain_in_time(self, service: QueryService) -> None:
        """Let queries end, and go on without those that wait for an engine that does not answer."""
        draining = threading.Thread(target=service.drain, args=(self._drain,), name="drain", daemon=True)
        draining.start()
        draining.join(self._drain + _DRAIN_GRACE)

    def stop(self, drain: float | None = None) -> None:
        """End soon. Queries that run have `drain` seconds, unless given as in the configuration."""
        if drain is not None:
            self._drain = drain
        self._stop.set()

    def reload(self) -> None:
        """Read certificates and users again soon."""
        self._reload.set()

    def _open_doors(self, service: QueryService) -> None:
        if self._doors is None or self._metrics is None:
            return
        self._metrics.watch(
            service.counts, lambda: self._source.note is None, lambda: getattr(self._source, "restarts", 0)
        )
        self._enter_house().on_renewal = self._metrics.renewal
        if self._policy is not None:
            self._policy.observe(self._metrics)
        self._start_probe(service, self._metrics)
        self._doors.open(service, self._metrics, self._not_ready, private_directory(self._run / "uploads"))
        self._on_open(self._doors.described)

    def _not_ready(self) -> str | None:
        """Why a load balancer should send nobody here now."""
        if self._stop.is_set():
            return "the server is shutting down"
        return self._source.note or (self._probe.problem if self._probe is not None else None)

    def _start_probe(self, service: QueryService, metrics: Metrics) -> None:
        if self._sessions is None:
            return
        from sqe.model.identity import Principal
        from sqe.service.engine_probe import EngineProbe

        limit = float(self._config.server.probe_timeout)
        self._probe = EngineProbe(
            self._sessions,
            Principal(GATEWAY, GATEWAY),
            limit,
            lambda: service.quiet_seconds,
            metrics.probe,
            hung_after=float(self._config.server.hung_timeout),
            replace_engine=self._source.replace,
        )
        self._probe.start()

    def _enter_house(self) -> House:
        """Whoever knows people. Not needed before the JVM is on its way, unless that has to ask for them."""
        if self._house is None:
            from sqe.identity.house import House

            self._house = House(self._config, network=False)
        return self._house

    def _stand_in(self, who: StandIn) -> Principal:
        """Policies are asked about whom a test acts as; to catalogs it stays who it is."""
        return replace(
            self._enter_house().of_this_account(),
            user=who.user,
            provider=GATEWAY if who.trusted else "policy test",
            roles=who.roles,
            groups=who.groups,
            subject=None,
            email=None,
        )

    def _make_policy(self) -> DecisionPoint | None:
        """Whoever decides what people may do; None: the catalog alone does."""
        if not self._config.policy.guarded:
            if self._doors is not None:
                _log.info("no policy engine is configured: the catalog alone decides")
            return None
        from sqe.policy.engines import make_point

        point = make_point(self._config, self._locations)
        _log.info("%s", point.describe_at_start())
        return point

    def _make_control(self) -> ControlEndpoint | None:
        asks = any(catalog.type == "rest" for catalog in self._config.catalogs.values())
        if not asks and self._policy is None:
            return None
        from sqe.control.endpoint import make_control

        return make_control(self._config, self._enter_house().logins, self._observe_control, self._policy)

    def _observe_control(self, question: str, result: str) -> None:
        if self._metrics is not None:
            self._metrics.control_call(question, result)

    def _make_source(self) -> EngineSource:
        guarding = self._guarding()
        if self._config.engine.url is not None:
            return RemoteEngine(self._config, self._prove if guarding is not None else None)
        # The engine of a server is shared by people who may not see each other's work; a shell's engine is its own.
        return Supervisor(
            self._config,
            self._locations,
            self._run,
            control=self._control,
            locked=self._doors is not None,
            guarding=guarding,
            prove=self._prove if guarding is not None else lambda endpoint: None,
        )

    def _guarding(self) -> Guarding | None:
        policy = self._config.policy
        if self._policy is None:
            return None
        key = policy.mask_key.reveal() if policy.mask_key is not None else None
        return Guarding(float(policy.timeout), key)

    def _prove(self, endpoint: Endpoint) -> None:
        prove_engine(endpoint, float(self._config.engine.start_timeout))

    def _make_engine(self, scratch: Path) -> Engine:
        from sqe.engine.sessions import EngineSessions

        self._sessions = EngineSessions(
            self._source, scratch, self._control, guarded=self._policy is not None
        )
        return self._sessions

    def _make_service(self) -> QueryService:
        from sqe.service.service import QueryService

        self._remove_scratch()  # what a gateway that was killed left behind
        engine = self._make_engine(private_directory(self._run / "memory"))
        if self._doors is None:
            return QueryService(
                engine, self._config.limits, watch=self._policy, governance=self._make_governance()
            )
        from sqe.identity.rates import Rates
        from sqe.telemetry.metrics import Metrics

        self._metrics = Metrics()
        limit = self._config.rate_limit
        return QueryService(
            engine,
            self._config.limits.for_server(),
            spill_directory=private_directory(self._run / "results"),
            on_end=self._metrics.query_ended,
            admit=Rates(limit.queries_per_user, limit.queries_per_address).take,
            watch=self._policy,
            governance=self._make_governance(),
        )

    def _make_governance(self) -> Governance | None:
        if self._policy is None:
            return None
        from sqe.policy.governance.statements import make_governance

        return make_governance(self._config, self._policy)

    def _keep_house(self, service: QueryService) -> None:
        """Wait for the end: when told so, or when nobody needs us any more."""
        # Idle work takes up to a minute and must not keep the gateway from ending.
        if self._source.own and self._sessions is not None:
            threading.Thread(
                target=self._use_idle_time, args=(service, self._sessions), name="idle-work", daemon=True
            ).start()
        while not self._stop.wait(_HOUSEKEEPING_SECONDS):
            self._enter_house().look()
            if self._policy is not None:
                self._policy.look()
            if self._doors is not None:
                self._doors.look(reload=self._reload.is_set())
                self._reload.clear()
                continue
            if self._source.failed and service.idle_seconds > _HOUSEKEEPING_SECONDS:
                _log.info("there is no engine and nobody waits for one")
                return
            if service.idle_seconds > float(self._config.engine.idle_timeout):
                _log.info("nobody needed this gateway for %s", self._config.engine.idle_timeout)
                return

    def _use_idle_time(self, service: QueryService, sessions: EngineSessions) -> None:
        from sqe.engine.warm_up import warm_up

        user = getpass.getuser()

        def quiet() -> bool:
            return service.quiet_seconds > 0 and not self._stop.is_set()

        while not self._stop.wait(_HOUSEKEEPING_SECONDS):
            if self._source.note is not None or service.quiet_seconds < _QUIET_SECONDS:
                continue
            try:
                sessions.keep_reserve(user)
                if not self._warm:
                    warm_up(sessions, user, quiet)
                    self._warm = True
                elif service.quiet_seconds > 5 * _QUIET_SECONDS:
                    self._source.use_idle_time()
            except SqeError as error:
                _log.warning("idle work failed: %s", error.message)

    @staticmethod
    def _load_engine_client() -> None:
        """While the JVM boots: the first query would otherwise wait for this import after it."""
        import sqe.engine.connect  # noqa: F401

    def _status(self) -> Mapping[str, Any]:
        return {
            "version": __version__,
            "pid": os.getpid(),
            "engine": self._source.description,
            "engine_pid": getattr(self._source, "pid", None),
            "note": self._source.note,
            "restarts": getattr(self._source, "restarts", 0),
            "warm": self._warm,
            "class_data_archive": getattr(self._source, "archive_state", None),
            "up": time.time() - self._started,
            "idle": self._service.idle_seconds,
            "idle_timeout": float(self._config.engine.idle_timeout),
            "logs": str(self._locations.logs),
            **self._service.counts(),
        }

    def _clean(self) -> None:
        for name in ("token", CONFIG_FILE, "engine.arguments"):
            (self._run / name).unlink(missing_ok=True)
        self._remove_scratch()

    def _remove_scratch(self) -> None:
        for name in _SCRATCH:
            shutil.rmtree(self._run / name, ignore_errors=True)


def serve(
    config: Config,
    run_directory: Path,
    doors: Doors | None = None,
    on_open: Callable[[Sequence[OpenDoor]], None] = lambda doors: None,
    *,
    stand_ins: bool = False,
) -> None:
    """Run a gateway in this process until it is told to end.

    Args:
        config: all settings.
        run_directory: where its private socket and files are.
        doors: to the network. Without them it also ends when nobody has needed it for long.
        on_open: is told which doors are open.
        stand_ins: whether clients may act as anybody; never with doors.
    """
    os.umask(0o077)  # whatever is written from here on, tables included, is its owner's business
    gateway = Gateway(config, locate(config), run_directory, doors, on_open, stand_ins=stand_ins)

    def end(number: int, _: object) -> None:
        gateway.stop()
        signal.signal(number, signal.SIG_DFL)  # who asks again does not want to wait

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    signal.signal(signal.SIGHUP, lambda *_: gateway.reload())
    gateway.run()


def log_to_file(directory: Path, name: str) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = logging.handlers.RotatingFileHandler(directory / name, maxBytes=10_000_000, backupCount=3)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-5s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def main(arguments: list[str]) -> int:
    """What runs in the background: `python -m sqe.server RUN_DIRECTORY [--stand-ins]`."""
    os.umask(0o077)
    run_directory = Path(arguments[0])
    config = load(run_directory / CONFIG_FILE, {})
    log_to_file(locate(config).logs, f"gateway-{run_directory.name}.log")
    try:
        serve(config, run_directory, stand_ins=STAND_INS in arguments[1:])
    except SqeError as error:
        _log.error("%s", error.message)
        sys.stderr.write(f"{error.message}\n")  # the shell that started us shows it
        return 1
    return 0


def end_process(code: int) -> NoReturn:
    """End without waiting for anything: PySpark leaves threads that wait for a server which is no longer there."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end_process(main(sys.argv[1:]))
