"""Work for an idle gateway: a session in reserve, the preloaded shell, the warm-up, the class data archive."""

from __future__ import annotations

import getpass
import logging
import threading

from sqe.engine.sessions import EngineSessions
from sqe.engine.source import EngineSource
from sqe.errors import SqeError
from sqe.server.preloaded_shell import PreloadedShell
from sqe.service.service import QueryService

_log = logging.getLogger(__name__)

_CHECK_SECONDS = 0.5
_QUIET_SECONDS = 1.0  # without a query, before idle work begins


class IdleWork:
    def __init__(
        self,
        source: EngineSource,
        sessions: EngineSessions,
        service: QueryService,
        stopping: threading.Event,
        *,
        warm_up: bool,
        shell: PreloadedShell | None = None,
    ) -> None:
        """Prepare the work, which `start` starts.

        Args:
            source: of the engine.
            sessions: on the engine.
            service: tells whether there are queries.
            stopping: ends the work when it is set.
            warm_up: whether a fresh engine is warmed up.
            shell: is started and kept running.
        """
        self._source = source
        self._sessions = sessions
        self._service = service
        self._stopping = stopping
        self._shell = shell
        self.warm = not warm_up

    def start(self) -> None:
        """Start a daemon thread: the work takes up to a minute and must not keep the gateway from ending."""
        threading.Thread(target=self._run, name="idle-work", daemon=True).start()

    def _run(self) -> None:
        user = getpass.getuser()
        while not self._stopping.wait(_CHECK_SECONDS):
            if self._source.note is not None or self._service.quiet_seconds < _QUIET_SECONDS:
                continue
            try:
                self._work(user)
            except (SqeError, OSError) as error:
                _log.warning("idle work failed: %s", error)

    def _work(self, user: str) -> None:
        from sqe.engine.warm_up import warm_up

        self._sessions.keep_reserve(user)
        if self._sessions.executor is not None:
            self._sessions.executor.keep_worker()
        if self._shell is not None:
            self._shell.keep()
        if not self.warm:
            self.warm = warm_up(self._sessions, user, self._is_quiet)
        elif self._service.quiet_seconds > 5 * _QUIET_SECONDS:
            self._source.use_idle_time()

    def _is_quiet(self) -> bool:
        return self._service.quiet_seconds > 0 and not self._stopping.is_set()
