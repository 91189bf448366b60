"""Fixtures of several packages: a clock that stands still, an identity provider, and the HTTP client that asks it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.common.circuit_breaker import Breaker
from sqe.common.http_client import WebClient


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def idp(clock: Clock) -> Iterator[FakeIdp]:
    with FakeIdp(clock) as idp:
        yield idp


@pytest.fixture
def web(clock: Clock) -> Iterator[WebClient]:
    client = WebClient(60.0, breaker=Breaker(clock))
    yield client
    client.close()
