"""Stop calling a remote service that keeps failing, until a trial call succeeds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqe.errors import SqeError

_FAILURES = 5  # in a row, before calls fail at once
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 15.0


class CircuitBreaker:
    """After too many failures in a row calls fail at once, for a growing pause; then one call tries."""

    def __init__(
        self, error: type[SqeError], message: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Count each `error` as a failure, and raise it with `message` during a pause."""
        self._error = error
        self._message = message
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0
        self._trying = False

    @contextmanager
    def call(self) -> Iterator[None]:
        """Wrap each call. The breaker's error counts as a failure, everything else as an answer.

        Raises:
            SqeError: no call is made during the pause.
        """
        trial = self._enter()
        try:
            yield
        except self._error:
            self._leave(trial=trial, failed=True)
            raise
        except BaseException:
            self._leave(trial=trial, failed=False)
            raise
        self._leave(trial=trial, failed=False)

    def _enter(self) -> bool:
        with self._lock:
            if self._failures < _FAILURES:
                return False
            wait = self._closed_until - self._clock()
            if wait <= 0 and not self._trying:
                self._trying = True
                return True
        raise self._error(
            self._message,
            hint=f"Try again in {max(1, round(wait))} s.",
            detail="its last calls failed, and there is a pause before the next",
        )

    def _leave(self, *, trial: bool, failed: bool) -> None:
        with self._lock:
            if trial:
                self._trying = False
            if not failed:
                self._failures = 0
                return
            self._failures += 1
            if self._failures >= _FAILURES:
                pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (self._failures - _FAILURES))
                self._closed_until = self._clock() + pause
