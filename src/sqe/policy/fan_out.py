"""Send questions to all policy engines in parallel, and wait no longer than the deadline of the decision."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.decision_cache import Versions
from sqe.policy.engine import PolicyEngine

_log = logging.getLogger(__name__)

Response = TypeVar("Response")

_CALLS = 16  # of one engine at the same time; each engine has its own pool, so that none waits for another


class PolicyFanOut:
    def __init__(self, engines: Sequence[PolicyEngine], clock: Callable[[], float]) -> None:
        self._engines = tuple(engines)
        self._clock = clock
        self._pools = [
            ThreadPoolExecutor(_CALLS, thread_name_prefix=f"policy-{engine.name}") for engine in engines
        ]
        self._failing: dict[str, str] = {}  # engines whose last refresh failed, and the error

    def versions(self, deadline: float) -> Versions:
        """Return the version of each engine, in their order. Raises PolicyUnavailableError."""
        return tuple(self._each(_version, deadline))

    def ask(
        self, principal: Principal, questions: Sequence[Question], deadline: float
    ) -> list[Sequence[Verdict]]:
        """Return the verdicts of each engine on all questions. Raises PolicyUnavailableError."""
        answers = self._each(lambda engine: engine.decide(principal, questions), deadline)
        for engine, verdicts in zip(self._engines, answers, strict=True):
            if len(verdicts) != len(questions) or not all(isinstance(each, Verdict) for each in verdicts):
                _log.error("policy engine %s did not return one verdict per question", engine.name)
                raise _unavailable(engine, "it did not return one verdict per question")
        return answers

    def refresh(self) -> None:
        """Let each engine apply changes of its rules. After a failure the engine is unavailable until it succeeds."""
        for engine in self._engines:
            try:
                engine.refresh()
            except Exception as error:  # noqa: BLE001 - the other engines have to be refreshed as well
                if engine.name not in self._failing:
                    _log.exception("policy engine %s failed to refresh and is unavailable", engine.name)
                self._failing[engine.name] = repr(error)
            else:
                if self._failing.pop(engine.name, None) is not None:
                    _log.info("policy engine %s is available again", engine.name)

    def close(self) -> None:
        for engine, pool in zip(self._engines, self._pools, strict=True):
            pool.shutdown(wait=False, cancel_futures=True)
            engine.close()

    def _each(self, ask: Callable[[PolicyEngine], Response], deadline: float) -> list[Response]:
        """Call all engines at the same time, and return their responses."""
        for engine in self._engines:
            if engine.name in self._failing:
                raise _unavailable(engine, self._failing[engine.name])
        asked = [pool.submit(ask, engine) for engine, pool in zip(self._engines, self._pools, strict=True)]
        try:
            return [
                self._response(engine, future, deadline)
                for engine, future in zip(self._engines, asked, strict=True)
            ]
        finally:
            for future in asked:
                future.cancel()  # calls that have not begun

    def _response(self, engine: PolicyEngine, future: Future[Response], deadline: float) -> Response:
        try:
            return future.result(max(0.0, deadline - self._clock()))
        except PolicyUnavailableError as error:
            raise _unavailable(engine, f"{error.message} {error.detail or ''}".strip()) from error
        except Exception as error:
            if not future.done():
                raise _unavailable(engine, "it did not respond in time") from error
            _log.exception("policy engine %s failed", engine.name)
            raise _unavailable(engine, repr(error)) from error


def _version(engine: PolicyEngine) -> str | None:
    return engine.version


def _unavailable(engine: PolicyEngine, why: str) -> PolicyUnavailableError:
    """Return the error that names the engine. `why` is for the log: it may hold addresses and rules."""
    return PolicyUnavailableError(
        f'Policy engine "{engine.name}" failed or returned an invalid response.',
        hint="Try again in a moment.",
        detail=f"{engine.name}: {why}",
    )
