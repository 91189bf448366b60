"""Passwords that were right a moment ago.

Trino's clients send the password with every request, and scrypt takes a good part of a second each time. What is kept
is a keyed hash under a key that no other process has, and only for a short time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from sqe.identity.passwords import PasswordHash

_SECONDS = 300.0
_AT_MOST = 10_000


class Verified:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._until: OrderedDict[bytes, float] = OrderedDict()

    def knows(self, known: PasswordHash, password: str) -> bool:
        """Whether this password was right for this hash lately. Another hash in the file is another entry."""
        with self._lock:
            return self._until.get(self._mark(known, password), 0.0) > self._clock()

    def add(self, known: PasswordHash, password: str) -> None:
        with self._lock:
            self._until[self._mark(known, password)] = self._clock() + _SECONDS
            while len(self._until) > _AT_MOST:
                self._until.popitem(last=False)

    def _mark(self, known: PasswordHash, password: str) -> bytes:
        return hmac.digest(self._key, f"{known}\0{password}".encode(), hashlib.sha256)
