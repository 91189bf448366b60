from __future__ import annotations

import threading
from collections.abc import Callable

from tests.fakes.connection import FakeConnection

from sqe.cli.client.background_connection import BackgroundConnection
from sqe.cli.client.connection import Connection

SECONDS = 10.0


def test_it_tells_why_it_waits_and_closes() -> None:
    go, changed = threading.Event(), threading.Event()
    connection = FakeConnection()

    def slow(on_wait: Callable[[str], None]) -> Connection:
        on_wait("starting the engine")
        assert go.wait(SECONDS)
        return connection

    background = BackgroundConnection(slow)
    background.on_change = changed.set
    assert background.wait(0.01) is None
    assert changed.wait(SECONDS)
    assert (background.note, background.current) == ("starting the engine", None)
    go.set()
    assert background.wait(SECONDS) is connection
    assert (background.note, background.current) == (None, connection)
    background.close()
    assert connection.closed.is_set()
