"""Runs a case at the doors of the server: ann, the control, and whoever else is named. Looks at the lake then."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from testing.people import DOORS, Door
from testing.server import RunningServer
from tests.security.answers import Got, Refused, fault, heard
from tests.security.case import Case
from tests.security.data import CANARIES
from tests.security.lake import Content, Lake
from tests.security.people import Visitor, Visitors


@dataclass(frozen=True)
class World:
    visitors: Visitors
    lake: Lake
    content: Content
    """As it was set up, and is before and after each case."""

    @property
    def server(self) -> RunningServer:
        return self.visitors.server

    def judge(self, case: Case, doors: tuple[Door, ...] = DOORS) -> None:
        """Ann at every door; her control at one, as what a statement means does not depend on that.

        Raises:
            AssertionError: naming who got what, where.
        """
        doors = tuple(door for door in doors if door in case.doors)
        one = doors[zlib.crc32(case.name.encode()) % len(doors)]
        ann = [partial(self._ann, case, door) for door in doors]
        bob = partial(self._bob, case, one)
        eve = [] if case.eve is None else [partial(self._eve, case, one)]
        if case.changes or case.bob_first:
            for step in (bob, *ann, *eve) if case.bob_first else (*ann, bob, *eve):
                step()
        else:
            _at_once(*ann, bob, *eve)

    def _ann(self, case: Case, door: Door) -> None:
        ann = self.visitors.visitor("ann", door, case.dialect)
        try:
            got = _run(ann, case, case.sql)
            assert (wrong := fault(case.ann, got, door)) is None, f"ann at {door}: {wrong}"
            assert (leaked := leaks(case, got)) is None, f"ann at {door}: {leaked}"
            if case.ann_writes:
                self._left(case, door)
            else:
                assert self.lake.content() == self.content, f"ann at {door}: the lake is not as it was"
        finally:
            self._tidy()

    def _left(self, case: Case, door: Door) -> None:
        if case.left is not None:
            sql, expected = case.left
            got = self.visitors.visitor("bob", door, "spark").ask(sql)
            assert (wrong := fault(expected, got, door)) is None, f"what ann left: {wrong}"

    def _bob(self, case: Case, door: Door) -> None:
        bob = self.visitors.visitor("bob", door, case.dialect)
        try:
            got = _run(bob, case, case.control or case.sql)
            assert (wrong := fault(case.bob, got, door)) is None, f"bob, the control, at {door}: {wrong}"
            changed = self.lake.content() != self.content
            assert changed == case.writes, "bob, the control: " + (
                "the lake is not as it was"
                if changed
                else "his statement changes nothing, so that ann's proves nothing"
            )
        finally:
            self._tidy()

    def _eve(self, case: Case, door: Door) -> None:
        assert case.eve is not None
        eve = self.visitors.visitor("eve", door, case.dialect)
        try:
            got = eve.ask(case.sql)
            assert (wrong := fault(case.eve, got, door)) is None, f"eve at {door}: {wrong}"
            assert (leaked := leaks(case, got)) is None, f"eve at {door}: {leaked}"
            assert self.lake.content() == self.content, f"eve at {door}: the lake is not as it was"
        finally:
            self._tidy()

    def _tidy(self) -> None:
        if self.lake.content() != self.content:
            self.lake.restore(self.content)


def _at_once(*steps: Callable[[], None]) -> None:
    """They only read, each in a session of its own."""
    with ThreadPoolExecutor(len(steps)) as pool:
        done = [pool.submit(step) for step in steps]
    wrong = [str(error) for one in done if (error := one.exception()) is not None]
    assert not wrong, "\n".join(wrong)


def leaks(case: Case, got: Got) -> str | None:
    """What of the stored values was told; words that the statement itself has are no news."""
    text, asked = heard(got), "\n".join((case.sql, *case.before, *case.tries))
    found = [canary for canary in CANARIES if canary in text and canary not in asked]
    return f"{found} in what was told: {text}" if found else None


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
