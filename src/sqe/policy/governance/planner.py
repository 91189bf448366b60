"""What planners of statements about access have in common: what they know of the author, and the plans they make."""

from __future__ import annotations

from collections.abc import Callable

from sqe.model.identity import Principal
from sqe.policy.governance.authority import Authorities
from sqe.policy.governance.expression_checker import ExpressionChecker
from sqe.policy.governance.statement_context import StatementContext
from sqe.policy.governance.targets import Targets
from sqe.policy.grants.entries import Snapshot
from sqe.policy.grants.store import Change

Edit = Callable[[Change], None]
Plan = Callable[[Snapshot], list[Edit]]
"""Returns the changes for a snapshot of the database. Raises SqeError where that snapshot does not allow them."""


class Planner:
    """Plans one user's statements. The catalog is read while planning, never while the database is locked."""

    def __init__(
        self,
        principal: Principal,
        context: StatementContext,
        authorities: Authorities,
        checker: ExpressionChecker,
    ) -> None:
        self._principal = principal
        self._context = context
        self._authorities = authorities
        self._checker = checker
        self._targets = Targets(context)
