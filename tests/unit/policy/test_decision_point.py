from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.fakes.policy import ANN, BOB, DENY, ORDERS, FakePolicy, PlainRenderer, allow, question, sql

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Operation, Question, Verdict
from sqe.model.gateway_principal import GATEWAY, GatewayPrincipal
from sqe.model.identity import Principal
from sqe.policy.decision_point import DecisionPoint

SELECT, INSERT, DESCRIBE, LIST = Operation.SELECT, Operation.INSERT, Operation.DESCRIBE, Operation.LIST
Make = Callable[..., DecisionPoint]


class Seen:
    def __init__(self) -> None:
        self.results: list[tuple[str, bool]] = []
        self.seconds: list[float] = []

    def decision(self, result: str, *, cached: bool) -> None:
        self.results.append((result, cached))

    def decision_seconds(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[DecisionPoint] = []

    def make(*engines: FakePolicy, **settings: Any) -> DecisionPoint:
        given = {"timeout": 120.0, "cache_seconds": 60.0, "keyed": True, "renderer": PlainRenderer()}
        made.append(DecisionPoint(engines, **{**given, **settings}))
        return made[-1]

    yield make
    for point in made:
        point.close()


@pytest.fixture
def fake() -> FakePolicy:
    return FakePolicy()


def test_there_is_always_somebody_who_decides() -> None:
    with pytest.raises(ValueError, match="there is no policy engine"):
        DecisionPoint([], timeout=1, cache_seconds=1, keyed=True)


def test_all_engines_have_to_allow(make: Make) -> None:
    one, other = FakePolicy("one"), FakePolicy("other")
    point = make(one, other)
    assert point.decide(ANN, [question()])[0].allow
    other.rules[SELECT] = DENY
    other.version = "2"
    assert not point.decide(ANN, [question()])[0].allow
    one.rules[SELECT], other.rules[SELECT] = DENY, allow()
    one.version = "2"
    assert not point.decide(ANN, [question()])[0].allow


def test_filters_of_all_engines_hold(make: Make) -> None:
    one, other = FakePolicy("one"), FakePolicy("other")
    one.rules[SELECT] = allow(filters=(sql("id > 1"),))
    other.rules[SELECT] = allow(filters=(sql("dept = current_user()"),))
    [decision] = make(one, other).decide(ANN, [question()])
    assert decision.filter == "(id > 1) AND (dept = 'ann')"


def test_each_engine_is_asked_once_for_everything(make: Make, fake: FakePolicy) -> None:
    asked = [question(INSERT), question(), question(INSERT), question(LIST)]
    decisions = make(fake).decide(ANN, asked)
    assert [decision.allow for decision in decisions] == [True] * 4
    assert fake.asked == [("ann", (question(INSERT), question(), question(LIST)))]


def test_answers_come_in_the_order_of_the_questions(make: Make, fake: FakePolicy) -> None:
    fake.rules[LIST] = DENY
    point = make(fake)
    point.decide(ANN, [question(LIST)])
    assert [d.allow for d in point.decide(ANN, [question(), question(LIST), question(DESCRIBE)])] == [
        *(True, False, True)
    ]


# -- what is kept -----------------------------------------------------------------------------------------------------


def test_an_answer_is_kept_while_the_version_stays(make: Make, fake: FakePolicy) -> None:
    seen = Seen()
    point = make(fake, observer=seen)
    for _ in range(3):
        point.decide(ANN, [question()])
    assert len(fake.asked) == 1
    fake.version = "2"
    point.decide(ANN, [question()])
    assert len(fake.asked) == 2
    assert seen.results == [("allowed", False), ("allowed", True), ("allowed", True), ("allowed", False)]
    assert len(seen.seconds) == 4


def test_a_change_counts_for_the_very_next_question(make: Make, fake: FakePolicy) -> None:
    point = make(fake)
    assert point.decide(ANN, [question()])[0].allow
    fake.rules[SELECT], fake.version = DENY, "2"
    assert not point.decide(ANN, [question()])[0].allow


@pytest.mark.parametrize(
    "other",
    [
        replace(ANN, user="bob"),
        replace(ANN, provider="oidc_password"),
        replace(ANN, roles=frozenset()),
        replace(ANN, groups=frozenset({"eu", "us"})),
        replace(ANN, groups=ANN.roles, roles=ANN.groups),
        replace(ANN, subject="x"),
        replace(ANN, email="ann@x"),
    ],
)
def test_nobody_gets_the_answer_of_another(make: Make, fake: FakePolicy, other: Principal) -> None:
    point = make(fake)
    point.decide(ANN, [question()])
    point.decide(other, [question()])
    assert len(fake.asked) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(ORDERS, catalog="pond"),
        replace(ORDERS, namespace=("sales", "orders"), name="x"),
        replace(ORDERS, ref="branch b"),
        replace(ORDERS, uuid="u"),
        replace(ORDERS, columns=ORDERS.columns[:1]),
        replace(ORDERS, columns=(*ORDERS.columns[:2], replace(ORDERS.columns[2], tags=("pii",)))),
    ],
)
def test_no_table_gets_the_answer_of_another(make: Make, fake: FakePolicy, other: Any) -> None:
    point = make(fake)
    point.decide(ANN, [question()])
    point.decide(ANN, [question(resource=other)])
    assert len(fake.asked) == 2


