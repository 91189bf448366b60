"""The context of a conformance case: one client, and the server that all clients share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from testing.command import until
from testing.server import RunningServer
from tests.conformance.clients.base import ALICE, Client, Connection, FrontEnds, Setup, User
from tests.conformance.gaps import NotOffered

CATALOG = "iceberg"
OTHER_CATALOG = "lake"
SHARED = "conformance"
"""The schema, in both catalogs, with tables that every case may read and none may change."""

# The tables that are there before the first case.
TABLES = (
    f"CREATE SCHEMA {CATALOG}.{SHARED}",
    f"CREATE SCHEMA {OTHER_CATALOG}.{SHARED}",
    f"CREATE TABLE {CATALOG}.{SHARED}.trips (id bigint, city varchar, km double)",
    f"INSERT INTO {CATALOG}.{SHARED}.trips VALUES (1, 'Delft', 3.2E0), (2, 'Leiden', 18.5E0), (3, 'Delft', NULL)",
    f"CREATE VIEW {CATALOG}.{SHARED}.far AS SELECT id, city FROM {CATALOG}.{SHARED}.trips WHERE km > 10",
    f"""CREATE TABLE {CATALOG}.{SHARED}.typed (
        c_boolean boolean, c_integer integer, c_bigint bigint, c_real real, c_double double,
        c_decimal decimal(38,18), c_varchar varchar, c_varbinary varbinary, c_date date,
        c_timestamp timestamp(6), c_zoned timestamp(6) with time zone,
        c_array array(integer), c_map map(varchar, integer), c_row row(a integer, b varchar))""",
    f"CREATE TABLE {OTHER_CATALOG}.{SHARED}.cities (city varchar, visitors integer)",
    f"INSERT INTO {OTHER_CATALOG}.{SHARED}.cities VALUES ('Delft', 1200), ('Leiden', 3400)",
)

# Runs for minutes on any machine, on every core, and can only end by being stopped.
ENDLESS = "SELECT count(*) FROM range(100000000000) AS a WHERE hash(a.id) = 1 AND hash(a.id + 1) = 2"


@dataclass
class CaseContext:
    client: Client
    server: RunningServer
    front_ends: FrontEnds
    own_schema: str
    """In CATALOG; this client's, to make tables in."""
    setting_up: Connection
    """Another client, for what a case needs to be there and cannot make through a client that only reads."""
    _connection: Connection | None = field(default=None)

    @property
    def connection(self) -> Connection:
        """One that cases share which leave it as it was."""
        if self._connection is None:
            self._connection = self.client.connect(Setup())
        return self._connection

    def connect(
        self,
        user: User = ALICE,
        *,
        catalog: str | None = None,
        schema: str | None = None,
        properties: Mapping[str, str] | None = None,
        time_zone: str | None = None,
    ) -> Connection:
        self._refuse_what_it_lacks(schema=schema, properties=properties, zone=time_zone)
        return self.client.connect(Setup(user, catalog, schema, properties or {}, time_zone))

    def session(
        self, user: User = ALICE, *, catalog: str | None = None, schema: str | None = None
    ) -> Connection:
        """A connection that remembers, from one statement to the next."""
        self._refuse_what_it_lacks(keeps=True, schema=schema)
        return self.client.connect(Setup(user, catalog, schema))

    def _refuse_what_it_lacks(self, **wanted: object) -> None:
        for ability, value in wanted.items():
            if value and ability in self.client.lacks:
                raise NotOffered(ability)

    def own(self, table: str) -> str:
        """The name of a table of this client's own."""
        return f"{CATALOG}.{self.own_schema}.{table}"

    def metric(self, name: str) -> float:
        status, text = self.server.get(f"{self.server.metrics}/metrics")
        assert status == 200, text
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        assert found, f"there is no metric {name}"
        return float(found[1])

    def wait_for_running(self, count: int, seconds: float = 60.0) -> None:
        """Until at least so many queries run, or none when it is 0."""

        def reached() -> bool:
            running = self.metric("sqe_queries_running")
            return running >= count if count else running == 0

        until(reached, f"{count} queries run", seconds)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
