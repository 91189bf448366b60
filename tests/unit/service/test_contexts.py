from __future__ import annotations

from collections.abc import Iterator

import pytest
from testing.command import until
from tests.fakes.engine import FakeEngine
from tests.support.clock import skipping_time

from sqe.config.sections.limits import LimitsConfig
from sqe.model.identity import Principal
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.service import session as session_module
from sqe.service.contexts import ContextSessions
from sqe.service.service import QueryService

ANN, BOB = Principal("ann", "test"), Principal("bob", "test")
BASE = SessionSpec((WarehouseCatalog("iceberg", None),))


@pytest.fixture
def service() -> Iterator[QueryService]:
    service = QueryService(FakeEngine(), LimitsConfig())
    yield service
    service.drain(0)


def test_requests_that_stand_at_the_same_place_share_a_session(service: QueryService) -> None:
    contexts = ContextSessions(service, BASE, front_end="trino", idle_limit=60)
    first = contexts.session(ANN, catalog="iceberg", schema="sales")
    assert contexts.session(ANN, catalog="iceberg", schema="sales") is first
    assert first.spec.namespace == "sales"
    assert first.front_end == "trino"


def test_another_user_place_or_dialect_gets_another(service: QueryService) -> None:
    contexts = ContextSessions(service, BASE, front_end="trino", idle_limit=60)
    sessions = {
        contexts.session(ANN, schema="a").id,
        contexts.session(ANN, schema="b").id,
        contexts.session(BOB, schema="a").id,
        contexts.session(ANN, schema="a", time_zone="Asia/Tokyo").id,
        contexts.session(ANN, schema="a", dialect=Dialect.SPARK).id,
    }
    assert len(sessions) == 5


def test_one_that_nobody_uses_is_closed_and_opened_again(service: QueryService) -> None:
    contexts = ContextSessions(service, BASE, front_end="trino", idle_limit=0.01)
    first = contexts.session(ANN)
    until(lambda: first.closed)
    assert contexts.session(ANN) is not first
    assert len(contexts._sessions) == 1


def test_one_that_runs_a_query_is_not_idle(service: QueryService, monkeypatch: pytest.MonkeyPatch) -> None:
    skipping = skipping_time(monkeypatch, session_module)
    contexts = ContextSessions(service, BASE, front_end="trino", idle_limit=600)
    session = contexts.session(ANN, dialect=Dialect.SPARK)
    query_id = service.submit(session, service.read(session, "wait"))
    skipping.skip(1000)
    assert not service.wait(session, query_id, 1.2)  # two rounds of the service's housekeeping
    assert not session.closed
