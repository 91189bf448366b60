"""The types of parsed statements about access: privileges, objects, grantees, and one class for each statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqe.errors import Position


class Privilege(StrEnum):
    SELECT = "SELECT"
    INSERT = "INSERT"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    CREATE = "CREATE"  # tables, views and schemas in a schema or catalog
    DROP = "DROP"
    ALTER = "ALTER"
    ALL = "ALL PRIVILEGES"


class ObjectKind(StrEnum):
    TABLE = "TABLE"
    VIEW = "VIEW"
    SCHEMA = "SCHEMA"
    CATALOG = "CATALOG"
    ALL_TABLES = "ALL TABLES IN SCHEMA"
    FUTURE_TABLES = "FUTURE TABLES IN SCHEMA"


class GranteeKind(StrEnum):
    USER = "USER"
    ROLE = "ROLE"
    GROUP = "GROUP"


class PolicyKind(StrEnum):
    ROW_FILTER = "ROW FILTER"
    COLUMN_MASK = "COLUMN MASK"
    RESTRICT_COLUMNS = "RESTRICT COLUMNS"


@dataclass(frozen=True, slots=True)
class Grantee:
    kind: GranteeKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Securable:
    """The object of a statement, with its name as written: missing parts are those of the session."""

    kind: ObjectKind
    name: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpressionText:
    """The text of an expression, and its position in the statement."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class GrantStatement:
    privileges: tuple[Privilege, ...]
    on: Securable
    to: Grantee
    columns: tuple[str, ...] = ()  # of SELECT; none: all of them
    rows: ExpressionText | None = None
    masks: tuple[tuple[str, ExpressionText], ...] = ()
    grant_option: bool = False


@dataclass(frozen=True, slots=True)
class DenyStatement:
    privileges: tuple[Privilege, ...]
    on: Securable
    to: Grantee
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RevokeStatement:
    privileges: tuple[Privilege, ...]
    on: Securable
    origin: Grantee
    columns: tuple[str, ...] = ()
    only_grant_option: bool = False


@dataclass(frozen=True, slots=True)
class CreatePolicy:
    name: str
    kind: PolicyKind
    on: Securable | None  # None: on a tag
    tag: str | None = None
    columns: tuple[str, ...] = ()
    to: tuple[Grantee, ...] = ()  # none: all users
    expression: ExpressionText | None = None  # None with RESTRICT_COLUMNS
    replace: bool = False


@dataclass(frozen=True, slots=True)
class DropPolicy:
    name: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class SetTags:
    table: tuple[str, ...]
    tags: tuple[tuple[str, tuple[str, ...]], ...]  # column, its tags


@dataclass(frozen=True, slots=True)
class UnsetTags:
    table: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrincipalSpec:
    """The user, roles and groups that a statement asks about. For another user, missing roles and groups mean none."""

    user: str
    roles: tuple[str, ...] | None = None
    groups: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ShowGrants:
    on: Securable | None = None
    to: Grantee | None = None


@dataclass(frozen=True, slots=True)
class ShowEffectiveGrants:
    principal: PrincipalSpec | None = None
    on: Securable | None = None


@dataclass(frozen=True, slots=True)
class ShowEffectivePolicy:
    on: Securable
    principal: PrincipalSpec | None = None


@dataclass(frozen=True, slots=True)
class CheckAccess:
    privilege: Privilege
    on: Securable
    principal: PrincipalSpec


@dataclass(frozen=True, slots=True)
class ShowPolicies:
    on: Securable | None = None


PolicyStatement = (
    GrantStatement
    | DenyStatement
    | RevokeStatement
    | CreatePolicy
    | DropPolicy
    | SetTags
    | UnsetTags
    | ShowGrants
    | ShowEffectiveGrants
    | ShowEffectivePolicy
    | CheckAccess
    | ShowPolicies
)

UPDATE_TYPES: Mapping[type, str | None] = {
    GrantStatement: "GRANT",
    DenyStatement: "DENY",
    RevokeStatement: "REVOKE",
    CreatePolicy: "CREATE POLICY",
    DropPolicy: "DROP POLICY",
    SetTags: "SET TAGS",
    UnsetTags: "UNSET TAGS",
    ShowGrants: None,
    ShowEffectiveGrants: None,
    ShowEffectivePolicy: None,
    CheckAccess: None,
    ShowPolicies: None,
}
"""The `updateType` of each statement; None for those that return rows."""
