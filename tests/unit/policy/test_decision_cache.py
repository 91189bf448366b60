from __future__ import annotations

import pytest
from tests.fakes.policy import question
from tests.support.clock import Clock

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Decision, Operation
from sqe.policy.decision_cache import DecisionCache, DecisionKey

YES, NO = Decision(allow=True), Decision(allow=False)
A, B, C, D = (DecisionKey(who, question()) for who in "abcd")


@pytest.fixture
def clock() -> Clock:
    return Clock(100.0)


@pytest.fixture
def cache(clock: Clock) -> DecisionCache:
    return DecisionCache(5.0, max_entries=3, clock=clock)


def put(cache: DecisionCache, key: DecisionKey, *versions: str | None, decision: Decision = YES) -> None:
    cache.complete(cache.look_up([key], versions).to_decide[key], decision)


def test_an_answer_holds_while_the_versions_do(cache: DecisionCache, clock: Clock) -> None:
    put(cache, A, "1", "1")
    clock.now += 1_000_000
    assert cache.look_up([A], ("1", "1")).cached == {A: YES}
    assert cache.look_up([A], ("1", "2")).to_decide.keys() == {A}
    assert cache.look_up([A], ("1", "1")).cached == {}  # one version later, it is dropped for good


def test_an_answer_of_an_engine_without_a_version_holds_for_a_moment(
    cache: DecisionCache, clock: Clock
) -> None:
    put(cache, A, "1", None)
    clock.now += 4.9
    assert cache.look_up([A], ("1", None)).cached == {A: YES}
    clock.now += 0.2
    assert cache.look_up([A], ("1", None)).to_decide.keys() == {A}


def test_the_moment_begins_when_the_question_is_asked(cache: DecisionCache, clock: Clock) -> None:
    pending = cache.look_up([A], (None,)).to_decide[A]
    clock.now += 4.0  # the engine takes its time
    cache.complete(pending, YES)
    clock.now += 1.1
    assert cache.look_up([A], (None,)).cached == {}


def test_no_moment_at_all(clock: Clock) -> None:
    cache = DecisionCache(0.0, clock=clock)
    put(cache, A, None)
    assert len(cache) == 0
    cache.look_up([A], (None,))
    assert cache.look_up([A], (None,)).waiting == {}  # not even with somebody else


def test_a_question_that_somebody_asks_is_waited_for(cache: DecisionCache) -> None:
    first = cache.look_up([A], ("1",))
    second = cache.look_up([A, B], ("1",))
    assert second.to_decide.keys() == {B}
    cache.complete(first.to_decide[A], NO)
    assert second.waiting[A].result(0) is NO


def test_who_has_seen_a_change_does_not_wait_for_an_answer_from_before(cache: DecisionCache) -> None:
    before = cache.look_up([A], ("1",))
    after = cache.look_up([A], ("2",))
    assert after.to_decide.keys() == {A}
    cache.complete(after.to_decide[A], NO)
    cache.complete(before.to_decide[A], YES)
    assert cache.look_up([A], ("2",)).to_decide.keys() == {A}


def test_an_old_question_is_asked_again_and_both_are_answered(cache: DecisionCache, clock: Clock) -> None:
    first = cache.look_up([A], (None,)).to_decide[A]
    clock.now += 6
    second = cache.look_up([A], (None,)).to_decide[A]
    cache.complete(first, YES)
    third = cache.look_up([A], (None,))
    assert third.waiting == {A: second.future}
    cache.complete(second, NO)
    assert (first.future.result(0), second.future.result(0)) == (YES, NO)


def test_a_failure_is_told_to_all_who_wait_and_not_kept(cache: DecisionCache) -> None:
    first = cache.look_up([A], ("1",))
    second = cache.look_up([A], ("1",))
    cache.fail(first.to_decide[A], PolicyUnavailableError("no"))
    with pytest.raises(PolicyUnavailableError):
        second.waiting[A].result(0)
    assert cache.look_up([A], ("1",)).to_decide.keys() == {A}


def test_the_least_used_is_forgotten_first(cache: DecisionCache) -> None:
    for key in (A, B, C):
        put(cache, key, "1")
    cache.look_up([A], ("1",))
    put(cache, D, "1")
    assert len(cache) == 3
    assert cache.look_up([A, B, C, D], ("1",)).cached.keys() == {A, C, D}


def test_a_key_is_who_and_what() -> None:
    assert DecisionKey("a", question()) == A
    assert hash(DecisionKey("a", question())) == hash(A)
    assert DecisionKey("a", question(Operation.LIST)) != A
    assert B != A
