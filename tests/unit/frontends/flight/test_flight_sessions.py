"""Sessions of Flight SQL clients that were idle for too long."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cachetools import LRUCache
from tests.fakes.engine import FakeEngine
from tests.unit.frontends.flight.conftest import BASE

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import SessionError
from sqe.frontends.flight.call_authenticator import Caller
from sqe.frontends.flight.session import FlightSession, FlightSessions
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.model.identity import Principal
from sqe.service import effects
from sqe.service.effects import Effect
from sqe.service.service import QueryService

ANN = Principal("ann", "users_file")
LIMIT = 1800.0
CHANGES: list[Effect] = [
    effects.SetSchema("mine"),
    effects.SetCatalog("lake"),
    effects.SetTimeZone("Europe/Amsterdam"),
    effects.SetProperty("dialect", "spark"),
    effects.AddPrepared("p", "SELECT 1"),
]


def caller(peer: str = "ipv4:192.0.2.1:50000", token: str | None = None) -> Caller:
    return Caller(ANN, token, peer, password=False)


def later(sessions: FlightSessions, *idle: FlightSession) -> None:
    """Let time pass for these sessions, and for the sweep."""
    for session in idle:
        session.last_use -= LIMIT + 1
    sessions._swept -= LIMIT + 1


@pytest.fixture
def sessions() -> FlightSessions:
    service = QueryService(FakeEngine(), LimitsConfig())
    return FlightSessions(service, BASE, SessionTokens(86400, 86400), LIMIT)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_a_session_in_which_something_was_set_is_not_replaced(
    sessions: FlightSessions, change: Effect
) -> None:
    session = sessions.session(caller())
    session.apply([change])
    later(sessions, session)
    for _ in range(2):
        with pytest.raises(
            SessionError, match="The session was closed after 30min without a request"
        ) as caught:
            sessions.session(caller())
        assert caught.value.hint == "Connect again."
        later(sessions)
    assert sessions.session(caller("ipv4:192.0.2.1:50001")).untouched


def test_a_session_in_which_nothing_was_set_is_made_anew(sessions: FlightSessions) -> None:
    session = sessions.session(caller())
    later(sessions, session)
    assert sessions.session(caller()) is not session


def test_what_was_set_and_is_as_before_is_nothing(sessions: FlightSessions) -> None:
    session = sessions.session(caller())
    session.apply([effects.SetProperty("dialect", "spark"), effects.SetTimeZone("UTC")])
    assert not session.untouched
    session.apply([effects.ClearProperty("dialect"), effects.SetTimeZone(None)])
    later(sessions, session)
    assert sessions.session(caller()) is not session


def test_a_session_with_a_token_is_closed_under_both_of_its_names(sessions: FlightSessions) -> None:
    with_password = replace(caller(), password=True)
    token = sessions.token(with_password)
    session = sessions.session(caller(token=token))
    session.apply(CHANGES)
    later(sessions, session)
    for each in (caller(token=token), caller(), caller("ipv4:192.0.2.9:1", token)):
        with pytest.raises(SessionError):
            sessions.session(each)
    with pytest.raises(SessionError):
        sessions.token(with_password)


def test_a_client_that_closes_such_a_session_may_begin_another(sessions: FlightSessions) -> None:
    session = sessions.session(caller())
    session.apply(CHANGES)
    later(sessions, session)
    with pytest.raises(SessionError):
        sessions.session(caller())
    sessions.close(caller())
    assert sessions.session(caller()).untouched


def test_closed_sessions_are_remembered_up_to_a_number(sessions: FlightSessions) -> None:
    sessions._closed = LRUCache(2)
    for place in range(3):
        session = sessions.session(caller(f"ipv4:192.0.2.1:{place}"))
        session.apply(CHANGES)
        later(sessions, session)
    later(sessions)
    sessions.session(caller("ipv4:192.0.2.1:9"))
    sessions.session(caller("ipv4:192.0.2.1:0"))
    for place in (1, 2):
        with pytest.raises(SessionError):
            sessions.session(caller(f"ipv4:192.0.2.1:{place}"))
