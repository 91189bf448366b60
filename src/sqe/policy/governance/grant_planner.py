"""Plan GRANT, DENY and REVOKE: check the author's rights, and return the changes of the database of grants."""

from __future__ import annotations

from dataclasses import replace

from sqe.errors import AccessDeniedError, SemanticError, TableNotFoundError, UnsupportedError
from sqe.policy.binding import BoundExpression
from sqe.policy.governance.planner import Edit, Plan, Planner
from sqe.policy.governance.statement_context import TableFacts, TableName
from sqe.policy.governance.targets import column_of, columns_of
from sqe.policy.grants.entries import (
    Authority,
    ColumnReference,
    Effect,
    Grant,
    Place,
    PresentTable,
    Snapshot,
)
from sqe.sql.policy.statement_types import (
    DenyStatement,
    GrantStatement,
    ObjectKind,
    Privilege,
    RevokeStatement,
)

_MOST_TABLES = 10_000


class GrantPlanner(Planner):
    def grant(self, statement: GrantStatement) -> Plan:
        place, facts = self._targets.place(statement.on, must_exist=True)
        rows, masks = self._expressions(statement, facts)
        present = self._present(place)

        def plan(snapshot: Snapshot) -> list[Edit]:
            authority = self._authorities.administers(self._principal, facts)
            if authority is None and self._authorities.passes_on(
                self._principal, facts, snapshot, statement.privileges, statement.columns
            ):
                authority = Authority.GRANT_OPTION
            if authority is None:
                raise AccessDeniedError(f"Access denied: cannot grant on {place}.")
            columns = columns_of(statement.columns, facts)
            return [
                edit
                for privilege in statement.privileges
                for edit in _addition(
                    snapshot,
                    Grant(
                        Effect.GRANT,
                        privilege,
                        place,
                        statement.to,
                        self._principal.user,
                        authority,
                        columns,
                        rows,
                        masks,
                        statement.grant_option,
                        present,
                    ),
                )
            ]

        return plan

    def deny(self, statement: DenyStatement) -> Plan:
        place, facts = self._targets.place(statement.on, must_exist=True)
        authority = self._authorities.need(self._principal, facts, f"deny on {place}")
        columns = columns_of(statement.columns, facts)
        present = self._present(place)
        user = self._principal.user
        return lambda snapshot: [
            edit
            for privilege in statement.privileges
            for edit in _addition(
                snapshot,
                Grant(Effect.DENY, privilege, place, statement.to, user, authority, columns, present=present),
            )
        ]

    def revoke(self, statement: RevokeStatement) -> Plan:
        place, facts = self._targets.place(statement.on, must_exist=False)
        administers = self._authorities.administers(self._principal, facts) is not None
        # Columns may be dropped by now; only administrators of the table may learn its columns.
        columns = columns_of(statement.columns, None)
        if facts is not None and administers:
            known = {column.name.casefold(): column.field_id for column in facts.columns}
            columns = tuple(ColumnReference(each.name, known.get(each.name.casefold())) for each in columns)

        def plan(snapshot: Snapshot) -> list[Edit]:
            edits: list[Edit] = []
            for privilege in statement.privileges:
                found = [
                    grant
                    for grant in snapshot.grants
                    if _is_revoked(grant, statement, privilege, place, columns)
                ]
                foreign = any(
                    not self._authorities.may_remove(self._principal, facts, grant) for grant in found
                )
                if foreign or (not found and not administers):
                    raise AccessDeniedError(f"Access denied: cannot revoke {privilege} on {place}.")
                if not found:
                    raise SemanticError(
                        f"There is nothing to revoke: {statement.origin} has neither a grant nor a denial of "
                        f"{privilege} on {place.kind} {place}.",
                        hint="SHOW GRANTS lists all grants; revoke a grant on a schema or catalog there.",
                    )
                edits += [
                    _removal(grant, columns, only_option=statement.only_grant_option) for grant in found
                ]
            return edits

        return plan

    def _expressions(
        self, statement: GrantStatement, facts: TableFacts | None
    ) -> tuple[BoundExpression | None, tuple[tuple[ColumnReference, BoundExpression], ...]]:
        if statement.rows is None and not statement.masks:
            return None, ()
        # Filters and masks restrict the grantee in every grant, so that the grant option is not enough. The check
        # comes first: an error about columns would reveal them.
        self._authorities.need(
            self._principal, facts, f"restrict rows or columns of {'.'.join(statement.on.name)}"
        )
        assert facts is not None  # the grammar allows them on tables only
        rows = None
        if statement.rows is not None:
            rows = self._checker.row_filter(statement.rows, facts.columns)
        masks = []
        for name, text in statement.masks:
            column = column_of(name, facts)
            mask = self._checker.mask(text, column, facts.columns)
            masks.append((ColumnReference(column.name, column.field_id), mask))
        return rows, tuple(masks)

    def _present(self, place: Place) -> tuple[PresentTable, ...]:
        """Return the existing tables, to which a grant on FUTURE TABLES does not apply."""
        if place.kind is not ObjectKind.FUTURE_TABLES:
            return ()
        self._authorities.need(self._principal, None, f"grant or deny on {place.kind} {place}")
        found = self._context.tables(place.catalog, place.namespace)
        if len(found) > _MOST_TABLES:
            raise UnsupportedError(
                f"{place} has too many tables for a grant on FUTURE TABLES.",
                hint="Grant on ALL TABLES IN SCHEMA, or on one TABLE at a time.",
            )
        return tuple(self._present_table(TableName(place.catalog, place.namespace, name)) for name in found)

    def _present_table(self, name: TableName) -> PresentTable:
        try:
            return PresentTable(name.name, self._context.facts(name).uuid)
        except TableNotFoundError:
            return PresentTable(name.name, None)  # dropped since it was listed


