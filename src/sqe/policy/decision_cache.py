"""A cache of decisions, which also lets callers wait for a decision that another thread is already making.

A decision holds for as long as every engine reports the version that it had before the question. Where an engine has
no version, the decision holds for a few seconds. A change of version drops older decisions at once, for all users.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field

from cachetools import LRUCache

from sqe.model.decision import Decision, Question

Versions = tuple[str | None, ...]  # of the engines, in their order; None: the engine has no version


@dataclass(frozen=True, slots=True)
class DecisionKey:
    """A principal's identity and a question. The hash is stored: a question may have a thousand columns."""

    identity: Hashable
    question: Question
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.identity, self.question)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class _CachedDecision:
    versions: Versions
    until: float | None  # None: for as long as the versions stay
    decision: Decision


@dataclass(frozen=True, slots=True, eq=False)
class PendingDecision:
    """A decision that one thread is making."""

    key: DecisionKey
    versions: Versions
    begun: float
    future: Future[Decision] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class CacheLookup:
    """The result of a lookup: cached decisions, decisions of other threads, and those that the caller has to make."""

    cached: dict[DecisionKey, Decision] = field(default_factory=dict)
    waiting: dict[DecisionKey, Future[Decision]] = field(default_factory=dict)
    to_decide: dict[DecisionKey, PendingDecision] = field(default_factory=dict)


class DecisionCache:
    def __init__(
        self, seconds: float, max_entries: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep up to `max_entries` decisions; those of engines without a version for `seconds`."""
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._cached: LRUCache[DecisionKey, _CachedDecision] = LRUCache(max_entries)
        self._pending: dict[tuple[DecisionKey, Versions], PendingDecision] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._cached)

    def look_up(self, keys: Iterable[DecisionKey], versions: Versions) -> CacheLookup:
        """Look up decisions. The caller has to `complete` or `fail` each one in `to_decide`.

        Args:
            keys: of the questions.
            versions: of the engines now, before any of them is asked.
        """
        now = self._clock()
        lookup = CacheLookup()
        with self._lock:
            for key in keys:
                cached = self._fresh(key, versions, now)
                pending = self._pending.get((key, versions))
                if cached is not None:
                    lookup.cached[key] = cached
                elif pending is not None and (None not in versions or now - pending.begun < self._seconds):
                    lookup.waiting[key] = pending.future
                else:
                    lookup.to_decide[key] = self._pending[key, versions] = PendingDecision(key, versions, now)
        return lookup

    def complete(self, pending: PendingDecision, decision: Decision) -> None:
        """Cache a decision and hand it to the threads that wait for it."""
        until = pending.begun + self._seconds if None in pending.versions else None
        with self._lock:
            self._remove(pending)
            if until is None or until > self._clock():
                self._cached[pending.key] = _CachedDecision(pending.versions, until, decision)
        pending.future.set_result(decision)

    def fail(self, pending: PendingDecision, error: Exception) -> None:
        """Raise `error` in the threads that wait for the decision, and cache nothing."""
        with self._lock:
            self._remove(pending)
        pending.future.set_exception(error)

    def _remove(self, pending: PendingDecision) -> None:
        at = (pending.key, pending.versions)
        if self._pending.get(at) is pending:  # another thread may have begun the same decision since
            del self._pending[at]

    def _fresh(self, key: DecisionKey, versions: Versions, now: float) -> Decision | None:
        cached = self._cached.get(key)
        if cached is None:
            return None
        if cached.versions != versions or (cached.until is not None and cached.until <= now):
            del self._cached[key]
            return None
        return cached.decision
