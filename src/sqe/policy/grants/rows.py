"""Convert entries to rows of the database and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqe.model.session import Dialect
from sqe.policy.binding import BoundExpression
from sqe.policy.grants.entries import (
    Authority,
    ColumnReference,
    Effect,
    Grant,
    Place,
    Policy,
    PresentTable,
)
from sqe.sql.policy.statement_types import Grantee, GranteeKind, ObjectKind, PolicyKind, Privilege

Row = Mapping[str, Any]


def grant_row(grant: Grant) -> dict[str, Any]:
    place = grant.place
    return {
        "effect": grant.effect.value,
        "privilege": grant.privilege.value,
        "object_kind": place.kind.value,
        "catalog": place.catalog,
        "namespace": json.dumps(place.namespace),
        "name": place.name,
        "uuid": place.uuid,
        "grantee_kind": grant.grantee.kind.value,
        "grantee": grant.grantee.name,
        "columns": _columns(grant.columns),
        "rows_where": None if grant.rows is None else json.dumps(_expression(grant.rows)),
        "masks": json.dumps([[_column(column), _expression(mask)] for column, mask in grant.masks]),
        "grant_option": grant.grant_option,
        "present": json.dumps([[table.name, table.uuid] for table in grant.present]),
        "grantor": grant.grantor,
        "authority": grant.authority.value,
        "created": grant.created,
    }


def grant_of(row: Row) -> Grant:
    return Grant(
        effect=Effect(row["effect"]),
        privilege=Privilege(row["privilege"]),
        place=_place(row, "name"),
        grantee=Grantee(GranteeKind(row["grantee_kind"]), row["grantee"]),
        grantor=row["grantor"],
        authority=Authority(row["authority"]),
        columns=_columns_of(row["columns"]),
        rows=None if row["rows_where"] is None else _expression_of(json.loads(row["rows_where"])),
        masks=tuple(
            (ColumnReference(*column), _expression_of(mask)) for column, mask in json.loads(row["masks"])
        ),
        grant_option=bool(row["grant_option"]),
        present=tuple(PresentTable(*table) for table in json.loads(row["present"])),
        created=row["created"],
        id=row["id"],
    )


def policy_row(policy: Policy) -> dict[str, Any]:
    place = policy.place
    return {
        "name_key": policy.name.lower(),
        "name": policy.name,
        "kind": policy.kind.value,
        "object_kind": place.kind.value if place else None,
        "catalog": place.catalog if place else None,
        "namespace": json.dumps(place.namespace) if place else None,
        "object_name": place.name if place else None,
        "uuid": place.uuid if place else None,
        "tag": policy.tag,
        "columns": _columns(policy.columns),
        "grantees": json.dumps([[grantee.kind.value, grantee.name] for grantee in policy.to]),
        "expression": None if policy.expression is None else json.dumps(_expression(policy.expression)),
        "author": policy.author,
        "authority": policy.authority.value,
        "created": policy.created,
    }


def policy_of(row: Row) -> Policy:
    return Policy(
        name=row["name"],
        kind=PolicyKind(row["kind"]),
        author=row["author"],
        authority=Authority(row["authority"]),
        place=None if row["object_kind"] is None else _place(row, "object_name"),
        tag=row["tag"],
        columns=_columns_of(row["columns"]),
        to=tuple(Grantee(GranteeKind(kind), name) for kind, name in json.loads(row["grantees"])),
        expression=None if row["expression"] is None else _expression_of(json.loads(row["expression"])),
        created=row["created"],
    )


def _place(row: Row, name: str) -> Place:
    namespace = tuple(json.loads(row["namespace"]))
    return Place(ObjectKind(row["object_kind"]), row["catalog"], namespace, row[name], row["uuid"])


def _column(column: ColumnReference) -> list[Any]:
    return [column.name, column.field_id]


def _columns(columns: tuple[ColumnReference, ...]) -> str:
    return json.dumps([_column(column) for column in columns])


def _columns_of(text: str) -> tuple[ColumnReference, ...]:
    return tuple(ColumnReference(*column) for column in json.loads(text))


def _expression(expression: BoundExpression) -> dict[str, Any]:
    return {
        "text": expression.text,
        "dialect": expression.dialect.value,
        "fields": dict(expression.fields),
    }


def _expression_of(fields: Mapping[str, Any]) -> BoundExpression:
    return BoundExpression(fields["text"], Dialect(fields["dialect"]), fields["fields"])
