"""Define the tables of the database of grants, and migrate older layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
)

from sqe.errors import ConfigError

METADATA = MetaData()

# One row: every change increases `version`; `instance` differs in a restored or newly created database.
STATE = Table(
    "sqe_policy_state",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("layout", Integer, nullable=False),
    Column("instance", String(32), nullable=False),
    Column("version", Integer, nullable=False),
)

GRANTS = Table(
    "sqe_grants",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("effect", String(8), nullable=False),
    Column("privilege", String(16), nullable=False),
    Column("object_kind", String(32), nullable=False),
    Column("catalog", Text, nullable=False),
    Column("namespace", Text, nullable=False),  # JSON: its parts
    Column("name", Text),
    Column("uuid", Text),
    Column("grantee_kind", String(8), nullable=False),
    Column("grantee", Text, nullable=False),
    Column("columns", Text, nullable=False),  # JSON
    Column("rows_where", Text),  # JSON
    Column("masks", Text, nullable=False),  # JSON
    Column("grant_option", Boolean, nullable=False),
    Column("present", Text, nullable=False),  # JSON
    Column("grantor", Text, nullable=False),
    Column("authority", String(16), nullable=False),
    Column("created", String(40), nullable=False),
)

POLICIES = Table(
    "sqe_policies",
    METADATA,
    Column("name_key", Text, primary_key=True),  # in lower case
    Column("name", Text, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("object_kind", String(32)),
    Column("catalog", Text),
    Column("namespace", Text),  # JSON
    Column("object_name", Text),
    Column("uuid", Text),
    Column("tag", Text),
    Column("columns", Text, nullable=False),  # JSON
    Column("grantees", Text, nullable=False),  # JSON
    Column("expression", Text),  # JSON
    Column("author", Text, nullable=False),
    Column("authority", String(16), nullable=False),
    Column("created", String(40), nullable=False),
)

HISTORY = Table(
    "sqe_policy_history",
    METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("who", Text, nullable=False),
    Column("statement", Text, nullable=False),
)


def _first(connection: Connection) -> None:
    METADATA.create_all(connection)


# Step n migrates layout n - 1 to layout n. Never change a released step: add one.
_STEPS: Sequence[Callable[[Connection], None]] = (_first,)
LAYOUT = len(_STEPS)


def migrate(connection: Connection, instance: str) -> None:
    """Migrate the database to the current layout. The caller holds the lock of writers.

    Raises:
        ConfigError: the layout is that of a newer SQE.
    """
    found = 0
    if inspect(connection).has_table(STATE.name):
        found = connection.execute(select(STATE.c.layout)).scalar() or 0
    if found > LAYOUT:
        raise ConfigError(
            f"The database of grants has layout {found}; this SQE supports layouts up to {LAYOUT}.",
            hint="Run the newer SQE that created this layout.",
        )
    for step in _STEPS[found:]:
        step(connection)
    if found == 0:
        connection.execute(insert(STATE).values(id=1, layout=LAYOUT, instance=instance, version=0))
    elif found < LAYOUT:
        connection.execute(STATE.update().values(layout=LAYOUT))
