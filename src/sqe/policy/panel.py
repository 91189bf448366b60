"""The engines, asked side by side and waited for no longer than a decision may take."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.answers import Versions
from sqe.policy.engine import PolicyEngine

_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

_CALLS = 16  # of one engine at the same time; others wait behind them, and no engine behind another


class Panel:
    def __init__(self, engines: Sequence[PolicyEngine], clock: Callable[[], float]) -> None:
        self._engines = tuple(engines)
        self._clock = clock
        self._pools = [
            ThreadPoolExecutor(_CALLS, thread_name_prefix=f"policy-{engine.name}") for engine in engines
        ]
        self._failing: dict[str, str] = {}  # at taking up what has changed, and why

    def versions(self, deadline: float) -> Versions:
        """Of each engine, in their order. Raises PolicyUnavailableError."""
        return tuple(self._each(_version, deadline))

    def ask(
        self, principal: Principal, questions: Sequence[Question], deadline: float
    ) -> list[Sequence[Verdict]]:
        """The verdicts of each engine on all questions. Raises PolicyUnavailableError."""
        answers = self._each(lambda engine: engine.decide(principal, questions), deadline)
        for engine, verdicts in zip(self._engines, answers, strict=True):
            if len(verdicts) != len(questions) or not all(isinstance(each, Verdict) for each in verdicts):
                _log.error("the policy engine %s gave no verdict on each question", engine.name)
                raise _unavailable(engine, "it gave no verdict on each question")
        return answers

    def look(self) -> None:
        """Let each engine take up what has changed. One that cannot is not asked until it can."""
        for engine in self._engines:
            try:
                engine.look()
            except Exception as error:  # noqa: BLE001 - the others have to be looked at; this one is out
                if engine.name not in self._failing:
                    _log.exception(
                        "the policy engine %s cannot take up changes, and so decides nothing", engine.name
                    )
                self._failing[engine.name] = repr(error)
            else:
                if self._failing.pop(engine.name, None) is not None:
                    _log.info("the policy engine %s takes up changes again", engine.name)

    def close(self) -> None:
        for engine, pool in zip(self._engines, self._pools, strict=True):
            pool.shutdown(wait=False, cancel_futures=True)
            engine.close()

    def _each(self, ask: Callable[[PolicyEngine], Answer], deadline: float) -> list[Answer]:
        """Ask all engines at the same time: any of them may keep us waiting."""
        for engine in self._engines:
            if engine.name in self._failing:
                raise _unavailable(engine, self._failing[engine.name])
        asked = [pool.submit(ask, engine) for engine, pool in zip(self._engines, self._pools, strict=True)]
        try:
            return [
                self._answer(engine, future, deadline)
                for engine, future in zip(self._engines, asked, strict=True)
            ]
        finally:
            for future in asked:
                future.cancel()  # what has not begun need not

    def _answer(self, engine: PolicyEngine, future: Future[Answer], deadline: float) -> Answer:
        try:
            return future.result(max(0.0, deadline - self._clock()))
        except PolicyUnavailableError as error:
            raise _unavailable(engine, f"{error.message} {error.detail or ''}".strip()) from error
        except Exception as error:
            if not future.done():
                raise _unavailable(engine, "it did not answer in time") from error
            _log.exception("the policy engine %s failed", engine.name)
            raise _unavailable(engine, repr(error)) from error


def _version(engine: PolicyEngine) -> str | None:
    return engine.version


def _unavailable(engine: PolicyEngine, why: str) -> PolicyUnavailableError:
    """Say who does not answer. Why is for the log: there may be addresses in it, and rules."""
    return PolicyUnavailableError(
        f"Access cannot be decided: the policy engine {engine.name} does not answer as it should.",
        hint="Try again in a while.",
        detail=f"{engine.name}: {why}",
    )
