from __future__ import annotations

import pytest
from tests.fakes.policy import question

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Decision, Operation
from sqe.policy.answers import Answers, Key

YES, NO = Decision(allow=True), Decision(allow=False)
A, B, C, D = (Key(who, question()) for who in "abcd")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def answers(clock: Clock) -> Answers:
    return Answers(5.0, at_most=3, clock=clock)


def put(answers: Answers, key: Key, *versions: str | None, decision: Decision = YES) -> None:
    answers.settle(answers.claim([key], versions).own[key], decision)


def test_an_answer_holds_while_the_versions_do(answers: Answers, clock: Clock) -> None:
    put(answers, A, "1", "1")
    clock.now += 1_000_000
    assert answers.claim([A], ("1", "1")).kept == {A: YES}
    assert answers.claim([A], ("1", "2")).own.keys() == {A}
    assert answers.claim([A], ("1", "1")).kept == {}  # one version later, it is dropped for good


def test_an_answer_of_an_engine_without_a_version_holds_for_a_moment(answers: Answers, clock: Clock) -> None:
    put(answers, A, "1", None)
    clock.now += 4.9
    assert answers.claim([A], ("1", None)).kept == {A: YES}
    clock.now += 0.2
    assert answers.claim([A], ("1", None)).own.keys() == {A}


def test_the_moment_begins_when_the_question_is_asked(answers: Answers, clock: Clock) -> None:
    ticket = answers.claim([A], (None,)).own[A]
    clock.now += 4.0  # the engine takes its time
    answers.settle(ticket, YES)
    clock.now += 1.1
    assert answers.claim([A], (None,)).kept == {}


def test_no_moment_at_all(clock: Clock) -> None:
    answers = Answers(0.0, clock=clock)
    put(answers, A, None)
    assert len(answers) == 0
    answers.claim([A], (None,))
    assert answers.claim([A], (None,)).waits == {}  # not even with somebody else


def test_a_question_that_somebody_asks_is_waited_for(answers: Answers) -> None:
    first = answers.claim([A], ("1",))
    second = answers.claim([A, B], ("1",))
    assert second.own.keys() == {B}
    answers.settle(first.own[A], NO)
    assert second.waits[A].result(0) is NO


def test_who_has_seen_a_change_does_not_wait_for_an_answer_from_before(answers: Answers) -> None:
    before = answers.claim([A], ("1",))
    after = answers.claim([A], ("2",))
    assert after.own.keys() == {A}
    answers.settle(after.own[A], NO)
    answers.settle(before.own[A], YES)
    assert answers.claim([A], ("2",)).own.keys() == {A}


def test_an_old_question_is_asked_again_and_both_are_answered(answers: Answers, clock: Clock) -> None:
    first = answers.claim([A], (None,)).own[A]
    clock.now += 6
    second = answers.claim([A], (None,)).own[A]
    answers.settle(first, YES)
    third = answers.claim([A], (None,))
    assert third.waits == {A: second.answer}
    answers.settle(second, NO)
    assert (first.answer.result(0), second.answer.result(0)) == (YES, NO)


def test_a_failure_is_told_to_all_who_wait_and_not_kept(answers: Answers) -> None:
    first = answers.claim([A], ("1",))
    second = answers.claim([A], ("1",))
    answers.fail(first.own[A], PolicyUnavailableError("no"))
    with pytest.raises(PolicyUnavailableError):
        second.waits[A].result(0)
    assert answers.claim([A], ("1",)).own.keys() == {A}


def test_the_least_used_is_forgotten_first(answers: Answers) -> None:
    for key in (A, B, C):
        put(answers, key, "1")
    answers.claim([A], ("1",))
    put(answers, D, "1")
    assert len(answers) == 3
    assert answers.claim([A, B, C, D], ("1",)).kept.keys() == {A, C, D}


def test_a_key_is_who_and_what() -> None:
    assert Key("a", question()) == A
    assert hash(Key("a", question())) == hash(A)
    assert Key("a", question(Operation.LIST)) != A
    assert B != A
