"""A hundred clients at both front ends: no error, and nothing left over. `make bench-load` runs them for a minute."""

from __future__ import annotations

import pytest
from bench.load import Target, load
from bench.process import usage
from testing.command import until
from testing.server import RunningServer
from tests.conformance.clients.base import ALICE, BOB, FrontEnds

pytestmark = pytest.mark.engine

CLIENTS = 100
SECONDS = 10.0


def test_a_hundred_clients_get_their_answers_and_leave_nothing_behind(
    server: RunningServer, front_ends: FrontEnds
) -> None:
    both = [
        Target("flight", front_ends.flight, ALICE.name, ALICE.password, front_ends.ca),
        Target("trino", front_ends.trino, BOB.name, BOB.password, front_ends.ca),
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
