"""The policy engine `grants`: nothing is allowed that was not granted."""

from __future__ import annotations

from collections.abc import Sequence

from sqe.model.decision import Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.grants.evaluation import Evaluation
from sqe.policy.grants.store import GrantStore


class GrantsEngine:
    """Answers from what the database holds at the moment of the question."""

    def __init__(self, store: GrantStore, admins: Administrators) -> None:
        """Answer from `store`. `admins` see names and columns of everything; data only as far as it is granted."""
        self._store = store
        self._admins = admins

    @property
    def store(self) -> GrantStore:
        """For those who change grants."""
        return self._store

    @property
    def name(self) -> str:
        return "grants"

    @property
    def version(self) -> str | None:
        """That of the database. Raises PolicyUnavailableError."""
        return self._store.version()

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        evaluation = Evaluation(self._store.snapshot(), principal, admin=self._admins.include(principal))
        return [evaluation.verdict(question) for question in questions]

    def look(self) -> None:
        """Nothing to do: each question looks at the version."""

    def close(self) -> None:
        self._store.close()
