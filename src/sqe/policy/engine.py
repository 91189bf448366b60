"""The interface of a policy engine; `grants`, `opa`, `cedar` and `file` implement it, each in its own package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sqe.model.decision import Question, Verdict
from sqe.model.identity import Principal


class PolicyEngine(Protocol):
    @property
    def name(self) -> str:
        """The name in `policy.engines`."""

    @property
    def version(self) -> str | None:
        """A value that changes whenever a verdict may have changed; None: the engine has none.

        The gateway reads it before every decision; reading it also applies changes of the rules. Without a version,
        decisions are cached for a few seconds only.
        """

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        """Return one verdict for each question, in their order.

        Raises:
            PolicyUnavailableError: the engine fails, is late, or returns an invalid response. This denies.
        """

    def refresh(self) -> None:
        """Apply changes of the rules, such as a changed file. Called every half second; must not wait."""

    def close(self) -> None: ...
