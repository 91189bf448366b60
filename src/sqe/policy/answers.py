"""Decisions that are used again, and those that somebody is already asking for.

An answer holds for as long as every engine says that its version is the one from before the question. Of an engine that
cannot tell, it holds for a moment. A change of version drops what was answered before it at once, for everybody.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field

from cachetools import LRUCache

from sqe.model.decision import Decision, Question

Versions = tuple[str | None, ...]  # of the engines, in their order; None: it cannot tell


@dataclass(frozen=True, slots=True)
class Key:
    """Who asks, and what. Its hash is kept: a question may be about a thousand columns."""

    who: Hashable
    question: Question
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.who, self.question)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class _Kept:
    versions: Versions
    until: float | None  # None: for as long as the versions stay
    decision: Decision


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A question that somebody has promised to answer."""

    key: Key
    versions: Versions
    begun: float
    answer: Future[Decision] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Claim:
    """What is known of some questions: those that were kept, those to wait for, those to be answered by the caller."""

    kept: dict[Key, Decision] = field(default_factory=dict)
    waits: dict[Key, Future[Decision]] = field(default_factory=dict)
    own: dict[Key, Ticket] = field(default_factory=dict)


class Answers:
    def __init__(
        self, seconds: float, at_most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep `at_most`; for `seconds` those of engines that have no version."""
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: LRUCache[Key, _Kept] = LRUCache(at_most)
        self._asked: dict[tuple[Key, Versions], Ticket] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def claim(self, keys: Iterable[Key], versions: Versions) -> Claim:
        """Sort the questions. Whoever gets some as their own has to `settle` or `fail` each of them.

        Args:
            keys: of the questions.
            versions: of the engines now, before any of them is asked.
        """
        now = self._clock()
        claim = Claim()
        with self._lock:
            for key in keys:
                kept = self._fresh(key, versions, now)
                asked = self._asked.get((key, versions))
                if kept is not None:
                    claim.kept[key] = kept
                elif asked is not None and (None not in versions or now - asked.begun < self._seconds):
                    claim.waits[key] = asked.answer
                else:
                    claim.own[key] = self._asked[key, versions] = Ticket(key, versions, now)
        return claim

    def settle(self, ticket: Ticket, decision: Decision) -> None:
        """Keep the answer to an own question, and hand it to those who wait."""
        until = ticket.begun + self._seconds if None in ticket.versions else None
        with self._lock:
            self._forget(ticket)
            if until is None or until > self._clock():
                self._kept[ticket.key] = _Kept(ticket.versions, until, decision)
        ticket.answer.set_result(decision)

    def fail(self, ticket: Ticket, error: Exception) -> None:
        """There is no answer; those who wait get the error too. Nothing is kept."""
        with self._lock:
            self._forget(ticket)
        ticket.answer.set_exception(error)

    def _forget(self, ticket: Ticket) -> None:
        at = (ticket.key, ticket.versions)
        if self._asked.get(at) is ticket:  # somebody may have asked again since
            del self._asked[at]

    def _fresh(self, key: Key, versions: Versions, now: float) -> Decision | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        if kept.versions != versions or (kept.until is not None and kept.until <= now):
            del self._kept[key]
            return None
        return kept.decision
