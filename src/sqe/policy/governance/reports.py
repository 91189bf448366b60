"""Build the results of SHOW GRANTS, SHOW POLICIES, SHOW EFFECTIVE and CHECK ACCESS.

Administrators of a table see everything. Other users see their own grants, but neither the text of their restrictions
nor the columns that are hidden from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from sqe.errors import AccessDeniedError
from sqe.model.decision import Decision, Operation, Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.governance.authority import OPERATIONS, Authorities, DecisionExplainer
from sqe.policy.governance.grant_planner import same_place
from sqe.policy.governance.result_columns import table
from sqe.policy.governance.statement_context import TableFacts
from sqe.policy.grants.entries import Effect, Grant, Place, Policy, Snapshot
from sqe.policy.grants.evaluation import Evaluation, grantees_of
from sqe.policy.grants.matching import allows_on, restricts_on
from sqe.policy.grants.privileges import EACH
from sqe.sql import namespace
from sqe.sql.policy.statement_types import (
    CheckAccess,
    PrincipalSpec,
    Privilege,
    ShowEffectiveGrants,
    ShowEffectivePolicy,
    ShowGrants,
    ShowPolicies,
)

_ASKED = "asked about"  # the provider of a principal who has not logged in
_HIDDEN = "(hidden)"


class Reports:
    def __init__(self, point: DecisionExplainer, authorities: Authorities) -> None:
        self._point = point
        self._authorities = authorities

    def grants(
        self,
        statement: ShowGrants,
        asker: Principal,
        snapshot: Snapshot,
        place: Place | None,
        facts: TableFacts | None,
    ) -> pa.Table:
        administers = self._authorities.administers(asker, facts) is not None
        own = grantees_of(asker)
        shown = [
            grant
            for grant in snapshot.grants
            if (administers or grant.grantee in own or grant.grantor == asker.user)
            and (place is None or same_place(grant.place, place))
            and (statement.to is None or grant.grantee == statement.to)
        ]
        return table(
            ShowGrants,
            (_grant_row(grant, whole=administers or grant.grantor == asker.user) for grant in shown),
        )

    def effective_grants(
        self,
        statement: ShowEffectiveGrants,
        asker: Principal,
        snapshot: Snapshot,
        facts: TableFacts | None,
    ) -> pa.Table:
        principal = self._principal(statement.principal, asker, facts)
        administers = self._authorities.administers(asker, facts) is not None
        evaluation = Evaluation(snapshot, principal, admin=False)
        rows = []
        for grantee in grantees_of(principal):
            for grant in snapshot.by_grantee.get(grantee, ()):
                if facts is None or _concerns(grant, facts):
                    row = _grant_row(grant, whole=administers or grant.grantor == asker.user)
                    rows.append([*row, _is_effective(grant, evaluation, facts)])
        return table(ShowEffectiveGrants, rows)

    def policies(self, asker: Principal, snapshot: Snapshot, facts: TableFacts | None) -> pa.Table:
        if facts is None:
            admin = self._authorities.is_admin(asker)
            shown = [policy for policy in snapshot.policies if admin or policy.author == asker.user]
        else:
            self._authorities.need(asker, facts, f"show the policies on {facts.name}")
            shown = [policy for policy in snapshot.policies if _restricts(policy, facts)]
        return table(ShowPolicies, map(_policy_row, shown))

    def effective_policy(
        self, statement: ShowEffectivePolicy, asker: Principal, facts: TableFacts
    ) -> pa.Table:
        principal = self._principal(statement.principal, asker, facts)
        whole = self._authorities.administers(asker, facts) is not None
        decision, verdicts = self._point.explain(principal, Question(Operation.SELECT, facts.resource))
        rows = list(_decision_rows(decision))
        for engine, verdict in verdicts:
            rows += _verdict_rows(engine, verdict)
        if not whole:
            rows = [
                [engine, kind, column, expression if kind == "access" else _HIDDEN, None]
                for engine, kind, column, expression, _ in rows
                if engine == "decision" and kind != "restricted column"
            ]
        return table(ShowEffectivePolicy, rows)

    def check_access(self, statement: CheckAccess, asker: Principal, facts: TableFacts) -> pa.Table:
        principal = self._principal(statement.principal, asker, facts)
        whole = self._authorities.administers(asker, facts) is not None
        privilege = statement.privilege
        decision, _ = self._point.explain(principal, Question(OPERATIONS[privilege], facts.resource))
        reason = "; ".join(decision.sources) if whole and decision.sources else decision.reason
        row = [
            principal.user,
            privilege.value,
            str(facts.name),
            decision.allow,
            decision.protected,
            reason or None,
        ]
        return table(CheckAccess, [row])

    def _principal(
        self, wanted: PrincipalSpec | None, asker: Principal, facts: TableFacts | None
    ) -> Principal:
        """Return the principal to report on. Raises AccessDeniedError if the asker must not ask about that user."""
        if wanted is None or (wanted.user == asker.user and wanted.roles is None and wanted.groups is None):
            return asker
        if self._authorities.administers(asker, facts) is None:
            raise AccessDeniedError("Access denied: cannot ask what another user may do.")
        return Principal(
            wanted.user,
            _ASKED,
            groups=frozenset(wanted.groups or ()),
            roles=frozenset(wanted.roles or ()),
        )


def _concerns(grant: Grant, facts: TableFacts) -> bool:
    return allows_on(grant, facts.resource) or restricts_on(grant.place, facts.resource, grant)


def _is_effective(grant: Grant, evaluation: Evaluation, facts: TableFacts | None) -> bool:
    """Return whether an entry has an effect on the table: a grant that a DENY overrides has none."""
    if facts is None or grant.effect is Effect.DENY:
        return True
    if not allows_on(grant, facts.resource):
        return False
    privileges: Iterable[Privilege] = EACH if grant.privilege is Privilege.ALL else (grant.privilege,)
    return any(
        evaluation.privilege(privilege, Question(OPERATIONS[privilege], facts.resource))[0]
        for privilege in privileges
    )


def _restricts(policy: Policy, facts: TableFacts) -> bool:
    if policy.place is not None:
        return restricts_on(policy.place, facts.resource)
    tags = {tag.casefold() for column in facts.columns for tag in column.tags}
    return (policy.tag or "").casefold() in tags


def _grant_row(grant: Grant, *, whole: bool) -> list[object]:
    place = grant.place
    return [
        grant.effect.value,
        grant.privilege.value,
        place.kind.value,
        place.catalog,
        namespace.join(place.namespace) or None,
        place.name,
        _column_names(grant, whole=whole),
        grant.grantee.kind.value,
        grant.grantee.name,
        _text(grant.rows.text if grant.rows else None, whole=whole),
        [f"{column.name} AS {_text(mask.text, whole=whole)}" for column, mask in grant.masks] or None,
        grant.grant_option,
        grant.grantor,
        grant.created,
    ]


def _column_names(grant: Grant, *, whole: bool) -> list[str] | None:
    if grant.effect is Effect.DENY and grant.columns and not whole:
        return [_HIDDEN]  # denied columns do not exist for this user
    return [column.name for column in grant.columns] or None


def _text(text: str | None, *, whole: bool) -> str | None:
    return text if whole or text is None else _HIDDEN


def _policy_row(policy: Policy) -> list[object]:
    place = policy.place
    return [
        policy.name,
        policy.kind.value,
        place.kind.value if place else "TAG",
        place.catalog if place else None,
        (namespace.join(place.namespace) or None) if place else None,
        place.name if place else policy.tag,
        [column.name for column in policy.columns] or None,
        [str(grantee) for grantee in policy.to] or None,
        policy.expression.text if policy.expression else None,
        policy.author,
        policy.created,
    ]


Row = list[str | None]


def _decision_rows(decision: Decision) -> Iterator[Row]:
    yield ["decision", "access", None, "allowed" if decision.allow else "denied", None]
    if decision.filter is not None:
        yield ["decision", "row filter", None, decision.filter, None]
    for column, mask in decision.masks.items():
        yield ["decision", "column mask", column, mask, None]
    for column in decision.restricted:
        yield ["decision", "restricted column", column, None, None]


def _verdict_rows(engine: str, verdict: Verdict) -> list[Row]:
    rows: list[Row] = [[engine, "access", None, "allowed" if verdict.allow else "denied", verdict.source]]
    rows += ([engine, "row filter", None, each.text, each.source] for each in verdict.filters)
    rows += ([engine, "column mask", name, mask.text, mask.source] for name, mask in verdict.masks.items())
    rows += ([engine, "restricted column", name, None, why] for name, why in verdict.restricted.items())
    return rows
