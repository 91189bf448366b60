"""The one point that decides: it asks every engine, makes one answer of theirs, and keeps it for as long as it holds.

All engines have to allow. What restricts a person on a table is what the engines answer to `select`, whatever is being
done with it; what follows from that for writes is as in Trino. No answer, a late one or an odd one is a refusal.
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
from sqe.policy.answers import Answers, Key
from sqe.policy.combine import Renderer
from sqe.policy.engine import PolicyEngine
from sqe.policy.panel import Panel
from sqe.policy.refusals import wish
from sqe.policy.rules import Ruling, needed
from sqe.policy.touched import TouchedQueries

_log = logging.getLogger(__name__)

# What `Observer` is told of each decision.
ALLOWED, DENIED, UNSUPPORTED, UNAVAILABLE = "allowed", "denied", "unsupported", "unavailable"


class Observer(Protocol):
    """Who counts decisions."""

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
            cache_seconds: for how long an answer of an engine holds that has no version.
            keyed: whether there is a key for hash masks.
            observer: counts decisions.
            renderer: makes Spark's SQL of expressions; None: `sql.policy_expression`.
            clock: tells seconds.
        """
        if not engines:
            raise ValueError("nobody decides")
        self._engines = tuple(engines)
        self._panel = Panel(self._engines, clock)
        self._answers = Answers(cache_seconds, clock=clock)
        self._queries = TouchedQueries()
        self._timeout = timeout
        self._ruling = Ruling(keyed=keyed, renderer=renderer)
        self._observer: Observer = observer or NoObserver()
        self._clock = clock
        self.begin, self.end, self.touched = self._queries.begin, self._queries.end, self._queries.touched

    def describe_at_start(self) -> str:
        """Who decides, for the log."""
        names = ", ".join(engine.name for engine in self._engines)
        return f"the guard is on: {names} decide{'s' if len(self._engines) == 1 else ''}"

    def engine(self, name: str) -> PolicyEngine | None:
        """The engine of that name, if it is one of those that decide."""
        return next((engine for engine in self._engines if engine.name == name), None)

    def observe(self, observer: Observer) -> None:
        """Tell `observer` of decisions from now on."""
        self._observer = observer

    def decide(
        self, principal: Principal, questions: Sequence[Question], query: str | None = None
    ) -> list[Decision]:
        """One decision for each question, in their order.

        Args:
            principal: who wants it.
            questions: what is wanted.
            query: the gateway's id of the query that needs it, if there is one.

        Raises:
            PolicyUnavailableError: there is no answer in time. It is a refusal.
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
        """The decision, and what each engine says to the question itself; nothing of it is kept.

        Raises:
            PolicyUnavailableError: there is no answer in time.
        """
        asked = needed(question)
        deadline = self._clock() + self._timeout
        self._panel.versions(deadline)  # engines take up what has changed
        answers = self._panel.ask(principal, asked, deadline)
        decision = self._ruling.decide(principal, question, _by_question(asked, answers))
        return decision, [
            (engine.name, verdicts[0]) for engine, verdicts in zip(self._engines, answers, strict=True)
        ]

    def look(self) -> None:
        """Let every engine take up what has changed. One that fails at it decides nothing until it does not."""
        self._panel.look()

    def close(self) -> None:
        self._panel.close()

    # -- inside ---------------------------------------------------------------------------------------------------

    def _decided(
        self, principal: Principal, questions: Sequence[Question], deadline: float
    ) -> list[tuple[Decision, bool]]:
        """The decisions, and of each whether it was kept from before."""
        who = _who(principal)
        keys = [Key(who, question) for question in questions]
        # Read before anybody is asked: an answer must not count for a version that came after the question.
        claim = self._answers.claim(dict.fromkeys(keys), self._panel.versions(deadline))
        found = dict(claim.kept)
        if claim.own:
            try:
                answers = self._ask(principal, [key.question for key in claim.own], deadline)
            except Exception as error:
                for ticket in claim.own.values():
                    self._answers.fail(ticket, error)
                raise
            for (key, ticket), decision in zip(claim.own.items(), answers, strict=True):
                self._answers.settle(ticket, decision)
                found[key] = decision
        for key, future in claim.waits.items():
            found[key] = self._wait(future, deadline)
        return [(found[key], key in claim.kept) for key in keys]

    def _ask(self, principal: Principal, questions: Sequence[Question], deadline: float) -> list[Decision]:
        asked = list(dict.fromkeys(each for question in questions for each in needed(question)))
        answers = _by_question(asked, self._panel.ask(principal, asked, deadline))
        return [self._ruling.decide(principal, question, answers) for question in questions]

    def _wait(self, future: Future[Decision], deadline: float) -> Decision:
        """The answer to a question that somebody else has asked."""
        try:
            return future.result(max(0.0, deadline - self._clock()))
        except TimeoutError as error:
            raise PolicyUnavailableError(
                "Access cannot be decided: no policy engine answers in time.", hint="Try again in a while."
            ) from error

    def _note(self, user: str, query: str | None, question: Question, decision: Decision) -> None:
        if decision.allow:
            if decision.protected:
                self._queries.note(user, query, question, decision)
        elif question.operation is not Operation.LIST:  # what is not listed was not asked for
            _log.info(
                "query %s: %s cannot %s: %s", query or "-", user, wish(question), ", ".join(decision.sources)
            )


def _who(principal: Principal) -> Hashable:
    """Everything about a person that an engine may look at."""
    return (
        principal.user,
        principal.provider,
        principal.roles,
        principal.groups,
        principal.subject,
        principal.email,
    )


def _by_question(
    asked: Sequence[Question], answers: Sequence[Sequence[Verdict]]
) -> dict[Question, tuple[Verdict, ...]]:
    """The verdicts of all engines by question."""
    return {question: tuple(verdicts[index] for verdicts in answers) for index, question in enumerate(asked)}


def _result(decision: Decision) -> str:
    if decision.allow:
        return ALLOWED
    return UNSUPPORTED if decision.refusal is Refusal.UNSUPPORTED else DENIED
