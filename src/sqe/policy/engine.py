"""What a policy engine is. There is a room for each: `grants`, `opa`, `cedar`, `file`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sqe.model.decision import Question, Verdict
from sqe.model.identity import Principal


class PolicyEngine(Protocol):
    @property
    def name(self) -> str:
        """As in `policy.engines`."""

    @property
    def version(self) -> str | None:
        """Changes whenever an answer may have changed. None: it cannot tell, and answers are kept for a moment only.

        It is read ahead of every decision, and takes up what has changed until then.
        """

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict for each question, in their order.

        Raises:
            PolicyUnavailableError: nobody answers, or not in time, or what comes is no answer. It is a refusal.
        """

    def look(self) -> None:
        """Take up what has changed, such as a file. Called every half second; must not wait."""

    def close(self) -> None: ...
