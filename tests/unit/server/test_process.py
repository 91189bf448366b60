from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from sqe.server.process import handle_signals

SECONDS = 60.0
NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_stops_and_the_second_ends(number: signal.Signals) -> None:
    seen: SimpleQueue[str] = SimpleQueue()
    handle_signals(lambda: seen.put("stop"))
    os.kill(os.getpid(), number)
    assert seen.get(timeout=SECONDS) == "stop"
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_hangup_reloads_and_ends_nothing() -> None:
    seen: SimpleQueue[str] = SimpleQueue()
    handle_signals(lambda: seen.put("stop"), lambda: seen.put("reload"))
    os.kill(os.getpid(), signal.SIGHUP)
    os.kill(os.getpid(), signal.SIGHUP)
    assert [seen.get(timeout=SECONDS), seen.get(timeout=SECONDS)] == ["reload", "reload"]


def test_a_signal_may_come_while_the_main_thread_has_what_a_stop_needs() -> None:
    """As `Event.wait` has, again and again, what `Event.set` needs."""
    lock, stopped = threading.Lock(), threading.Event()

    def stop() -> None:
        with lock:
            stopped.set()

    handle_signals(stop)
    with lock:
        os.kill(os.getpid(), signal.SIGTERM)
    assert stopped.wait(SECONDS)
