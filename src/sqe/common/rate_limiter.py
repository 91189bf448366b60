"""Limit rates with token buckets: so many a minute for each key, all of them at once if need be, in bounded memory."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import TTLCache

from sqe.common.loopback import parse_ip

_MINUTE = 60.0
_REMEMBERED = 10_000  # at most so many; the least recently used go first
_NETWORK_BITS = 64  # of an IPv6 address: what one subscriber gets, who can choose the rest freely


@dataclass(frozen=True, slots=True)
class _Bucket:
    left: float
    at: float


class RateLimiter:
    """One token bucket for each key. The caller holds a lock."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Let `per_minute` through; 0 lets everything through, and remembers nothing."""
        self.per_minute = per_minute
        self._clock = clock
        # After two minutes the deepest bucket is full again, which is as good as none.
        self._buckets: TTLCache[str, _Bucket] = TTLCache(_REMEMBERED, 2 * _MINUTE, timer=clock)

    def wait(self, key: str) -> float:
        """Seconds until there is one for `key`; 0 when there is one now."""
        bucket = self._buckets.get(key)
        if bucket is None:
            return 0.0
        return max(0.0, (1.0 - self._left(bucket)) * _MINUTE / self.per_minute)

    def take(self, key: str) -> None:
        """Take one. Without one left it becomes a debt of up to a minute's worth: calls at once do not come free."""
        if not self.per_minute:
            return
        now = self._clock()
        bucket = self._buckets.get(key)
        left = self._left(bucket) if bucket is not None else float(self.per_minute)
        self._buckets[key] = _Bucket(max(left - 1.0, -float(self.per_minute)), now)

    def _left(self, bucket: _Bucket) -> float:
        filled = (self._clock() - bucket.at) * self.per_minute / _MINUTE
        return min(float(self.per_minute), bucket.left + filled)


def network(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or the network of an IPv6 one.

    A single client has more IPv6 addresses than could ever be counted.
    """
    ip = parse_ip(address)
    if ip is None:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ipaddress.IPv6Network((int(ip), _NETWORK_BITS), strict=False))
