from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from sqe.server.process import handle_signals

NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_stops_and_the_second_ends(number: signal.Signals) -> None:
    seen: list[str] = []
    handle_signals(lambda: seen.append("stop"))
    os.kill(os.getpid(), number)
    assert seen == ["stop"]
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_hangup_reloads_and_ends_nothing() -> None:
    seen: list[str] = []
    handle_signals(lambda: seen.append("stop"), lambda: seen.append("reload"))
    os.kill(os.getpid(), signal.SIGHUP)
    handle_signals(lambda: seen.append("stop"))
    os.kill(os.getpid(), signal.SIGHUP)
    assert seen == ["reload"]