def test_another_login_of_the_same_person_uses_what_is_kept(make: Make, fake: FakePolicy) -> None:
    point = make(fake)
    point.decide(replace(ANN, login="l1"), [question()])
    point.decide(replace(ANN, login="l2"), [question()])
    assert len(fake.asked) == 1


def test_only_what_is_not_known_is_asked(make: Make, fake: FakePolicy) -> None:
    point = make(fake)
    point.decide(ANN, [question()])
    point.decide(ANN, [question(LIST), question()])
    assert fake.asked[1] == ("ann", (question(LIST),))


def test_the_same_question_at_the_same_time_is_asked_once(make: Make, fake: FakePolicy) -> None:
    point = make(fake)
    fake.go_on.clear()
    answers: list[bool] = []
    threads = [
        threading.Thread(target=lambda: answers.append(point.decide(ANN, [question()])[0].allow))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    assert fake.waiting.wait(120)
    fake.go_on.set()
    for thread in threads:
        thread.join(120)
    assert answers == [True] * 4
    assert len(fake.asked) == 1


# -- no answer --------------------------------------------------------------------------------------------------------


def test_an_engine_that_is_silent_is_a_refusal(make: Make, fake: FakePolicy) -> None:
    seen = Seen()
    point = make(fake, observer=seen)
    fake.rules[SELECT] = PolicyUnavailableError("http://opa:8181/v1/secret: refused")
    for _ in range(2):
        with pytest.raises(PolicyUnavailableError) as caught:
            point.decide(ANN, [question(), question(LIST)])
        assert caught.value.message == ('Policy engine "fake" failed or returned an invalid response.')
        assert "http://opa" in (caught.value.detail or "")
    assert len(fake.asked) == 2  # a failure is not kept
    assert seen.results == [("unavailable", False)] * 4
    fake.rules.clear()
    assert point.decide(ANN, [question()])[0].allow


def test_an_engine_that_fails_inside_is_a_refusal_and_logged(
    make: Make, fake: FakePolicy, caplog: pytest.LogCaptureFixture
) -> None:
    fake.rules[SELECT] = KeyError("bug")
    with pytest.raises(PolicyUnavailableError), caplog.at_level(logging.ERROR):
        make(fake).decide(ANN, [question()])
    assert "policy engine fake failed" in caplog.text
    assert "KeyError" in caplog.text


class Odd(FakePolicy):
    def __init__(self, answer: Any) -> None:
        super().__init__("odd")
        self.answer = answer

    def decide(self, principal: Principal, questions: Any) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [[], [allow(), allow()], [True], ["x"]])
def test_an_odd_answer_is_a_refusal(make: Make, answer: Any) -> None:
    with pytest.raises(PolicyUnavailableError):
        make(Odd(answer)).decide(ANN, [question()])


def test_an_engine_that_is_late_is_a_refusal_and_keeps_no_other_waiting(make: Make, fake: FakePolicy) -> None:
    other = FakePolicy("other")
    point = make(fake, other, timeout=0.2)
    fake.go_on.clear()
    try:
        with pytest.raises(PolicyUnavailableError) as caught:
            point.decide(ANN, [question()])
    finally:
        fake.go_on.set()
    assert caught.value.detail == "fake: it did not respond in time"


def test_a_timeout_inside_an_engine_is_not_taken_for_ours(
    make: Make, fake: FakePolicy, caplog: pytest.LogCaptureFixture
) -> None:
    fake.rules[SELECT] = TimeoutError("a socket")
    with pytest.raises(PolicyUnavailableError), caplog.at_level(logging.ERROR):
        make(fake).decide(ANN, [question()])
    assert "policy engine fake failed" in caplog.text


class LateVersion(FakePolicy):
    """Whose version nobody can tell now."""

    @property
    def version(self) -> str | None:
        raise PolicyUnavailableError("the database is locked")

    @version.setter
    def version(self, version: str | None) -> None: ...


def test_a_version_that_nobody_can_tell_is_a_refusal(make: Make) -> None:
    with pytest.raises(PolicyUnavailableError):
        make(LateVersion()).decide(ANN, [question()])


