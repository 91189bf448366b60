"""Limit the queries per minute, by user and by address."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from sqe.common.rate_limiter import RateLimiter, network
from sqe.errors import TooManyQueriesError


class QueryRates:
    def __init__(
        self, queries_per_user: int, queries_per_address: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Let so many through in a minute; 0 turns that limit off."""
        self._lock = threading.Lock()
        self._users = RateLimiter(queries_per_user, clock)
        self._addresses = RateLimiter(queries_per_address, clock)

    def take(self, user: str, address: str | None) -> None:
        """Count one query. An address of None (a socket, a call within the process) is not counted as one.

        Raises:
            TooManyQueriesError: there were too many; this one is not counted.
        """
        place = network(address) if address is not None else None
        with self._lock:
            if wait := self._users.wait(user):
                raise _too_many(user, self._users.per_minute, wait)
            if place is not None:
                if wait := self._addresses.wait(place):
                    raise _too_many(f"The address {place}", self._addresses.per_minute, wait)
                self._addresses.take(place)
            self._users.take(user)


def _too_many(who: str, limit: int, wait: float) -> TooManyQueriesError:
    return TooManyQueriesError(
        f"{who} has sent more than {limit} queries per minute.",
        hint=f"Try again in {math.ceil(wait)} s.",
    )
