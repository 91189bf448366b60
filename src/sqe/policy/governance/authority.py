"""Check the rights to grant, deny, revoke and create policies.

Administrators may do everything. The owner of a table may do it for the table, but not remove a restriction that an
administrator has created. A user with the grant option may pass the privilege on, for one table at a time, unless a
filter, a mask or a hidden column restricts what this user sees of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from sqe.errors import AccessDeniedError
from sqe.model.decision import Decision, Operation, Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.governance.statement_context import TableFacts
from sqe.policy.grants.entries import Authority, Effect, Grant, Policy, Snapshot
from sqe.policy.grants.evaluation import Evaluation, grantees_of
from sqe.policy.grants.matching import allows_on, granted_columns
from sqe.sql.policy.statement_types import Privilege

OPERATIONS: Mapping[Privilege, Operation] = {
    Privilege.SELECT: Operation.SELECT,
    Privilege.INSERT: Operation.INSERT,
    Privilege.UPDATE: Operation.UPDATE,
    Privilege.DELETE: Operation.DELETE,
    Privilege.CREATE: Operation.CREATE_TABLE,
    Privilege.DROP: Operation.DROP,
    Privilege.ALTER: Operation.ALTER,
}
"""The main operation of each privilege."""


class DecisionExplainer(Protocol):
    """Explains decisions, as `DecisionPoint` does."""

    def explain(
        self, principal: Principal, question: Question
    ) -> tuple[Decision, list[tuple[str, Verdict]]]: ...


class Authorities:
    def __init__(self, admins: Administrators, point: DecisionExplainer) -> None:
        self._admins = admins
        self._point = point

    def is_admin(self, principal: Principal) -> bool:
        return self._admins.include(principal)

    def administers(self, principal: Principal, facts: TableFacts | None) -> Authority | None:
        """Return the right by which a user administers a table, or everything if `facts` is None."""
        if self.is_admin(principal):
            return Authority.ADMIN
        if facts is not None and facts.owner is not None and facts.owner == principal.user:
            return Authority.OWNER
        return None

    def need(self, principal: Principal, facts: TableFacts | None, what: str) -> Authority:
        """Return the same as `administers`. Raises AccessDeniedError if the user has no such right."""
        found = self.administers(principal, facts)
        if found is None:
            who = "its owner or an administrator" if facts is not None else "an administrator"
            raise AccessDeniedError(f"Access denied: cannot {what}; only {who} may.")
        return found

    def passes_on(
        self,
        principal: Principal,
        facts: TableFacts | None,
        snapshot: Snapshot,
        privileges: tuple[Privilege, ...],
        columns: tuple[str, ...],
    ) -> bool:
        """Return whether a user holds the privileges on a table with the grant option, and may use it."""
        if facts is None:
            return False
        held = [
            grant
            for grantee in grantees_of(principal)
            for grant in snapshot.by_grantee.get(grantee, ())
            if grant.effect is Effect.GRANT and grant.grant_option and allows_on(grant, facts.resource)
        ]
        return all(
            any(_holds(grant, privilege, columns, facts) for grant in held) for privilege in privileges
        ) and self._unrestricted(principal, facts, snapshot, privileges)

    def may_remove(self, principal: Principal, facts: TableFacts | None, grant: Grant) -> bool:
        authority = self.administers(principal, facts)
        if authority is Authority.OWNER:
            return not (grant.restricts and grant.authority is Authority.ADMIN)
        if authority is None:
            return grant.grantor == principal.user and grant.authority is Authority.GRANT_OPTION
        return True

    def may_drop(self, principal: Principal, facts: TableFacts | None, policy: Policy) -> bool:
        authority = self.administers(principal, facts)
        return authority is Authority.ADMIN or (
            authority is Authority.OWNER and policy.authority is not Authority.ADMIN
        )

    def _unrestricted(
        self,
        principal: Principal,
        facts: TableFacts,
        snapshot: Snapshot,
        privileges: tuple[Privilege, ...],
    ) -> bool:
        """Return whether the user is allowed everything that is passed on, without a restriction."""
        evaluation = Evaluation(snapshot, principal, admin=False)
        for privilege in privileges:
            each = OPERATIONS if privilege is Privilege.ALL else (privilege,)
            for one in each:
                if one is Privilege.CREATE:
                    continue  # no operation on a table
                question = Question(OPERATIONS[one], facts.resource)
                if not evaluation.privilege(one, question)[0]:
                    return False
                decision, _ = self._point.explain(principal, question)
                if not decision.allow or decision.protected:
                    return False
        reading, _ = self._point.explain(principal, Question(Operation.SELECT, facts.resource))
        return not (reading.allow and reading.protected)


def _holds(grant: Grant, privilege: Privilege, columns: tuple[str, ...], facts: TableFacts) -> bool:
    if grant.privilege not in (privilege, Privilege.ALL):
        return False
    if not grant.columns:
        return True
    own = {name.casefold() for name in granted_columns(grant.columns, facts.columns)}
    return bool(columns) and {name.casefold() for name in columns} <= own
