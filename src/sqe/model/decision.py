"""Questions to policy engines, their verdicts, and the decisions that are made of them.

A verdict that restricts holds expressions over the row, in the dialect of the policy's author. `sqe.policy`
combines the verdicts of several engines into one decision; `spark-guard` writes it into the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from sqe.model.session import Dialect


class Operation(StrEnum):
    """An operation on a resource of a catalog. The values are those on the wire to the engine."""

    # On a table or view.
    SELECT = "select"  # read rows; `Resource.metadata` names a metadata table if it is one
    INSERT = "insert"  # append rows
    UPDATE = "update"
    DELETE = "delete"  # rows by a condition
    MERGE = "merge"
    OVERWRITE = "overwrite"  # replace rows or the whole table by others
    TRUNCATE = "truncate"
    DESCRIBE = "describe"  # columns and comments
    SHOW_CREATE = "show_create"
    ANALYZE = "analyze"  # statistics
    CREATE_TABLE = "create_table"  # asked for the name that it is to have
    REPLACE_TABLE = "replace_table"
    CREATE_VIEW = "create_view"
    DROP = "drop"
    ALTER = "alter"  # columns, properties, partitions, branches, tags of snapshots
    RENAME = "rename"  # asked for the old name; CREATE_TABLE is asked for the new one
    SET_TAGS = "set_tags"  # tags of columns
    PROCEDURE = "procedure"  # maintenance of a table by CALL; `Question.procedure` names it
    # On a schema or catalog.
    CREATE_SCHEMA = "create_schema"
    DROP_SCHEMA = "drop_schema"
    ALTER_SCHEMA = "alter_schema"
    # Whether a name is shown at all in listings: catalogs, schemas, tables.
    LIST = "list"


ROW_CHANGES = frozenset(
    {
        Operation.INSERT,
        Operation.UPDATE,
        Operation.DELETE,
        Operation.MERGE,
        Operation.OVERWRITE,
        Operation.TRUNCATE,
    }
)


class Kind(StrEnum):
    """The kind of a resource."""

    CATALOG = "catalog"
    SCHEMA = "schema"
    TABLE = "table"
    VIEW = "view"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str  # as Spark writes it in DDL: `bigint`, `struct<street:string>`
    field_id: int | None = None  # Iceberg's, which stays when the column is renamed
    tags: tuple[str, ...] = ()
    now: str | None = None  # of an old state of a table: its name today, if it is still there
    moved: bool = False  # of an old state: names of fields inside of it mean other fields today
    former: tuple[str, ...] = ()  # of a dropped column: all names that it had
    in_paths: bool = False  # of a past column: its values are in partitions, and so in names of files


@dataclass(frozen=True, slots=True)
class Resource:
    kind: Kind
    catalog: str
    namespace: tuple[str, ...] = ()  # parts, never joined: a part may hold a dot
    name: str | None = None  # of a table or view
    columns: tuple[Column, ...] = ()  # of a table, where they matter
    uuid: str | None = None  # of an Iceberg table, which stays when it is renamed
    owner: str | None = None  # as the table's own property says
    metadata: str | None = None  # the metadata table that is meant: `files`, `snapshots`, ...
    ref: str | None = None  # a branch, tag, snapshot or time other than the current state
    past: tuple[Column, ...] = ()  # columns that other states of the table have, and `columns` does not

    def __str__(self) -> str:
        return ".".join([self.catalog, *self.namespace, *([self.name] if self.name else [])])


@dataclass(frozen=True, slots=True)
class Question:
    operation: Operation
    resource: Resource
    procedure: str | None = None  # with PROCEDURE


@dataclass(frozen=True, slots=True)
class Expression:
    """SQL over the columns of a row, from a policy."""

    text: str
    dialect: Dialect
    source: str  # the policy, to be shown: `grants: policy eu_only`, `opa`, `file: rule 3`
    acts_as: str | None = None  # the user that current_user() means, if not the principal's own


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of one policy engine to one question."""

    allow: bool
    source: str  # what allowed or refused: an engine's name and, if there is one, the rule's
    filters: tuple[Expression, ...] = ()  # rows have to satisfy all of them
    masks: Mapping[str, Expression] = field(default_factory=dict)  # by the column's name as in the question
    restricted: Mapping[str, str] = field(default_factory=dict)  # column -> source: as if they did not exist

    def __post_init__(self) -> None:
        if not self.allow and (self.filters or self.masks or self.restricted):
            raise ValueError("a refusal restricts nothing")


class Refusal(Enum):
    """The reason of a denial, as far as the client learns it."""

    DENIED = "denied"  # the principal may not
    UNSUPPORTED = "unsupported"  # a filter or mask restricts the principal there


@dataclass(frozen=True, slots=True)
class Decision:
    """The combined answer of all policy engines, in Spark's SQL."""

    allow: bool
    reason: str = ""  # for the client, if denied: names the operation and the table, no policy
    refusal: Refusal = Refusal.DENIED
    filter: str | None = None  # Spark SQL, boolean, over stored values
    masks: Mapping[str, str] = field(default_factory=dict)  # column -> Spark SQL over stored values
    restricted: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # for the audit and SHOW EFFECTIVE POLICY
    hides_paths: bool = False  # names of files hold values of a past column that the principal must not see

    @property
    def protected(self) -> bool:
        """Whether the principal must not see some of the stored data."""
        return self.filter is not None or bool(self.masks) or bool(self.restricted) or self.hides_paths
