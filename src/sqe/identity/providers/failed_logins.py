"""Count failed logins, and make clients wait, longer each time, after too many of them."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import TTLCache

from sqe.common.rate_limiter import RateLimiter, network
from sqe.errors import AuthenticationError

_LONGEST_WAIT = 60.0
_FORGOTTEN = 900.0  # seconds after the last failure
_REMEMBERED = 10_000  # at most so many; the least recently used go first
_LONGEST_NAME = 256  # of which so much is kept: a name that is not believed yet can be as long as a header

Key = tuple[str, str | None]  # the user's name as given, and the peer's address


@dataclass(frozen=True, slots=True)
class _Failures:
    count: int
    last: float


class FailedLogins:
    """Failures by user and address, so that a client elsewhere cannot lock the user out.

    They are counted by address alone too, against one password on many users. A success does not reset those: an
    attacker with one account could go on for ever.

    Flight SQL does not know the address when it authenticates; there the count is by user. An address of None is not
    counted as one: the failures of one client would keep all others out.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, per_user: int = 5, per_address: int = 0
    ) -> None:
        """Make clients wait after too many failures; 0 turns a limit off.

        Args:
            clock: as `time.monotonic`.
            per_user: failures of one user from one address that cost nothing: people mistype.
            per_address: failures of one address in a minute.
        """
        self._clock = clock
        self._per_user = per_user
        self._lock = threading.Lock()
        self._failures: TTLCache[Key, _Failures] = TTLCache(_REMEMBERED, _FORGOTTEN, timer=clock)
        self._addresses = RateLimiter(per_address, clock)

    def check(self, key: Key) -> None:
        """Raise AuthenticationError while this client has to wait."""
        key = _counted(key)
        with self._lock:
            wait = max(self._wait(key), self._addresses.wait(key[1]) if key[1] is not None else 0.0)
        if wait > 0:
            raise AuthenticationError(
                "Too many failed logins.", hint=f"Try again in {math.ceil(wait)} s.", detail="has to wait"
            )

    def add(self, key: Key) -> None:
        key = _counted(key)
        with self._lock:
            before = self._failures.get(key)
            self._failures[key] = _Failures(before.count + 1 if before is not None else 1, self._clock())
            if key[1] is not None:
                self._addresses.take(key[1])

    def clear(self, key: Key) -> None:
        with self._lock:
            self._failures.pop(_counted(key), None)

    def _wait(self, key: Key) -> float:
        failures = self._failures.get(key)
        if failures is None:
            return 0.0
        return failures.last + self._pause(failures.count) - self._clock()

    def _pause(self, count: int) -> float:
        if not self._per_user or count < self._per_user:
            return 0.0
        return min(_LONGEST_WAIT, 2.0 ** min(count - self._per_user, 10))


def _counted(key: Key) -> Key:
    user, address = key
    return user[:_LONGEST_NAME], network(address) if address is not None else None