def test_an_engine_that_cannot_take_up_changes_decides_nothing_until_it_can(
    make: Make, fake: FakePolicy, caplog: pytest.LogCaptureFixture
) -> None:
    other = FakePolicy("other")
    point = make(fake, other)
    assert point.decide(ANN, [question()])[0].allow
    fake.refreshes = [OSError("disk"), OSError("disk"), None]
    point.refresh()
    with pytest.raises(PolicyUnavailableError):
        point.decide(ANN, [question()])  # although there is an answer that was kept
    point.refresh()
    assert caplog.text.count("failed to refresh") == 1
    point.refresh()
    assert point.decide(ANN, [question()])[0].allow


# -- explanations ----------------------------------------------------------------------------------------------------


PROTECTING = Verdict(
    True,
    "fake",
    (sql("dept = 'secret dept'", "grants: policy eu_only"),),
    {"ssn": sql("'secret mask'", "opa")},
    {"id": "file: rule 3"},
)


def test_a_query_that_touches_a_protected_table_is_known_until_it_ends(
    make: Make, fake: FakePolicy, caplog: pytest.LogCaptureFixture
) -> None:
    point = make(fake)
    for query in ("q1", "q2"):
        point.begin(query)
    point.decide(ANN, [question(LIST)], "q1")
    assert not point.uses_protected_table("q1")
    fake.rules[SELECT], fake.version = PROTECTING, "2"
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            point.decide(ANN, [question()], "q1")
        point.decide(ANN, [question()], "never begun")
        point.decide(ANN, [question()])
    assert point.uses_protected_table("q1")
    assert not point.uses_protected_table("q2")
    assert not point.uses_protected_table("never begun")
    [line] = [record.getMessage() for record in caplog.records]
    assert line == (
        "query q1: ann: select of lake.sales.orders with filter by grants: policy eu_only, mask of ssn by opa, "
        "no id by file: rule 3"
    )
    point.end("q1")
    assert not point.uses_protected_table("q1")


def test_a_refusal_is_logged_with_who_refused_it(
    make: Make, fake: FakePolicy, caplog: pytest.LogCaptureFixture
) -> None:
    fake.rules = {SELECT: DENY, LIST: DENY}
    with caplog.at_level(logging.INFO):
        make(fake).decide(ANN, [question(), question(LIST)], "q1")
    assert [record.getMessage() for record in caplog.records] == [
        "query q1: ann cannot select from lake.sales.orders: fake: not granted"
    ]


def test_results_are_counted(make: Make, fake: FakePolicy) -> None:
    seen = Seen()
    fake.rules = {LIST: DENY, SELECT: allow(masks={"ssn": sql("NULL")})}
    point = make(fake)
    point.observe(seen)
    point.decide(ANN, [question(LIST), question(INSERT), question()])
    assert seen.results == [("denied", False), ("unsupported", False), ("allowed", False)]


def test_a_decision_is_explained_afresh(make: Make, fake: FakePolicy) -> None:
    other = FakePolicy("other")
    fake.rules[SELECT] = PROTECTING
    point = make(fake, other)
    decision, verdicts = point.explain(BOB, question())
    assert decision.restricted == ("id",)
    assert verdicts == [("fake", PROTECTING), ("other", allow())]
    asked: list[tuple[str, tuple[Question, ...]]] = [("bob", (question(),))]
    assert fake.asked == asked
    point.explain(BOB, question())
    assert len(fake.asked) == 2


def test_the_gateway_itself_is_not_asked_about(make: Make, fake: FakePolicy) -> None:
    fake.rules[SELECT] = DENY
    [decision] = make(fake).decide(GatewayPrincipal(), [question()])
    assert decision.allow
    assert fake.asked == []


def test_a_principal_that_only_calls_itself_the_gateway_is_asked_about(make: Make, fake: FakePolicy) -> None:
    fake.rules[SELECT] = DENY
    [decision] = make(fake).decide(Principal(GATEWAY, GATEWAY), [question()])
    assert not decision.allow
    assert fake.asked == [(GATEWAY, (question(),))]


def test_no_provider_vouches_as_the_gateway() -> None:
    from typing import get_args

    from sqe.config.sections.auth import ProviderName
    from sqe.identity.logins.stored_login import SHELL

    assert GATEWAY not in {*get_args(ProviderName), SHELL}


def test_it_says_who_decides_and_ends_all(make: Make, fake: FakePolicy) -> None:
    other = FakePolicy("other")
    point = make(fake, other)
    assert point.describe_at_start() == "the guard is on: fake, other decide"
    assert make(fake).describe_at_start() == "the guard is on: fake decides"
    assert point.engine("other") is other
    assert point.engine("opa") is None
    point.close()
    assert fake.closed
    assert other.closed
