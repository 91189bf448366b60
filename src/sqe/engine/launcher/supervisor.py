"""Keep one engine alive: set it up, start it, and start it again with growing pauses when it ends.

SETTING_UP ─► STARTING ─► READY ─► RESTARTING ─► STARTING ...
     └───────────┴──► FAILED ──(next query)──► SETTING_UP          any ─► STOPPED
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from sqe.config.schema import Config
from sqe.engine.catalog_settings import CATALOG_CLASS
from sqe.engine.control import Control, GuardSettings, NoControl, startup_input
from sqe.engine.endpoint import Endpoint
from sqe.engine.launcher.archive import ClassDataArchive
from sqe.engine.launcher.command import MAIN_CLASS, JvmPlan, network_environment, settings_options
from sqe.engine.launcher.logs import write_log_config
from sqe.engine.launcher.memory import available_cores, heap_of
from sqe.engine.launcher.process import EngineProcess
from sqe.engine.runtime.provision import Runtime, provide
from sqe.engine.runtime.report import Reporter
from sqe.engine.settings import spark_settings
from sqe.errors import EngineStartError, SqeError
from sqe.locations import Locations, private_directory

_log = logging.getLogger(__name__)

_STABLE_SECONDS = 60.0  # an engine that lived this long has forgiven its earlier crashes
_LONGEST_PAUSE = 30.0
_REPLACED = 4  # the status of an engine that has ended itself for another to take its place (spark-guard, Replacement)
_STALE_SECONDS = 1.0  # how much older than a query an attempt may be for its failure to be the query's own


class EngineState(Enum):
    SETTING_UP = "setting up"
    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"
    STOPPED = "stopped"


class Supervisor:
    """The engine of this gateway. `endpoint` is all that the rest needs to know."""

    def __init__(
        self,
        config: Config,
        locations: Locations,
        work: Path,
        provide: Callable[[Config, Reporter], Runtime] = provide,
        *,
        control: Control | None = None,
        locked: bool = False,
        guarding: GuardSettings | None = None,
        prove: Callable[[Endpoint], None] = lambda endpoint: None,
        make_archive: Callable[[ClassDataArchive, Config], object] = ClassDataArchive.begin,
    ) -> None:
        """Keep an engine, which is not started yet.

        Args:
            config: the whole configuration.
            locations: of this machine.
            work: a directory that is private to this gateway.
            provide: sets up what the engine needs on disk.
            control: answers the engine's requests for the users' tokens and keys.
            locked: several users share it, so that no statement may run code of its own on it.
            guarding: its guard asks for decisions. None: the catalog alone decides.
            prove: raises SqeError unless the engine's guard works; called before the engine is used.
            make_archive: starts to make the class data archive; called when an engine is ready.
        """
        self._config = config
        self._make_archive = make_archive
        self._control = control or NoControl()
        self._locked = locked
        self._guarding = guarding
        self._prove = prove
        self._provide = provide
        self._locations = locations
        self._work = work  # private to this gateway: its settings and scratch space
        self._changed = threading.Condition()
        self._state = EngineState.STOPPED
        self._note: str | None = None
        self._error: SqeError | None = None
        self._endpoint: Endpoint | None = None
        self._started: Endpoint | None = None  # of an engine that has yet to prove itself
        self._process: EngineProcess | None = None
        self._archive: ClassDataArchive | None = None
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._attempted = 0.0
        self.restarts = 0

    # -- what others ask ------------------------------------------------------------------------------------------

    @property
    def state(self) -> EngineState:
        return self._state

    catalog_class = CATALOG_CLASS
    own = True
    asks_gateway = True

    @property
    def failed(self) -> bool:
        return self._state is EngineState.FAILED

    @property
    def description(self) -> str:
        return self._state.value

    @property
    def note(self) -> str | None:
        """Why the engine is not ready, for users who wait for it; None when it is."""
        return self._note

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def archive_state(self) -> str | None:
        return self._archive.state.value if self._archive is not None else None

    def start(self) -> None:
        with self._changed:
            if self._thread is None and not self._stopping:
                self._attempted = time.monotonic()
                self._set(EngineState.SETTING_UP, "the engine is being set up")
                self._thread = threading.Thread(target=self._supervise, name="engine-supervisor", daemon=True)
                self._thread.start()

    def endpoint(self, given_up: Callable[[], bool]) -> Endpoint:
        """Wait until the engine is ready. Raises what kept it from starting; a later call tries again."""
        with self._changed:
            # An attempt that began long before this call may fail for a reason that is no longer there.
            stale = self._thread is not None and time.monotonic() - self._attempted > _STALE_SECONDS
        self.start()
        with self._changed:
            while not given_up():
                if self._state is EngineState.READY and self._endpoint is not None:
                    return self._endpoint
                if self._state is EngineState.FAILED:
                    assert self._error is not None
                    if not stale:
                        raise self._error
                    stale = False
                    self.start()
                if self._stopping:
                    break
                self._changed.wait(0.1)
        raise EngineStartError("The engine is being stopped.")

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._set(EngineState.STOPPED, None)
            process, archive, thread = self._process, self._archive, self._thread
        if archive is not None:
            archive.stop()
        if process is not None:
            process.stop()
        if thread is not None:
            thread.join(15)
        shutil.rmtree(self._work / "scratch", ignore_errors=True)

    def replace(self, reason: str) -> None:
        """End the engine's process, which does not answer any more, so that another is started."""
        with self._changed:
            process = self._process if self._state is EngineState.READY else None
        if process is not None:
            _log.error("the engine (pid %d) is replaced: %s", process.pid, reason)
            process.end_now()

    def use_idle_time(self) -> None:
        """Make the class data archive if there is none."""
        if (
            self._archive is not None
            and self._state is EngineState.READY
            and self._config.engine.class_data_sharing
        ):
            self._archive.make()

    # -- the supervising thread -----------------------------------------------------------------------------------

    def _supervise(self) -> None:
        try:
            self._keep_alive()
        except SqeError as error:
            _log.error("engine failed: %s %s", error.message, error.detail or "")
            self._fail(error)
        except OSError as error:
            _log.exception("engine failed")
            self._fail(EngineStartError(f"The engine could not be started: {error}."))

    def _keep_alive(self) -> None:
        runtime = self._provide(self._config, _NoteReporter(self._tell))
        crashes = 0
        while not self._stopping:
            self._set(EngineState.STARTING, "the engine is starting")
            process = self._launch(runtime)
            if process is None:
                return
            if not self._opened(process):
                return
            started = time.monotonic()
            code = process.wait()
            if self._stopping:
                return
            self.restarts += 1
            if code == _REPLACED:
                _log.error("the engine (pid %d) is replaced: %s", process.pid, process.tail())
                self._set(EngineState.RESTARTING, "the engine is replaced")
                continue
            crashes = 0 if time.monotonic() - started > _STABLE_SECONDS else crashes + 1
            _log.error("the engine (pid %d) ended with code %d: %s", process.pid, code, process.tail())
            if crashes > self._config.engine.max_restarts:
                raise EngineStartError(
                    f"The engine ended {crashes} times in a row; it is not started again by itself.",
                    hint="Look at its log: `sqe engine status` tells where it is.",
                )
            pause = min(0.2 * 4 ** (crashes - 1) if crashes else 0.2, _LONGEST_PAUSE)
            self._set(EngineState.RESTARTING, "the engine ended and is started again")
            with self._changed:
                self._changed.wait_for(lambda: self._stopping, pause)

    def _launch(self, runtime: Runtime) -> EngineProcess | None:
        config = self._config.engine
        log_file = self._locations.logs / f"engine-{self._work.name}.log"
        log_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        plan = JvmPlan.of(
            runtime,
            config.master,
            heap_of(config),
            write_log_config(
                self._work / "log4j2.properties",
                log_file,
                config.log_level,
                guarded=self._guarding is not None,
            ),
        )
        # First what an engine that was killed left behind.
        shutil.rmtree(self._work / "scratch", ignore_errors=True)
        scratch = private_directory(self._work / "scratch")
        settings = {
            **spark_settings(self._config, jars=runtime.jars, cores=available_cores(), scratch=scratch),
            # Native libraries and Spark's own temporary files would else outlive an engine that is killed.
            "java.io.tmpdir": str(private_directory(scratch / "tmp")),
        }
        self._archive = ClassDataArchive(self._locations, plan)
        sharing = self._archive.start_options() if config.class_data_sharing else []
        own = [*config.java_options, *settings_options(settings)]
        try:
            return self._run(plan, [*sharing, *own])
        except EngineStartError:
            if not any("SharedArchiveFile" in option for option in sharing) or self._stopping:
                raise
            _log.warning("the engine did not start with its class data archive; once more without it")
            self._archive.discard()
            return self._run(plan, own)

    def _run(self, plan: JvmPlan, options: list[str]) -> EngineProcess | None:
        command = plan.command(self._work / "engine.arguments", [*options, MAIN_CLASS])
        with self._changed:
            if self._stopping:
                return None
            process = EngineProcess(
                command,
                self._work / "engine.stderr",
                network_environment(self._config.engine.master),
                startup_input(self._control.link(), locked=self._locked, guarding=self._guarding),
            )
            self._process = process
        self._started = process.wait_ready(float(self._config.engine.start_timeout))
        return process

    def _opened(self, process: EngineProcess) -> bool:
        """Let queries use it, once it has proved itself. Not when it is to stop."""
        assert self._started is not None
        try:
            self._prove(self._started)
        except SqeError:
            if self._stopping:
                return False
            process.kill()
            raise
        with self._changed:
            if self._stopping:
                return False
            self._endpoint = self._started
            self._set(EngineState.READY, None)
        _log.info("the engine is ready (pid %d)", process.pid)
        self._begin_archive()
        return True

    def _begin_archive(self) -> None:
        """Have the class data archive made if there is none, now that the start is over."""
        assert self._archive is not None
        try:
            self._make_archive(self._archive, self._config)
        except (OSError, SqeError) as error:
            _log.warning("no process makes the class data archive: %s", error)

    def _fail(self, error: SqeError) -> None:
        with self._changed:
            self._error = error
            self._thread = None  # the next query may try again
            if not self._stopping:
                self._set(EngineState.FAILED, error.message)

    def _set(self, state: EngineState, note: str | None) -> None:
        with self._changed:
            if self._state is not EngineState.STOPPED or not self._stopping:
                self._state, self._note = state, note
            if state is not EngineState.READY:
                self._endpoint = None
            self._changed.notify_all()

    def _tell(self, note: str) -> None:
        self._note = note


class _NoteReporter:
    """Shows the progress of setting up as the note of the queries that wait for it."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._step = ""
        self._total: int | None = None

    def start(self, step: str, total: int | None = None) -> None:
        self._step, self._total = step, total
        _log.info("set-up: %s", step)
        self._tell(f"setting up: {step}")

    def advance(self, done: int) -> None:
        if self._total:
            self._tell(
                f"setting up: {self._step} ({100 * done // self._total} % of {self._total // 1_000_000} MB)"
            )

    def finish(self) -> None:
        _log.info("set-up: %s: done", self._step)

    def note(self, text: str) -> None:
        _log.info("set-up: %s", text)
