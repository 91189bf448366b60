from __future__ import annotations

from collections.abc import Iterator

import pytest
from testing.server import RunningServer, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        running.wait_until_ready()
        yield running
