"""The entries of the database of grants as immutable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sqe.policy.binding import BoundExpression
from sqe.sql.policy.statement_types import Grantee, ObjectKind, PolicyKind, Privilege


class Effect(StrEnum):
    GRANT = "GRANT"
    DENY = "DENY"


class Authority(StrEnum):
    """The right by which a user wrote an entry; a lesser right cannot remove the restriction of a greater one."""

    ADMIN = "admin"
    OWNER = "owner"
    GRANT_OPTION = "grant option"


@dataclass(frozen=True, slots=True)
class Place:
    """The object of an entry. The parts of a namespace are never joined: one may contain a dot."""

    kind: ObjectKind
    catalog: str
    namespace: tuple[str, ...] = ()
    name: str | None = None
    uuid: str | None = None  # of the table when the entry was written

    def __str__(self) -> str:
        return ".".join([self.catalog, *self.namespace, *([self.name] if self.name else [])])


@dataclass(frozen=True, slots=True)
class ColumnReference:
    name: str
    field_id: int | None = None  # Iceberg's, when the entry was written


@dataclass(frozen=True, slots=True)
class PresentTable:
    """A table that existed when FUTURE TABLES were granted."""

    name: str
    uuid: str | None


@dataclass(frozen=True, slots=True)
class Grant:
    effect: Effect
    privilege: Privilege
    place: Place
    grantee: Grantee
    grantor: str
    authority: Authority
    columns: tuple[ColumnReference, ...] = ()  # none: the whole object
    rows: BoundExpression | None = None
    masks: tuple[tuple[ColumnReference, BoundExpression], ...] = ()
    grant_option: bool = False
    present: tuple[PresentTable, ...] = ()  # with FUTURE TABLES: the tables to which it does not apply
    created: str = ""  # UTC, ISO 8601
    id: int = 0

    @property
    def restricts(self) -> bool:
        """Whether its removal can widen a user's access."""
        return self.effect is Effect.DENY or self.rows is not None or bool(self.masks)


@dataclass(frozen=True, slots=True)
class Policy:
    name: str
    kind: PolicyKind
    author: str
    authority: Authority
    place: Place | None = None  # None: on a tag
    tag: str | None = None
    columns: tuple[ColumnReference, ...] = ()
    to: tuple[Grantee, ...] = ()  # none: all users
    expression: BoundExpression | None = None
    created: str = ""

    @property
    def source(self) -> str:
        return f"grants: policy {self.name}"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change: its author, its time, and the text of the statement."""

    version: int
    at: str
    who: str
    statement: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All grants and policies at one version of the database."""

    version: str
    grants: tuple[Grant, ...] = ()
    policies: tuple[Policy, ...] = ()
    by_grantee: Mapping[Grantee, tuple[Grant, ...]] = field(init=False)

    def __post_init__(self) -> None:
        found: dict[Grantee, list[Grant]] = {}
        for grant in self.grants:
            found.setdefault(grant.grantee, []).append(grant)
        object.__setattr__(self, "by_grantee", {key: tuple(value) for key, value in found.items()})

    def policy(self, name: str) -> Policy | None:
        """Return the policy of that name; case does not matter."""
        return next((policy for policy in self.policies if policy.name.lower() == name.lower()), None)
