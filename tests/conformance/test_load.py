"""A hundred clients at both doors: no error, and nothing that stays behind. `make bench-load` does it for a minute."""

from __future__ import annotations

import pytest
from bench.load import Door, load
from bench.process import usage
from tests.conformance.clients.base import ALICE, BOB, Doors
from tests.support.command import until
from tests.support.server import RunningServer

pytestmark = pytest.mark.engine

CLIENTS = 100
SECONDS = 10.0


def test_a_hundred_clients_get_their_answers_and_leave_nothing_behind(
    server: RunningServer, doors: Doors
) -> None:
    both = [
        Door("flight", doors.flight, ALICE.name, ALICE.password, doors.ca),
        Door("trino", doors.trino, BOB.name, BOB.password, doors.ca),
    ]
    load(both, CLIENTS, 1)  # pools, classes and buffers that stay are no leak
    before = usage(server.process.pid)
    reports = load(both, CLIENTS, SECONDS)
    for report in reports:
        assert not report.errors, str(report)
        assert len(report.latencies) >= CLIENTS // len(both), str(report)  # each client at least one
    until(
        lambda: usage(server.process.pid).threads <= before.threads + 10,
        "the threads of the second round end",
    )
    after = usage(server.process.pid)
    assert after.rss - before.rss < 100e6, f"before {before}, after {after}"
    assert after.files <= before.files + 20, f"before {before}, after {after}"
