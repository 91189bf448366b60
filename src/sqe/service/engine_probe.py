"""Run a tiny query every few seconds, in a session of the gateway's own, so that readiness is about queries that end.

An engine that has started may still not run queries: its cores or its memory may be taken by one that does not give
way. The probe needs one task of the engine. It is no user's query: no limit, count or list of queries knows of it.

An engine in which no probe succeeds for long is replaced: a JVM whose heap is full may not even be able to end itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from sqe.engine.interface import Engine, EngineSession
from sqe.errors import SqeError
from sqe.model.identity import Principal
from sqe.model.query import new_query_id
from sqe.model.session import SessionSpec

_log = logging.getLogger(__name__)

STATEMENT = "SELECT id FROM range(0, 1, 1, 1)"
_EVERY = 5.0  # seconds after the last probe has ended
_EVERY_WHEN_QUIET = 10.0
_QUIET = 60.0  # seconds without a query
_LOOK_EVERY = 1.0


class EngineProbe:
    def __init__(
        self,
        engine: Engine,
        principal: Principal,
        limit: float,
        quiet_seconds: Callable[[], float],
        observe: Callable[[float, bool], None] = lambda seconds, succeeded: None,
        *,
        hung_after: float | None = None,
        replace_engine: Callable[[str], None] = lambda reason: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a probe, which `start` starts.

        Args:
            engine: runs the probe, once it is ready.
            principal: the gateway's own.
            limit: seconds after which a probe that has not ended is a problem.
            quiet_seconds: tells for how long there has been no query.
            observe: is told how long each probe took and whether it succeeded.
            hung_after: seconds without a probe that succeeded after which the engine is replaced; None: never.
            replace_engine: ends the engine's process, with a reason for the log, so that another is started.
            clock: tells the time.
        """
        self._engine = engine
        self._principal = principal
        self._limit = limit
        self._quiet_seconds = quiet_seconds
        self._observe = observe
        self._hung_after = hung_after
        self._replace_engine = replace_engine
        self._clock = clock
        self._last_success = clock()
        self._lock = threading.Lock()
        self._running_since: float | None = None
        self._failure: str | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, name="engine-probe", daemon=True).start()
        if self._hung_after is not None:
            threading.Thread(target=self._watch, name="engine-probe-watch", daemon=True).start()

    def stop(self) -> None:
        """Start no more probes. One that runs ends with the engine."""
        self._stopped.set()

    @property
    def problem(self) -> str | None:
        """The reason why queries cannot be expected to end; None when they can."""
        with self._lock:
            if self._running_since is not None:
                seconds = time.monotonic() - self._running_since
                if seconds > self._limit:
                    return f"a test query has not ended for {seconds:.0f} s"
            return self._failure

    def probe(self, session: EngineSession) -> None:
        """Run the query once, and keep how it went."""
        with self._lock:
            self._running_since = started = time.monotonic()
        failure = None
        try:
            session.ready(self._stopped.is_set)
            for _ in session.stream(STATEMENT, new_query_id(), lambda progress: None):
                pass
        except SqeError as error:
            failure = f"a test query failed: {error.code}"
            _log.warning("the probe of the engine failed: %s", error.message)
        except Exception:  # noqa: BLE001 - the next probe may succeed; this one is reported
            failure = "a test query failed"
            _log.exception("the probe of the engine failed")
        with self._lock:
            self._running_since, self._failure = None, failure
            if failure is None:
                self._last_success = self._clock()
        self._observe(time.monotonic() - started, failure is None)

    def replace_if_hung(self) -> None:
        """Replace an engine that is said to be ready, but has not run a probe for `hung_after` seconds."""
        now = self._clock()
        with self._lock:
            if self._engine.note is not None:
                self._last_success = now  # it is being started
            hung = self._hung_after is not None and now - self._last_success > self._hung_after
            if hung:
                self._last_success = now
        if hung:
            self._replace_engine(f"no test query has succeeded for {self._hung_after:g} s")

    def _watch(self) -> None:
        while not self._stopped.wait(_LOOK_EVERY):
            self.replace_if_hung()

    def _run(self) -> None:
        session: EngineSession | None = None
        while True:
            quiet = self._quiet_seconds() > _QUIET
            if self._stopped.wait(_EVERY_WHEN_QUIET if quiet else _EVERY):
                break
            if self._engine.note is not None:
                continue  # it is being started, which is reason enough not to be ready
            try:
                session = session or self._engine.open(SessionSpec(()), self._principal)
            except SqeError as error:
                _log.warning("the probe of the engine got no session: %s", error.message)
            else:
                self.probe(session)
