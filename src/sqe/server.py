"""The gateway process: builds everything from a Config, listens, keeps house, and ends cleanly.

`python -m sqe.server RUN_DIRECTORY` is what the shell starts in the background; `sqe server` runs the same in front.
The run directory belongs to one gateway at a time, which holds a lock on it for as long as it lives:

    lock        held while a gateway runs
    config.toml the configuration, as resolved by whoever started it (it may hold secrets: readable by its owner only)
    token       what a client must present
    socket      where it listens
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
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sqe import __version__
from sqe.config import Config, load
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.source import EngineSource, RemoteEngine
from sqe.errors import GatewayError, SqeError
from sqe.locations import CONFIG_FILE, Locations, locate, private_directory, write_private

# Loading Arrow, Flight and PySpark takes a good second: the JVM is started first, and they are loaded while it boots.
if TYPE_CHECKING:
    from sqe.engine.sessions import EngineSessions
    from sqe.service.service import QueryService

_log = logging.getLogger(__name__)

_HOUSEKEEPING_SECONDS = 0.5
_QUIET_SECONDS = 1.0  # so much silence before idle time is used
_DRAIN_SECONDS = 30.0


class Gateway:
    """Everything that one gateway is made of."""

    def __init__(self, config: Config, locations: Locations, run_directory: Path, *, keep: bool) -> None:
        self._config = config
        self._keep = keep
        self._locations = locations
        self._run = run_directory
        self._started = time.time()
        self._stop = threading.Event()
        self._drain = _DRAIN_SECONDS
        self._warm = not config.engine.warm_up
        self._lock = self._own(run_directory)
        self._source = self._make_source()

    @staticmethod
    def _own(run_directory: Path) -> IO[bytes]:
        lock = (run_directory / "lock").open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise GatewayError(
                "A gateway with this configuration runs already.", hint="See `sqe engine status`."
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
        service, sessions = self._build()
        self._service = service
        server = FlightGateway(
            f"grpc+unix://{socket}", token, service, GatewayControls(self._status, self.stop)
        )
        threading.Thread(target=_load_pyspark, name="load-pyspark", daemon=True).start()
        _log.info("gateway %s listens (pid %d)", __version__, os.getpid())
        try:
            self._keep_house(service, sessions)
        finally:
            socket.unlink(missing_ok=True)  # nobody new from here on
            service.drain(self._drain)
            server.close()
            self._source.stop()
            self._clean()
            _log.info("gateway ended")

    def stop(self, drain: float = _DRAIN_SECONDS) -> None:
        self._drain = drain
        self._stop.set()

    def _make_source(self) -> EngineSource:
        if self._config.engine.url is not None:
            return RemoteEngine(self._config)
        return Supervisor(self._config, self._locations, self._run)

    def _build(self) -> tuple[QueryService, EngineSessions]:
        from sqe.engine.sessions import EngineSessions
        from sqe.service.service import QueryService

        scratch = self._run / "memory"
        shutil.rmtree(scratch, ignore_errors=True)  # what a gateway that was killed left behind
        sessions = EngineSessions(self._source, private_directory(scratch))
        return QueryService(sessions, self._config.limits), sessions

    def _keep_house(self, service: QueryService, sessions: EngineSessions) -> None:
        """Wait for the end: when told so, or when nobody needs us any more."""
        # Idle work takes up to a minute and must not keep the gateway from ending.
        if self._source.own:
            threading.Thread(
                target=self._use_idle_time, args=(service, sessions), name="idle-work", daemon=True
            ).start()
        while not self._stop.wait(_HOUSEKEEPING_SECONDS):
            if self._keep:
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
        shutil.rmtree(self._run / "memory", ignore_errors=True)


def _load_pyspark() -> None:
    """While the JVM boots: the first query would otherwise wait for this import after it."""
    import sqe.engine.connect  # noqa: F401


def serve(config: Config, run_directory: Path, *, keep: bool = False) -> None:
    """Run a gateway in this process until it is told to end, or, unless `keep`, until nobody needs it."""
    os.umask(0o077)  # whatever is written from here on, tables included, is its owner's business
    gateway = Gateway(config, locate(config), run_directory, keep=keep)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: gateway.stop())
    gateway.run()


def log_to_file(directory: Path, name: str) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = logging.handlers.RotatingFileHandler(directory / name, maxBytes=10_000_000, backupCount=3)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-5s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def main(arguments: list[str]) -> int:
    """What runs in the background: `python -m sqe.server RUN_DIRECTORY`."""
    os.umask(0o077)
    run_directory = Path(arguments[0])
    config = load(run_directory / CONFIG_FILE, {})
    log_to_file(locate(config).logs, f"gateway-{run_directory.name}.log")
    try:
        serve(config, run_directory)
    except SqeError as error:
        _log.error("%s", error.message)
        sys.stderr.write(f"{error.message}\n")  # the shell that started us shows it
        return 1
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    logging.shutdown()
    # PySpark leaves threads that wait for a server which is no longer there.
    os._exit(code)
