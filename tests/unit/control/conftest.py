from __future__ import annotations

from collections.abc import Iterator

import pytest
from testing.control import FakeEngine, FakeKeys, FakeLogins

from sqe.config.schema import Config
from sqe.control.endpoint import ControlEndpoint


@pytest.fixture
def logins() -> FakeLogins:
    logins = FakeLogins()
    logins.add("login-of-alice", "token-of-alice")
    logins.add("login-of-bob", "token-of-bob")
    return logins


@pytest.fixture
def keys() -> FakeKeys:
    return FakeKeys()


@pytest.fixture
def observed() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def endpoint(
    logins: FakeLogins, keys: FakeKeys, observed: list[tuple[str, str]]
) -> Iterator[ControlEndpoint]:
    made = ControlEndpoint(Config(), logins, keys, observe=lambda *observation: observed.append(observation))
    made.start()
    yield made
    made.close()


@pytest.fixture
def engine(endpoint: ControlEndpoint) -> Iterator[FakeEngine]:
    engine = FakeEngine(endpoint.link())
    with engine.client:
        yield engine
