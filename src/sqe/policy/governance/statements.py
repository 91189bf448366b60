"""Run statements about access: check the author's rights, and change the database of grants or report on it."""

from __future__ import annotations

import logging

import pyarrow as pa

from sqe.config.schema import Config
from sqe.errors import CommitConflictError, SemanticError, UnsupportedError
from sqe.model.decision import Kind
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.governance.authority import Authorities, DecisionExplainer
from sqe.policy.governance.expression_checker import ExpressionChecker
from sqe.policy.governance.grant_planner import GrantPlanner
from sqe.policy.governance.planner import Plan
from sqe.policy.governance.policy_planner import PolicyPlanner
from sqe.policy.governance.reports import Reports
from sqe.policy.governance.result_columns import NOTHING
from sqe.policy.governance.statement_context import StatementContext
from sqe.policy.governance.targets import Targets, column_of
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy import statement_types
from sqe.sql.policy.statement_types import ObjectKind, Securable

_log = logging.getLogger(__name__)

_TRIES = 5  # while other sessions change grants


class Governance:
    def __init__(
        self, point: DecisionExplainer, store: GrantStore | None, admins: Administrators, *, keyed: bool
    ) -> None:
        """Run statements.

        Args:
            point: decides, for the statements that report on decisions.
            store: of the engine `grants`; None when it is not configured.
            admins: the administrators, who may do everything here.
            keyed: whether there is a key for hash masks.
        """
        self._grants = store
        self._authorities = Authorities(admins, point)
        self._reports = Reports(point, self._authorities)
        self._keyed = keyed

    def run(
        self,
        statement: statement_types.PolicyStatement,
        text: str,
        principal: Principal,
        context: StatementContext,
    ) -> pa.Table:
        """Run one statement and return its rows.

        Args:
            statement: the parsed statement.
            text: the statement's text, for the history.
            principal: the author of the statement.
            context: the session of the statement.

        Raises:
            AccessDeniedError: the author has no right to it.
            SqeError: of other kinds, for what cannot be done.
        """
        targets = Targets(context)
        match statement:
            case statement_types.ShowEffectivePolicy():
                return self._reports.effective_policy(statement, principal, targets.facts(statement.on))
            case statement_types.CheckAccess():
                return self._reports.check_access(statement, principal, targets.checked(statement))
            case statement_types.SetTags(table=table, tags=tags):
                return self._set_tags(text, principal, context, table, dict(tags), ())
            case statement_types.UnsetTags(table=table, columns=columns):
                return self._set_tags(text, principal, context, table, {}, columns)
            case statement_types.ShowGrants():
                snapshot = self._store.snapshot()
                place = facts = None
                if statement.on is not None:
                    place, facts = targets.place(statement.on, must_exist=False)
                return self._reports.grants(statement, principal, snapshot, place, facts)
            case statement_types.ShowEffectiveGrants():
                snapshot = self._store.snapshot()
                shown = targets.facts(statement.on) if statement.on is not None else None
                return self._reports.effective_grants(statement, principal, snapshot, shown)
            case statement_types.ShowPolicies():
                snapshot = self._store.snapshot()
                shown = targets.facts(statement.on) if statement.on is not None else None
                return self._reports.policies(principal, snapshot, shown)
            case _:
                return self._change(text, principal, self._plan(statement, principal, context))

    def _plan(
        self, statement: statement_types.PolicyStatement, principal: Principal, context: StatementContext
    ) -> Plan:
        if self._grants is None:
            raise _no_grants_engine()
        admin = self._authorities.is_admin(principal)
        checker = ExpressionChecker(principal, context, admin=admin, keyed=self._keyed)
        granting = GrantPlanner(principal, context, self._authorities, checker)
        making = PolicyPlanner(principal, context, self._authorities, checker)
        match statement:
            case statement_types.GrantStatement():
                return granting.grant(statement)
            case statement_types.DenyStatement():
                return granting.deny(statement)
            case statement_types.RevokeStatement():
                return granting.revoke(statement)
            case statement_types.CreatePolicy():
                return making.create(statement)
            case statement_types.DropPolicy():
                return making.drop(statement)
            case _:
                raise UnsupportedError("This statement is not supported here.")

    def _change(self, text: str, principal: Principal, plan: Plan) -> pa.Table:
        """Apply a plan to the same version of the database for which the plan was allowed."""
        for _ in range(_TRIES):
            snapshot = self._store.snapshot()
            edits = plan(snapshot)
            if not edits:
                return NOTHING
            with self._store.change(principal.user, text) as change:
                if change.version == snapshot.version:
                    for edit in edits:
                        edit(change)
                    return NOTHING
        raise CommitConflictError(
            "Other sessions are changing grants at the same time.", hint="Try again in a moment."
        )

    def _set_tags(
        self,
        text: str,
        principal: Principal,
        context: StatementContext,
        table: tuple[str, ...],
        tags: dict[str, tuple[str, ...]],
        removed: tuple[str, ...],
    ) -> pa.Table:
        facts = Targets(context).facts(Securable(ObjectKind.TABLE, table))
        if facts.kind is not Kind.TABLE:
            raise SemanticError(f"{facts.name} is a {facts.kind}; only columns of tables have tags.")
        self._authorities.need(principal, facts, f"set tags of {facts.name}")
        exact = {column_of(name, facts).name: tuple(dict.fromkeys(each)) for name, each in tags.items()}
        unset = [column_of(name, facts).name for name in removed]
        # Recorded first, so that no tag changes without a record; a statement that fails then is recorded too.
        if self._grants is None:
            _log.info("tags changed by %r: %r", principal.user, text)
        else:
            self._grants.record(principal.user, text)
        context.set_tags(facts.name, exact, unset)
        return NOTHING

    @property
    def _store(self) -> GrantStore:
        if self._grants is None:
            raise _no_grants_engine()
        return self._grants


def _no_grants_engine() -> UnsupportedError:
    return UnsupportedError(
        "This statement needs the policy engine grants, which is not configured here.",
        hint='Add "grants" to policy.engines.',
    )


def make_governance(config: Config, point: DecisionPoint) -> Governance:
    """Create the `Governance` of a gateway from its configuration."""
    grants = point.engine("grants")
    policy = config.policy
    return Governance(
        point,
        grants.store if isinstance(grants, GrantsEngine) else None,
        Administrators(policy.admins),
        keyed=policy.mask_key is not None,
    )
