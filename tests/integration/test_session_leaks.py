"""Sessions that come and go leave the engine as it was; `make soak-sessions` does the same with a thousand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench.jvm import JvmUsage
from bench.sessions import Churned, Machine, churned, machine

pytestmark = [pytest.mark.engine, pytest.mark.slow]

SESSIONS = 100
HEAP = 50_000  # bytes for each; a session that stays is more than ten times that
SPARE = 5  # threads and files that the engine may have at one time and not at another


@pytest.fixture(scope="module", params=["warehouse", "rest"])
def engine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    with machine(rest=request.param == "rest") as engine:
        yield engine


@pytest.fixture(scope="module")
def result(engine: Machine) -> Churned:
    return churned(engine, SESSIONS)


def leaks(before: JvmUsage, after: JvmUsage, sessions: int) -> set[str]:
    """What there is more of than chance explains."""
    found = {
        "heap": after.heap - before.heap > HEAP * sessions,
        "threads": after.threads > before.threads + SPARE,
        "sockets": after.sockets > before.sockets + SPARE,
        "files": after.files > before.files + SPARE,
    }
    return {what for what, more in found.items() if more}


def test_closed_sessions_leave_nothing(result: Churned) -> None:
    assert not leaks(result.before, result.after, result.sessions), str(result)


def test_closed_sessions_leave_nothing_on_disk(result: Churned) -> None:
    assert result.files_after <= result.files_before + SPARE, str(result)


def test_sessions_that_stay_would_be_noticed(engine: Machine, result: Churned) -> None:
    """The control: the same measure of sessions that nobody has closed."""
    count = 20
    stay = [engine.use() for _ in range(count)]
    try:
        assert {"heap", "files"} <= leaks(result.after, engine.settled(), count)
    finally:
        for session in stay:
            session.close()
    assert not leaks(result.after, engine.settled(), count)
