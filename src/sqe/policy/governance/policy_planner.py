"""Plan CREATE POLICY and DROP POLICY: check the author's rights, and return the changes of the database of grants."""

from __future__ import annotations

from sqe.errors import AccessDeniedError, DuplicateObjectError, SemanticError, SqeError
from sqe.policy.binding import BoundExpression
from sqe.policy.governance.planner import Edit, Plan, Planner
from sqe.policy.governance.statement_context import TableFacts, TableName
from sqe.policy.governance.targets import column_of, columns_of
from sqe.policy.grants.entries import Policy, Snapshot
from sqe.sql.policy.statement_types import CreatePolicy, DropPolicy, PolicyKind


class PolicyPlanner(Planner):
    def create(self, statement: CreatePolicy) -> Plan:
        place, facts = None, None
        if statement.on is not None:
            place, facts = self._targets.place(statement.on, must_exist=True)
        authority = self._authorities.need(
            self._principal, facts, f"create a policy on {place or f'the tag {statement.tag}'}"
        )
        policy = Policy(
            statement.name,
            statement.kind,
            self._principal.user,
            authority,
            place,
            statement.tag,
            columns_of(statement.columns, facts),
            statement.to,
            self._expression(statement, facts),
        )

        def plan(snapshot: Snapshot) -> list[Edit]:
            there = snapshot.policy(statement.name)
            if there is not None and not statement.replace:
                raise DuplicateObjectError(
                    f"The policy {statement.name} already exists.",
                    hint="CREATE OR REPLACE POLICY replaces it.",
                )
            if there is not None and not self._may_drop(there):
                raise AccessDeniedError(f"Access denied: cannot replace the policy {statement.name}.")
            return [lambda change: change.put_policy(policy)]

        return plan

    def drop(self, statement: DropPolicy) -> Plan:
        def plan(snapshot: Snapshot) -> list[Edit]:
            policy = snapshot.policy(statement.name)
            if policy is None and statement.if_exists:
                return []
            if policy is None and self._authorities.is_admin(self._principal):
                raise SemanticError(f"There is no policy {statement.name}.", hint="SHOW POLICIES lists them.")
            if policy is None or not self._may_drop(policy):
                raise AccessDeniedError(f"Access denied: cannot drop the policy {statement.name}.")
            name = policy.name
            return [lambda change: change.drop_policy(name)]

        return plan

    def _expression(self, statement: CreatePolicy, facts: TableFacts | None) -> BoundExpression | None:
        text = statement.expression
        if text is None:
            return None
        if statement.kind is PolicyKind.ROW_FILTER:
            if facts is None:
                return self._checker.filter_of_many(text)
            return self._checker.row_filter(text, facts.columns)
        if facts is None:
            return self._checker.mask_of_tag(text)
        return self._checker.mask(text, column_of(statement.columns[0], facts), facts.columns)

    def _may_drop(self, policy: Policy) -> bool:
        place, facts = policy.place, None
        if place is not None and place.name is not None and not self._authorities.is_admin(self._principal):
            try:
                facts = self._context.facts(TableName(place.catalog, place.namespace, place.name))
            except SqeError:
                return False  # the owner of the table is unknown
            if place.uuid != facts.uuid:
                return False  # another table has the name now
        return self._authorities.may_drop(self._principal, facts, policy)
