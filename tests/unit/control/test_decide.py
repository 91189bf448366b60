"""`POST /v1/decide`, as the guard asks it: a real endpoint, a real decision point, an engine of the test's own."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from testing.control import FakeEngine, FakeKeys, FakeLogins
from tests.fakes.policy import ANN, BOB, DENY, FakePolicy, PlainRenderer, allow, sql

from sqe.config.schema import Config
from sqe.control.app import LONGEST_BODY, LONGEST_DECIDE
from sqe.control.endpoint import ControlEndpoint
from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Operation
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog
from sqe.policy.decision_point import DecisionPoint

COLUMNS = [{"name": "id", "type": "bigint", "field_id": 1, "tags": []}, {"name": "ssn", "type": "string"}]
SELECT: dict[str, Any] = {
    "operation": "select",
    "kind": "table",
    "catalog": "lake",
    "namespace": ["sales"],
    "name": "orders",
    "columns": COLUMNS,
}


@pytest.fixture
def policy() -> FakePolicy:
    return FakePolicy()


@pytest.fixture
def point(policy: FakePolicy) -> Iterator[DecisionPoint]:
    point = DecisionPoint([policy], timeout=120, cache_seconds=0, keyed=True, renderer=PlainRenderer())
    yield point
    point.close()


@pytest.fixture
def endpoint(
    logins: FakeLogins, keys: FakeKeys, observed: list[tuple[str, str]], point: DecisionPoint
) -> Iterator[ControlEndpoint]:
    made = ControlEndpoint(
        Config(), logins, keys, observe=lambda *observation: observed.append(observation), decider=point
    )
    made.start()
    yield made
    made.close()


@pytest.fixture
def session(endpoint: ControlEndpoint, engine: FakeEngine) -> str:
    session = str(uuid.uuid4())
    endpoint.bind(session, ANN, [])  # a session that has only warehouses
    return session


def ask(engine: FakeEngine, session: str, *questions: Any, query: str | None = None) -> Any:
    return engine.post(
        "decide", {"handle": engine.handle(session), "query": query, "questions": list(questions)}
    )


def test_a_session_is_decided_on_as_its_person(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, policy: FakePolicy
) -> None:
    policy.rules[Operation.SELECT] = allow(
        filters=(sql("name = current_user()"),), masks={"ssn": sql("'x'")}, restricted={"id": "a"}
    )
    answer = ask(engine, session, SELECT)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json() == {
        "user": "ann",
        "decisions": [
            {
                "allow": True,
                "filter": "(name = 'ann')",
                "masks": {"ssn": "'x'"},
                "restricted": ["id"],
                "protected": True,
            }
        ],
    }
    other = str(uuid.uuid4())
    endpoint.bind(other, BOB, [])
    assert ask(engine, other, SELECT).json()["decisions"][0]["filter"] == "(name = 'bob')"


def test_answers_come_in_number_and_order(engine: FakeEngine, session: str, policy: FakePolicy) -> None:
    policy.rules[Operation.DROP] = DENY
    questions = [SELECT, {**SELECT, "operation": "drop"}, SELECT, {**SELECT, "operation": "list"}]
    decisions = ask(engine, session, *questions).json()["decisions"]
    assert [decision["allow"] for decision in decisions] == [True, False, True, True]
    assert decisions[1] == {
        "allow": False,
        "refusal": "denied",
        "reason": "Access denied: cannot drop lake.sales.orders.",
    }


def test_the_query_is_known_to_have_touched_it(
    engine: FakeEngine, session: str, policy: FakePolicy, point: DecisionPoint
) -> None:
    policy.rules[Operation.SELECT] = allow(masks={"ssn": sql("NULL")})
    point.begin("q_1")
    ask(engine, session, SELECT, query="q_1")
    assert point.uses_protected_table("q_1")


def test_an_engine_that_is_silent(
    engine: FakeEngine, session: str, policy: FakePolicy, observed: list[tuple[str, str]]
) -> None:
    policy.rules[Operation.SELECT] = PolicyUnavailableError("http://opa:8181 refused")
    answer = ask(engine, session, SELECT)
    assert answer.status_code == 503
    assert answer.json() == {"error": 'Policy engine "fake" failed or returned an invalid response.'}
    policy.rules.clear()
    assert ask(engine, session, SELECT).status_code == 200
    assert observed == [("decide", "unavailable"), ("decide", "given")]


def test_a_session_that_is_not_known(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, policy: FakePolicy
) -> None:
    assert ask(engine, str(uuid.uuid4()), SELECT).status_code == 404
    forged = {"handle": f"{session}.{'0' * 64}", "questions": [SELECT]}
    assert engine.post("decide", forged).status_code == 404
    endpoint.unbind(session)
    assert ask(engine, session, SELECT).status_code == 404
    assert policy.asked == []


def test_what_is_odd_is_refused_with_its_place(engine: FakeEngine, session: str, policy: FakePolicy) -> None:
    answer = ask(engine, session, SELECT, {**SELECT, "operation": "read"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("questions[1].operation is not one of")
    assert engine.post("decide", b"{").status_code == 400
    assert policy.asked == []


def test_nobody_but_the_engine_is_answered(engine: FakeEngine, session: str) -> None:
    body = {"handle": engine.handle(session), "questions": [SELECT]}
    url = f"{engine.link.url}/v1/decide"
    assert engine.client.post(url, json=body).status_code == 421
    assert engine.client.post(url, json=body, headers={"authorization": "Bearer x"}).status_code == 421


def test_long_questions_are_read_up_to_a_limit(engine: FakeEngine, session: str) -> None:
    listing = [
        {"operation": "list", "kind": "table", "catalog": "lake", "namespace": ["a"], "name": f"t{number}"}
        for number in range(2000)
    ]
    answer = ask(engine, session, *listing)
    assert len(answer.request.content) > LONGEST_BODY
    assert answer.status_code == 200
    assert len(answer.json()["decisions"]) == 2000
    too_long = {"handle": "x" * LONGEST_DECIDE, "questions": [SELECT]}
    assert engine.post("decide", too_long).status_code == 413


def test_a_slow_identity_provider_keeps_no_decision_waiting(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, logins: FakeLogins
) -> None:
    asked, go_on = threading.Semaphore(0), threading.Event()

    def slow(login: str) -> Any:
        asked.release()
        assert go_on.wait(120)
        raise AssertionError

    logins.tokens = slow  # type: ignore[method-assign]
    other = str(uuid.uuid4())
    lake = RestCatalog("lake", "http://catalog.test")
    endpoint.bind(other, Principal("alice", "oidc", login="login-of-alice"), [lake])
    threads = [threading.Thread(target=engine.ask, args=("token", other), daemon=True) for _ in range(40)]
    for thread in threads:
        thread.start()
    for _ in range(32):  # all that there are workers for
        assert asked.acquire(timeout=120)
    begun = time.monotonic()
    assert ask(engine, session, SELECT).status_code == 200
    assert time.monotonic() - begun < 60
    go_on.set()
    for thread in threads:
        thread.join(120)


def test_without_a_policy_engine_there_is_no_decision(
    logins: FakeLogins, keys: FakeKeys, observed: list[tuple[str, str]]
) -> None:
    made = ControlEndpoint(Config(), logins, keys)
    made.start()
    engine = FakeEngine(made.link())
    session = str(uuid.uuid4())
    made.bind(session, ANN, [])
    assert ask(engine, session, SELECT).status_code == 503
    engine.client.close()
    made.close()
