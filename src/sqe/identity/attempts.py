"""Slows guessing down: who failed too often has to wait, longer each time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from sqe.errors import AuthenticationError

_FREE = 5  # failures that cost nothing: people mistype
_LONGEST_WAIT = 60.0
_FORGOTTEN = 900.0  # seconds after the last failure
_REMEMBERED = 10_000  # at most so many; the oldest go first

Key = tuple[str, str | None]  # the user's name as given, and the peer's address


@dataclass(slots=True)
class _Failures:
    count: int
    last: float


class Attempts:
    """Counts failures by user and address, so that nobody can lock others out from elsewhere."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: OrderedDict[Key, _Failures] = OrderedDict()

    def check(self, key: Key) -> None:
        """Raise AuthenticationError while this one has to wait."""
        now = self._clock()
        with self._lock:
            failures = self._failures.get(key)
            if failures is None:
                return
            if now - failures.last > _FORGOTTEN:
                del self._failures[key]
                return
            wait = failures.last + _pause(failures.count) - now
        if wait > 0:
            raise AuthenticationError(
                "Too many failed logins.", hint=f"Try again in {max(1, round(wait))} s.", detail="has to wait"
            )

    def failed(self, key: Key) -> None:
        with self._lock:
            failures = self._failures.setdefault(key, _Failures(0, 0.0))
            failures.count += 1
            failures.last = self._clock()
            self._failures.move_to_end(key)
            while len(self._failures) > _REMEMBERED:
                self._failures.popitem(last=False)

    def succeeded(self, key: Key) -> None:
        with self._lock:
            self._failures.pop(key, None)


def _pause(count: int) -> float:
    return 0.0 if count < _FREE else min(_LONGEST_WAIT, 2.0 ** (count - _FREE))
