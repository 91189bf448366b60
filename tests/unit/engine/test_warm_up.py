"""The statements that warm an engine up: when they are done, and when they are tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from sqe.engine.sessions import EngineSessions
from sqe.engine.warm_up import STATEMENTS, warm_up
from sqe.errors import DataError, EngineStartError


class _Session:
    def __init__(self, fails: str | None) -> None:
        self.ran: list[str] = []
        self.closed = False
        self._fails = fails

    def ready(self, given_up: Callable[[], bool]) -> None:
        if given_up():
            raise EngineStartError("The engine is being stopped.")

    def stream(self, statement: str, tag: str, on_progress: object) -> Iterator[object]:
        if statement == self._fails:
            raise DataError("It failed.")
        self.ran.append(statement)
        yield from ()

    def close(self) -> None:
        self.closed = True


class _Sessions:
    def __init__(self, fails: str | None = None) -> None:
        self.session = _Session(fails)

    def open(self, *args: Any) -> _Session:
        return self.session


def _warm_up(sessions: _Sessions, wanted: Callable[[], bool]) -> bool:
    return warm_up(cast(EngineSessions, sessions), "ann", wanted)


def test_every_statement_runs() -> None:
    sessions = _Sessions()
    assert _warm_up(sessions, lambda: True)
    assert sessions.session.ran == list(STATEMENTS)
    assert sessions.session.closed


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_query_of_a_user_puts_it_off_without_a_warning(
    after: int, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = _Sessions()
    asked = iter(range(100))
    with caplog.at_level(logging.WARNING):
        assert not _warm_up(sessions, lambda: next(asked) < after)
    assert len(sessions.session.ran) < len(STATEMENTS)
    assert sessions.session.closed
    assert not caplog.records


def test_a_statement_that_fails_is_told_and_not_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    sessions = _Sessions(fails=STATEMENTS[2])
    with caplog.at_level(logging.WARNING):
        assert _warm_up(sessions, lambda: True)
    assert sessions.session.closed
    assert "It failed." in caplog.text
