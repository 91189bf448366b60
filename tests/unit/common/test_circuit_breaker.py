from __future__ import annotations

import pytest
from tests.support.clock import Clock

from sqe.common.circuit_breaker import CircuitBreaker
from sqe.errors import AuthenticationError, IdentityProviderError, PolicyUnavailableError


def call(breaker: CircuitBreaker, error: Exception | None = None) -> str:
    """What happened: "through", or the detail of a call that was not made."""
    try:
        with breaker.call():
            if error is not None:
                raise error
    except IdentityProviderError as raised:
        return "through" if raised is error else str(raised.detail)
    except AuthenticationError:
        return "through"
    return "through"


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(IdentityProviderError, "The identity provider does not answer.", clock)


SILENCE = IdentityProviderError("silence")


def test_a_few_failures_change_nothing(breaker: CircuitBreaker) -> None:
    for _ in range(4):
        assert call(breaker, SILENCE) == "through"
    assert call(breaker) == "through"
    for _ in range(4):
        assert call(breaker, SILENCE) == "through"
    assert call(breaker) == "through"


def test_too_many_in_a_row_make_a_pause_that_grows(breaker: CircuitBreaker, clock: Clock) -> None:
    for _ in range(5):
        assert call(breaker, SILENCE) == "through"
    for pause in (1, 2, 4, 8, 15, 15):
        assert "pause" in call(breaker)
        clock.sleep(pause - 0.1)
        assert "pause" in call(breaker)
        clock.sleep(0.1)
        assert call(breaker, SILENCE) == "through"
    clock.sleep(15)
    assert call(breaker) == "through"
    assert call(breaker, SILENCE) == "through"
    assert call(breaker) == "through"


def test_after_the_pause_one_call_tries(breaker: CircuitBreaker, clock: Clock) -> None:
    for _ in range(5):
        call(breaker, SILENCE)
    clock.sleep(1)
    with breaker.call():
        assert "pause" in call(breaker)
    assert call(breaker) == "through"


def test_a_refusal_is_an_answer(breaker: CircuitBreaker) -> None:
    for _ in range(20):
        assert call(breaker, AuthenticationError("no")) == "through"
    assert call(breaker) == "through"


def test_a_trial_that_ends_in_a_bug_does_not_block_the_next(breaker: CircuitBreaker, clock: Clock) -> None:
    for _ in range(5):
        call(breaker, SILENCE)
    clock.sleep(1)
    with pytest.raises(ZeroDivisionError), breaker.call():
        raise ZeroDivisionError
    assert call(breaker) == "through"


def test_a_service_of_another_kind_fails_with_its_own_error(clock: Clock) -> None:
    breaker = CircuitBreaker(PolicyUnavailableError, "No policy engine answers.", clock)
    for _ in range(5):
        with pytest.raises(PolicyUnavailableError, match="silence"), breaker.call():
            raise PolicyUnavailableError("silence")
    with pytest.raises(PolicyUnavailableError, match=r"No policy engine answers\."), breaker.call():
        raise AssertionError
    clock.sleep(1)
    with breaker.call():
        pass
