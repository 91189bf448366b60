"""Evaluate one user's access by grants and policies, for one snapshot of the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.policy.binding import BoundExpression, for_column, rebind
from sqe.policy.combine import strongest_mask
from sqe.policy.grants.entries import Effect, Grant, Policy, Snapshot
from sqe.policy.grants.matching import allows_on, granted_columns, overlaps, restricted_columns, restricts_on
from sqe.policy.grants.privileges import EACH, NEEDED, RESTRICTED
from sqe.sql.policy.statement_types import Grantee, GranteeKind, ObjectKind, PolicyKind, Privilege

_CONTAINERS = (ObjectKind.SCHEMA, ObjectKind.CATALOG)
_SHOWN_TO_ADMINS = (Operation.LIST, Operation.DESCRIBE, Operation.SET_TAGS)


class Evaluation:
    def __init__(self, snapshot: Snapshot, principal: Principal, *, admin: bool) -> None:
        self._user = principal.user
        self._admin = admin
        self._snapshot = snapshot
        self._grantees = grantees_of(principal)
        self._own = tuple(
            grant for grantee in self._grantees for grant in snapshot.by_grantee.get(grantee, ())
        )
        self._near: dict[Resource, tuple[Grant, ...]] = {}

    def verdict(self, question: Question) -> Verdict:
        operation, resource = question.operation, question.resource
        if self._admin and operation in _SHOWN_TO_ADMINS:
            return Verdict(True, "grants: administrator")
        if operation is Operation.LIST:
            return self._visible(resource, by_name=True)
        if operation is Operation.DESCRIBE:
            seen = self._visible(resource, by_name=False)
            return self._restricted(resource, operation, seen) if seen.allow else seen
        if operation is Operation.SET_TAGS:
            return Verdict(
                self._owns(resource), "grants: owner" if self._owns(resource) else "grants: not the owner"
            )
        needed = NEEDED.get(operation)
        if needed is None:
            return Verdict(False, "grants: an unknown operation")
        sources: list[str] = []
        for privilege in needed:
            allowed, source = self.privilege(privilege, question)
            if not allowed:
                return Verdict(False, source)
            sources.append(source)
        if operation is Operation.RENAME and not self._admin and self._lifted_by_rename(resource):
            return Verdict(False, "grants: a rename could lift a restriction on the table's schema")
        verdict = Verdict(True, "; ".join(dict.fromkeys(sources)))
        return self._restricted(resource, operation, verdict) if operation in RESTRICTED else verdict

    def privilege(self, privilege: Privilege, question: Question) -> tuple[bool, str]:
        """Return whether the user has a privilege on the resource of the question, and the source."""
        resource = question.resource
        for grant in self._concerning(resource):
            if self._denies(grant, privilege) and restricts_on(grant.place, resource, grant):
                return False, source_of(grant)
        if privilege is not Privilege.CREATE and self._owns(resource):
            return True, "grants: owner"
        for grant in self._concerning(resource):
            if self._gives(grant, privilege, question):
                return True, source_of(grant)
        return False, f"grants: no {privilege} on {resource}"

    def applying(self, resource: Resource) -> Iterator[Policy]:
        """Yield the policies that restrict this user there, also those on tags that no column has."""
        for policy in self._snapshot.policies:
            meant = not policy.to or any(grantee in self._grantees for grantee in policy.to)
            if meant and (policy.place is None or restricts_on(policy.place, resource)):
                yield policy

    def _concerning(self, resource: Resource) -> tuple[Grant, ...]:
        """Return the user's grants and denials that concern a resource, cached for further questions about it."""
        found = self._near.get(resource)
        if found is None:
            found = self._near[resource] = tuple(
                grant
                for grant in self._own
                if restricts_on(grant.place, resource, grant) or allows_on(grant, resource, by_name=True)
            )
        return found

    # -- privileges -----------------------------------------------------------------------------------------------

    @staticmethod
    def _denies(grant: Grant, privilege: Privilege) -> bool:
        return (
            grant.effect is Effect.DENY
            and not grant.columns
            and grant.privilege in (privilege, Privilege.ALL)
        )

    @staticmethod
    def _gives(grant: Grant, privilege: Privilege, question: Question, *, by_name: bool = False) -> bool:
        if grant.effect is not Effect.GRANT or grant.privilege not in (privilege, Privilege.ALL):
            return False
        place, resource = grant.place, question.resource
        if privilege is Privilege.CREATE:
            if place.kind not in _CONTAINERS:
                return False
            if question.operation is Operation.CREATE_SCHEMA and place.namespace == resource.namespace:
                return False  # CREATE on a schema does not include creating the schema itself
        return allows_on(grant, resource, by_name=by_name)

    def _owns(self, resource: Resource) -> bool:
        return resource.kind in (Kind.TABLE, Kind.VIEW) and resource.owner == self._user

    def _visible(self, resource: Resource, *, by_name: bool) -> Verdict:
        """Decide whether a name is shown: the user needs any privilege on the object or inside of it."""
        question = Question(Operation.LIST, resource)
        if resource.kind in (Kind.SCHEMA, Kind.CATALOG):
            return self._visible_container(resource)
        for privilege in EACH:
            if any(
                self._denies(grant, privilege) and restricts_on(grant.place, resource, grant)
                for grant in self._concerning(resource)
            ):
                continue
            if privilege is not Privilege.CREATE and self._owns(resource):
                return Verdict(True, "grants: owner")
            if privilege is Privilege.CREATE and not by_name:
                continue  # CREATE on a schema shows the names of its tables, and nothing else of them
            for grant in self._concerning(resource):
                if self._gives(grant, privilege, question, by_name=by_name):
                    return Verdict(True, source_of(grant))
        return Verdict(False, f"grants: nothing on {resource}")

    def _visible_container(self, resource: Resource) -> Verdict:
        for grant in self._own:
            if self._denies(grant, Privilege.ALL) and restricts_on(grant.place, resource, grant):
                return Verdict(False, source_of(grant))
        for grant in self._own:
            if grant.effect is Effect.GRANT and overlaps(grant.place, resource):
                return Verdict(True, source_of(grant))
        return Verdict(False, f"grants: nothing in {resource}")

    def _lifted_by_rename(self, resource: Resource) -> bool:
        """Return whether a denial or policy on the schema or catalog restricts any user on the table."""
        denied = (
            grant
            for grant in self._snapshot.grants
            if grant.effect is Effect.DENY and grant.place.kind not in (ObjectKind.TABLE, ObjectKind.VIEW)
        )
        if any(restricts_on(grant.place, resource, grant) for grant in denied):
            return True
        return any(
            policy.place is not None
            and policy.place.kind is not ObjectKind.TABLE
            and restricts_on(policy.place, resource)
            for policy in self._snapshot.policies
        )

    # -- restrictions ---------------------------------------------------------------------------------------------

    def _restricted(self, resource: Resource, operation: Operation, allowed: Verdict) -> Verdict:
        """Return the verdict with all restrictions of this user on the table."""
        if resource.kind not in (Kind.TABLE, Kind.VIEW):
            return allowed
        if operation is Operation.DESCRIBE and self._owns(resource):
            return allowed  # the owner administers the table and has to know its columns
        restricted = self._hidden_columns(resource, operation)
        if operation is Operation.DESCRIBE:
            return Verdict(True, allowed.source, restricted=restricted)
        filters: list[Expression] = []
        masks: dict[str, list[Expression]] = {}
        for source, expression in self._filters(resource, operation):
            text = rebind(expression, resource.columns)
            if text is None:
                return Verdict(False, f"{source}: its filter no longer fits the table")
            filters.append(Expression(text, expression.dialect, source))
        for source, column, expression in self._masks(resource, operation):
            text = rebind(expression, resource.columns)
            if text is None:
                restricted.setdefault(column, source)
            else:
                masks.setdefault(column, []).append(Expression(text, expression.dialect, source))
        return Verdict(
            True,
            allowed.source,
            tuple(dict.fromkeys(filters)),
            {column: _strongest(offered) for column, offered in masks.items() if column not in restricted},
            restricted,
        )

    def _restricting_grants(self, resource: Resource, operation: Operation) -> Iterator[Grant]:
        """Yield the grants whose filters and masks apply: those for the operation and those for reading."""
        privileges = {Privilege.SELECT, Privilege.ALL, *NEEDED.get(operation, ())}
        for grant in self._concerning(resource):
            if (
                grant.effect is Effect.GRANT
                and grant.privilege in privileges
                and restricts_on(grant.place, resource, grant)
            ):
                yield grant

    def _filters(self, resource: Resource, operation: Operation) -> Iterator[tuple[str, BoundExpression]]:
        for grant in self._restricting_grants(resource, operation):
            if grant.rows is not None:
                yield source_of(grant), grant.rows
        for policy in self.applying(resource):
            if policy.kind is PolicyKind.ROW_FILTER and policy.expression is not None:
                yield policy.source, policy.expression

    def _masks(self, resource: Resource, operation: Operation) -> Iterator[tuple[str, str, BoundExpression]]:
        for grant in self._restricting_grants(resource, operation):
            for reference, mask in grant.masks:
                for column in sorted(restricted_columns((reference,), resource.columns)):
                    yield source_of(grant), column, mask
        for policy in self.applying(resource):
            if policy.kind is not PolicyKind.COLUMN_MASK or policy.expression is None:
                continue
            if policy.tag is None:
                for column in sorted(restricted_columns(policy.columns, resource.columns)):
                    yield policy.source, column, policy.expression
            else:
                for column in _tagged(policy.tag, resource.columns):
                    text = for_column(policy.expression, column)
                    yield policy.source, column, BoundExpression(text, policy.expression.dialect)

    def _hidden_columns(self, resource: Resource, operation: Operation) -> dict[str, str]:
        hidden: dict[str, str] = {}
        for grant in self._concerning(resource):
            if grant.effect is Effect.DENY and grant.columns and restricts_on(grant.place, resource, grant):
                for column in sorted(restricted_columns(grant.columns, resource.columns)):
                    hidden.setdefault(column, source_of(grant))
        for policy in self.applying(resource):
            if policy.kind is PolicyKind.RESTRICT_COLUMNS:
                named = (
                    sorted(restricted_columns(policy.columns, resource.columns))
                    if policy.tag is None
                    else _tagged(policy.tag, resource.columns)
                )
                for column in named:
                    hidden.setdefault(column, policy.source)
        if operation in (Operation.SELECT, Operation.SHOW_CREATE, Operation.DESCRIBE):
            for column in self._not_granted(resource):
                hidden.setdefault(column, "grants: SELECT on other columns only")
        return hidden

    def _not_granted(self, resource: Resource) -> list[str]:
        """Return the columns without a grant, where SELECT is granted on columns only."""
        if self._owns(resource):
            return []
        question = Question(Operation.SELECT, resource)
        giving = [
            grant for grant in self._concerning(resource) if self._gives(grant, Privilege.SELECT, question)
        ]
        if not giving or any(not grant.columns for grant in giving):
            return []
        given = frozenset[str]().union(
            *(granted_columns(grant.columns, resource.columns) for grant in giving)
        )
        return [column.name for column in resource.columns if column.name not in given]


def grantees_of(principal: Principal) -> tuple[Grantee, ...]:
    """Return the grantees that a principal acts as: the user, the roles and the groups."""
    return (
        Grantee(GranteeKind.USER, principal.user),
        *(Grantee(GranteeKind.ROLE, role) for role in sorted(principal.roles)),
        *(Grantee(GranteeKind.GROUP, group) for group in sorted(principal.groups)),
    )


def source_of(grant: Grant) -> str:
    """Describe an entry, for administrators."""
    return f"grants: {grant.effect} {grant.privilege} on {grant.place.kind} {grant.place} to {grant.grantee}"


def _tagged(tag: str, columns: Sequence[Column]) -> list[str]:
    wanted = tag.casefold()
    return [column.name for column in columns if any(own.casefold() == wanted for own in column.tags)]


def _strongest(masks: Sequence[Expression]) -> Expression:
    if len(masks) == 1:
        return masks[0]
    return strongest_mask(masks)
