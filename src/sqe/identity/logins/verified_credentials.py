"""Remember recently verified credentials and their results.

Trino's clients send the password with every request. A password hash takes a good part of a second each time, and an
identity provider not much less. Only a keyed hash is kept, under a key of this process, and for a limited time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import TLRUCache

_SECONDS = 300.0
_AT_MOST = 10_000

T = TypeVar("T")


class VerifiedCredentials(Generic[T]):
    def __init__(self, clock: Callable[[], float] = time.monotonic, seconds: float = _SECONDS) -> None:
        """Remember for so many `seconds` of `clock`."""
        self._clock = clock
        self._seconds = seconds
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._known: TLRUCache[bytes, tuple[float, T]] = TLRUCache(
            _AT_MOST, ttu=lambda digest, kept, now: kept[0], timer=clock
        )

    def find(self, owner: str, secret: str) -> T | None:
        """Return the value added for this secret; `owner` is a name, or the hash that it was right for."""
        digest = self.digest(owner, secret)
        with self._lock:
            kept = self._known.get(digest)
            return kept[1] if kept is not None else None

    def add(self, owner: str, secret: str, value: T, *, until: float | None = None) -> None:
        """Remember it, by default as long as all others; the least recently used go when there are too many."""
        digest = self.digest(owner, secret)
        with self._lock:
            self._known[digest] = (self._clock() + self._seconds if until is None else until, value)

    def forget(self, owner: str, secret: str) -> None:
        with self._lock:
            self._known.pop(self.digest(owner, secret), None)

    def digest(self, owner: str, secret: str) -> bytes:
        """Return a keyed hash of the two, which reveals neither."""
        name = owner.encode(errors="surrogatepass")
        # With its length, so that no other pair of texts looks the same.
        return hmac.digest(
            self._key, b"%d:%b%b" % (len(name), name, secret.encode(errors="surrogatepass")), hashlib.sha256
        )
