"""Check cases of the corpus on a server, as each user, and restore its warehouse afterwards."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from testing.people import FRONT_ENDS, FrontEnd
from testing.server import RunningServer
from tests.security.answers import Got, Refused, fault, text_of
from tests.security.case import Case
from tests.security.data import CANARIES
from tests.security.lake import Content, Lake
from tests.security.people import Visitor, Visitors


@dataclass(frozen=True)
class CorpusServer:
    """A server with the tables of the corpus, its users, and the content of its warehouse."""

    visitors: Visitors
    lake: Lake
    content: Content
    """As it was set up, and is before and after each case."""

    @property
    def server(self) -> RunningServer:
        return self.visitors.server

    def check(self, case: Case, front_ends: tuple[FrontEnd, ...] = FRONT_ENDS) -> None:
        """Run a case as ann at every front end, and as her control at one: its meaning is the same at all.

        Raises:
            AssertionError: naming who got what, where.
        """
        front_ends = tuple(front_end for front_end in front_ends if front_end in case.front_ends)
        one = front_ends[zlib.crc32(case.name.encode()) % len(front_ends)]
        ann = [partial(self._ann, case, front_end) for front_end in front_ends]
        bob = partial(self._bob, case, one)
        eve = [] if case.eve is None else [partial(self._eve, case, one)]
        if case.changes or case.bob_first:
            for step in (bob, *ann, *eve) if case.bob_first else (*ann, bob, *eve):
                step()
        else:
            _at_once(*ann, bob, *eve)

    def _ann(self, case: Case, front_end: FrontEnd) -> None:
        ann = self.visitors.visitor("ann", front_end, case.dialect)
        try:
            got = _run(ann, case, case.sql)
            assert (wrong := fault(case.ann, got, front_end)) is None, f"ann at {front_end}: {wrong}"
            assert (leaked := leaks(case, got)) is None, f"ann at {front_end}: {leaked}"
            if case.ann_writes:
                self._left(case, front_end)
            else:
                assert self.lake.content() == self.content, f"ann at {front_end}: the lake is not as it was"
        finally:
            self._tidy()

    def _left(self, case: Case, front_end: FrontEnd) -> None:
        if case.left is not None:
            sql, expected = case.left
            got = self.visitors.visitor("bob", front_end, "spark").ask(sql)
            assert (wrong := fault(expected, got, front_end)) is None, f"what ann left: {wrong}"

    def _bob(self, case: Case, front_end: FrontEnd) -> None:
        bob = self.visitors.visitor("bob", front_end, case.dialect)
        try:
            got = _run(bob, case, case.control or case.sql)
            assert (wrong := fault(case.bob, got, front_end)) is None, (
                f"bob, the control, at {front_end}: {wrong}"
            )
            changed = self.lake.content() != self.content
            assert changed == case.writes, "bob, the control: " + (
                "the lake is not as it was"
                if changed
                else "his statement changes nothing, so that ann's proves nothing"
            )
        finally:
            self._tidy()

    def _eve(self, case: Case, front_end: FrontEnd) -> None:
        assert case.eve is not None
        eve = self.visitors.visitor("eve", front_end, case.dialect)
        try:
            got = eve.ask(case.sql)
            assert (wrong := fault(case.eve, got, front_end)) is None, f"eve at {front_end}: {wrong}"
            assert (leaked := leaks(case, got)) is None, f"eve at {front_end}: {leaked}"
            assert self.lake.content() == self.content, f"eve at {front_end}: the lake is not as it was"
        finally:
            self._tidy()

    def _tidy(self) -> None:
        if self.lake.content() != self.content:
            self.lake.restore(self.content)


def _at_once(*steps: Callable[[], None]) -> None:
    """Run steps that only read, each in a session of its own, in parallel."""
    with ThreadPoolExecutor(len(steps)) as pool:
        done = [pool.submit(step) for step in steps]
    wrong = [str(error) for one in done if (error := one.exception()) is not None]
    assert not wrong, "\n".join(wrong)


def leaks(case: Case, got: Got) -> str | None:
    """Return the stored values in an answer, without those that the statement itself holds; None if there are none."""
    text, asked = text_of(got), "\n".join((case.sql, *case.before, *case.tries))
    found = [canary for canary in CANARIES if canary in text and canary not in asked]
    return f"{found} in the answer: {text}" if found else None


def _run(visitor: Visitor, case: Case, sql: str) -> Got:
    dirty = case.fresh and bool(case.before)
    try:
        for before in case.before:
            got = visitor.ask(before)
            if isinstance(got, Refused):
                return got
        for tried in case.tries:
            dirty |= not isinstance(visitor.ask(tried), Refused)
        return visitor.ask(sql)
    finally:
        if dirty:
            visitor.renew()
