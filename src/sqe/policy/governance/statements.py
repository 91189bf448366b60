"""Statements about access, carried out: checked for who may write them, validated, kept, on record."""

from __future__ import annotations

import logging

import pyarrow as pa

from sqe.config.schema import Config
from sqe.errors import CommitConflictError, SemanticError, UnsupportedError
from sqe.model.decision import Kind
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.governance.authoring import Authoring
from sqe.policy.governance.authority import Authorities, Explains
from sqe.policy.governance.columns import NOTHING
from sqe.policy.governance.granting import Granting, Plan
from sqe.policy.governance.policy_making import PolicyMaking
from sqe.policy.governance.refusals import needs_grants
from sqe.policy.governance.reports import Reports
from sqe.policy.governance.surroundings import Surroundings
from sqe.policy.governance.targets import Targets, column_of
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.store import GrantStore
from sqe.policy.point import DecisionPoint
from sqe.sql.policy import statement_types as words
from sqe.sql.policy.statement_types import ObjectKind, Securable

_log = logging.getLogger(__name__)

_TRIES = 5  # while others change grants


class Governance:
    def __init__(
        self, point: Explains, store: GrantStore | None, admins: Administrators, *, keyed: bool
    ) -> None:
        """Carry out statements.

        Args:
            point: decides, for those statements that ask what somebody may do.
            store: of the engine `grants`; None when it is not configured.
            admins: who may do everything here.
            keyed: whether there is a key for hash masks.
        """
        self._grants = store
        self._authorities = Authorities(admins, point)
        self._reports = Reports(point, self._authorities)
        self._keyed = keyed

    def run(
        self, statement: words.PolicyStatement, text: str, principal: Principal, around: Surroundings
    ) -> pa.Table:
        """Carry out one statement and return its rows.

        Args:
            statement: what was read.
            text: as it was written, for the record.
            principal: whose it is.
            around: the session that it came in.

        Raises:
            AccessDeniedError: it is not theirs to say.
            SqeError: of other kinds, for what cannot be done.
        """
        targets = Targets(around)
        match statement:
            case words.ShowEffectivePolicy():
                return self._reports.effective_policy(statement, principal, targets.facts(statement.on))
            case words.CheckAccess():
                return self._reports.check_access(statement, principal, targets.checked(statement))
            case words.SetTags(table=table, tags=tags):
                return self._set_tags(text, principal, around, table, dict(tags), ())
            case words.UnsetTags(table=table, columns=columns):
                return self._set_tags(text, principal, around, table, {}, columns)
            case words.ShowGrants():
                snapshot = self._store.snapshot()
                place = facts = None
                if statement.on is not None:
                    place, facts = targets.place(statement.on, must_exist=False)
                return self._reports.grants(statement, principal, snapshot, place, facts)
            case words.ShowEffectiveGrants():
                snapshot = self._store.snapshot()
                shown = targets.facts(statement.on) if statement.on is not None else None
                return self._reports.effective_grants(statement, principal, snapshot, shown)
            case words.ShowPolicies():
                snapshot = self._store.snapshot()
                shown = targets.facts(statement.on) if statement.on is not None else None
                return self._reports.policies(principal, snapshot, shown)
            case _:
                return self._change(text, principal, self._plan(statement, principal, around))

    def _plan(self, statement: words.PolicyStatement, principal: Principal, around: Surroundings) -> Plan:
        if self._grants is None:
            raise needs_grants()
        admin = self._authorities.is_admin(principal)
        authoring = Authoring(principal, around, admin=admin, keyed=self._keyed)
        granting = Granting(principal, around, self._authorities, authoring)
        making = PolicyMaking(principal, around, self._authorities, authoring)
        match statement:
            case words.GrantStatement():
                return granting.grant(statement)
            case words.DenyStatement():
                return granting.deny(statement)
            case words.RevokeStatement():
                return granting.revoke(statement)
            case words.CreatePolicy():
                return making.create(statement)
            case words.DropPolicy():
                return making.drop(statement)
            case _:
                raise UnsupportedError("This statement is not supported here.")

    def _change(self, text: str, principal: Principal, plan: Plan) -> pa.Table:
        """Do what was planned, for the state of the database for which it was found to be allowed."""
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
            "Others are changing grants at the same time.", hint="Try again in a moment."
        )

    def _set_tags(
        self,
        text: str,
        principal: Principal,
        around: Surroundings,
        table: tuple[str, ...],
        tags: dict[str, tuple[str, ...]],
        removed: tuple[str, ...],
    ) -> pa.Table:
        facts = Targets(around).facts(Securable(ObjectKind.TABLE, table))
        if facts.kind is not Kind.TABLE:
            raise SemanticError(f"{facts.name} is a {facts.kind}; only columns of tables have tags.")
        self._authorities.need(principal, facts, f"set tags of {facts.name}")
        exact = {column_of(name, facts).name: tuple(dict.fromkeys(each)) for name, each in tags.items()}
        unset = [column_of(name, facts).name for name in removed]
        # First, so that no tag changes without it: a statement that then fails is on record, too.
        if self._grants is None:
            _log.info("tags changed by %r: %r", principal.user, text)
        else:
            self._grants.record(principal.user, text)
        around.set_tags(facts.name, exact, unset)
        return NOTHING

    @property
    def _store(self) -> GrantStore:
        if self._grants is None:
            raise needs_grants()
        return self._grants


def make_governance(config: Config, point: DecisionPoint) -> Governance:
    """What carries out statements about access, with whatever engines decide."""
    grants = point.engine("grants")
    policy = config.policy
    return Governance(
        point,
        grants.store if isinstance(grants, GrantsEngine) else None,
        Administrators(policy.admins),
        keyed=policy.mask_key is not None,
    )
