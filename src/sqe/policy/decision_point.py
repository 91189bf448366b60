"""The decision point: it asks every policy engine, combines the verdicts into one decision, and caches it.

All engines have to allow. The verdicts on `select` restrict a user on a table in every operation; for writes Trino's
rules apply. A missing, late or invalid response denies.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Protocol

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Decision, Operation, Question, Refusal, Verdict
from sqe.model.gateway_principal import GatewayPrincipal
from sqe.model.identity import Principal
from sqe.policy.combine import Renderer
from sqe.policy.decision_cache import DecisionCache, DecisionKey
from sqe.policy.decision_rules import DecisionRules, needed_questions
from sqe.policy.denials import describe_request
from sqe.policy.engine import PolicyEngine
from sqe.policy.fan_out import PolicyFanOut
from sqe.policy.protected_queries import ProtectedQueries

_log = logging.getLogger(__name__)

# The results that an `Observer` counts.
ALLOWED, DENIED, UNSUPPORTED, UNAVAILABLE = "allowed", "denied", "unsupported", "unavailable"


class Observer(Protocol):
    """Counts decisions, for the metrics."""

    def decision(self, result: str, *, cached: bool) -> None: ...

    def decision_seconds(self, seconds: float) -> None: ...


class NoObserver:
    def decision(self, result: str, *, cached: bool) -> None: ...

    def decision_seconds(self, seconds: float) -> None: ...


class DecisionPoint:
    def __init__(
        self,
        engines: Sequence[PolicyEngine],
        *,
        timeout: float,
        cache_seconds: float,
        keyed: bool,
        observer: Observer | None = None,
        renderer: Renderer | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Decide by `engines`, of which there is at least one.

        Args:
            engines: all of them have to allow.
            timeout: seconds for a whole decision.
            cache_seconds: how long to cache decisions of engines without a version.
            keyed: whether there is a key for hash masks.
            observer: counts decisions.
            renderer: renders expressions in Spark's SQL; None: `sql.policy.expression`.
            clock: returns seconds.
        """
        if not engines:
            raise ValueError("there is no policy engine")
        self._engines = tuple(engines)
        self._fan_out = PolicyFanOut(self._engines, clock)
        self._cache = DecisionCache(cache_seconds, clock=clock)
        self._queries = ProtectedQueries()
        self._timeout = timeout
        self._rules = DecisionRules(keyed=keyed, renderer=renderer)
        self._observer: Observer = observer or NoObserver()
        self._clock = clock
        self.begin, self.end = self._queries.begin, self._queries.end
        self.uses_protected_table = self._queries.uses_protected_table

    def describe_at_start(self) -> str:
        """Return the names of the engines in a sentence, for the log."""
        names = ", ".join(engine.name for engine in self._engines)
        return f"the guard is on: {names} decide{'s' if len(self._engines) == 1 else ''}"

    def engine(self, name: str) -> PolicyEngine | None:
        """Return the engine of that name; None: it is not configured."""
        return next((engine for engine in self._engines if engine.name == name), None)

    def observe(self, observer: Observer) -> None:
        """Report decisions to `observer` from now on."""
        self._observer = observer

    def decide(
        self, principal: Principal, questions: Sequence[Question], query: str | None = None
    ) -> list[Decision]:
        """Return one decision for each question, in their order.

        Args:
            principal: the user.
            questions: the operations and resources.
            query: the gateway's id of the query, if there is one.

        Raises:
            PolicyUnavailableError: an engine fails or is late. This denies.
        """
        if isinstance(principal, GatewayPrincipal):
            return [Decision(allow=True)] * len(questions)
        begun = self._clock()
        try:
            decided = self._decided(principal, questions, begun + self._timeout)
        except PolicyUnavailableError:
            for _ in questions:
                self._observer.decision(UNAVAILABLE, cached=False)
            raise
        finally:
            self._observer.decision_seconds(self._clock() - begun)
        for question, (decision, cached) in zip(questions, decided, strict=True):
            self._observer.decision(_result(decision), cached=cached)
            self._note(principal.user, query, question, decision)
        return [decision for decision, _ in decided]

    def explain(self, principal: Principal, question: Question) -> tuple[Decision, list[tuple[str, Verdict]]]:
        """Return the decision, and each engine's verdict on the question itself; cache neither.

        Raises:
            PolicyUnavailableError: an engine fails or is late.
        """
        asked = needed_questions(question)
        deadline = self._clock() + self._timeout
        self._fan_out.versions(deadline)  # lets engines apply changes of their rules
        verdicts = self._fan_out.ask(principal, asked, deadline)
        decision = self._rules.decide(principal, question, _by_question(asked, verdicts))
        return decision, [(engine.name, own[0]) for engine, own in zip(self._engines, verdicts, strict=True)]

    def refresh(self) -> None:
        """Let every engine apply changes of its rules. After a failure the engine is unavailable until it succeeds."""
        self._fan_out.refresh()

    def close(self) -> None:
        self._fan_out.close()

    # -- inside ---------------------------------------------------------------------------------------------------

    def _decided(
        self, principal: Principal, questions: Sequence[Question], deadline: float
    ) -> list[tuple[Decision, bool]]:
        """Return the decisions, and for each whether it was cached."""
        identity = _identity(principal)
        keys = [DecisionKey(identity, question) for question in questions]
        # Read before the engines are asked: a decision must not count for a version newer than its question.
        lookup = self._cache.look_up(dict.fromkeys(keys), self._fan_out.versions(deadline))
        found = dict(lookup.cached)
        if lookup.to_decide:
            try:
                decisions = self._ask(principal, [key.question for key in lookup.to_decide], deadline)
            except Exception as error:
                for pending in lookup.to_decide.values():
                    self._cache.fail(pending, error)
                raise
            for (key, pending), decision in zip(lookup.to_decide.items(), decisions, strict=True):
                self._cache.complete(pending, decision)
                found[key] = decision
        for key, future in lookup.waiting.items():
            found[key] = self._wait(future, deadline)
        return [(found[key], key in lookup.cached) for key in keys]

    def _ask(self, principal: Principal, questions: Sequence[Question], deadline: float) -> list[Decision]:
        asked = list(dict.fromkeys(each for question in questions for each in needed_questions(question)))
        verdicts = _by_question(asked, self._fan_out.ask(principal, asked, deadline))
        return [self._rules.decide(principal, question, verdicts) for question in questions]

    def _wait(self, future: Future[Decision], deadline: float) -> Decision:
        """Wait for a decision that another thread makes."""
        try:
            return future.result(max(0.0, deadline - self._clock()))
        except TimeoutError as error:
            raise PolicyUnavailableError(
                "No policy engine responded in time.", hint="Try again in a moment."
            ) from error

    def _note(self, user: str, query: str | None, question: Question, decision: Decision) -> None:
        if decision.allow:
            if decision.protected:
                self._queries.note(user, query, question, decision)
        elif (
            question.operation is not Operation.LIST
        ):  # a listing asks about names that the user did not write
            _log.info(
                "query %s: %s cannot %s: %s",
                query or "-",
                user,
                describe_request(question),
                ", ".join(decision.sources),
            )


def _identity(principal: Principal) -> Hashable:
    """Return all attributes of a principal that an engine may use."""
    return (
        principal.user,
        principal.provider,
        principal.roles,
        principal.groups,
        principal.subject,
        principal.email,
    )


def _by_question(
    asked: Sequence[Question], verdicts: Sequence[Sequence[Verdict]]
) -> dict[Question, tuple[Verdict, ...]]:
    """Return the verdicts of all engines by question."""
    return {question: tuple(engine[index] for engine in verdicts) for index, question in enumerate(asked)}


def _result(decision: Decision) -> str:
    if decision.allow:
        return ALLOWED
    return UNSUPPORTED if decision.refusal is Refusal.UNSUPPORTED else DENIED