def _addition(snapshot: Snapshot, grant: Grant) -> list[Edit]:
    """Return the edit that adds a grant; an equal grant of the same user only gets the grant option."""
    for there in snapshot.grants:
        same = replace(there, grant_option=grant.grant_option, created=grant.created, id=grant.id)
        if same == grant:
            if grant.grant_option and not there.grant_option:
                return [_replacement(replace(there, grant_option=True))]
            return []
    return [lambda change: change.add_grant(grant)]


def _removal(grant: Grant, columns: tuple[ColumnReference, ...], *, only_option: bool) -> Edit:
    if only_option:
        return _replacement(replace(grant, grant_option=False))
    left = tuple(each for each in grant.columns if not _is_any_of(each, columns))
    if columns and left:
        return _replacement(replace(grant, columns=left))
    return lambda change: change.remove_grant(grant)


def _replacement(grant: Grant) -> Edit:
    return lambda change: change.replace_grant(grant)


def _is_revoked(
    grant: Grant,
    statement: RevokeStatement,
    privilege: Privilege,
    place: Place,
    columns: tuple[ColumnReference, ...],
) -> bool:
    if grant.grantee != statement.origin or not same_place(grant.place, place):
        return False
    if privilege not in (grant.privilege, Privilege.ALL):
        return False
    if columns and not any(_is_any_of(each, columns) for each in grant.columns):
        return False
    return grant.grant_option or not statement.only_grant_option


def _is_any_of(column: ColumnReference, others: tuple[ColumnReference, ...]) -> bool:
    return any(
        column.name.casefold() == other.name.casefold()
        or (column.field_id is not None and column.field_id == other.field_id)
        for other in others
    )


def same_place(one: Place, other: Place) -> bool:
    """Return whether two entries are about the same object."""
    if one.kind is not other.kind:
        return False
    if one.uuid is not None and one.uuid == other.uuid:
        return True
    return _folded(one) == _folded(other)


def _folded(place: Place) -> tuple[str, ...]:
    return tuple(part.casefold() for part in (place.catalog, *place.namespace, place.name or ""))
