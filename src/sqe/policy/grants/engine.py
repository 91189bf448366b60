"""The policy engine `grants`: allows only what the database of grants allows."""

from __future__ import annotations

from collections.abc import Sequence

from sqe.model.decision import Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.grants.evaluation import Evaluation
from sqe.policy.grants.store import GrantStore


class GrantsEngine:
    """Decides by the content of the database at the time of the question."""

    def __init__(self, store: GrantStore, admins: Administrators) -> None:
        """Decide by `store`. `admins` may see all names and columns; data only by their grants."""
        self._store = store
        self._admins = admins

    @property
    def store(self) -> GrantStore:
        """The store, for statements that change grants."""
        return self._store

    @property
    def name(self) -> str:
        return "grants"

    @property
    def version(self) -> str | None:
        """The version of the database. Raises PolicyUnavailableError."""
        return self._store.version()

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        evaluation = Evaluation(self._store.snapshot(), principal, admin=self._admins.include(principal))
        return [evaluation.verdict(question) for question in questions]

    def refresh(self) -> None:
        """Do nothing: every decision reads the version."""

    def close(self) -> None:
        self._store.close()
