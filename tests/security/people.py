"""The people of the corpus at the front ends of one server; cases share sessions until one has left something in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from zoneinfo import available_timezones

import trino
from testing import people
from testing.people import Person
from testing.server import RunningServer
from tests.security.answers import Got, Refused
from tests.security.case import Dialect

CATALOG, SCHEMA = "lake", "hr"


@dataclass
class Visitor:
    """One user at one front end, speaking one dialect."""

    server: RunningServer
    user: str
    secret: str = field(repr=False)
    front_end: people.FrontEnd
    dialect: Dialect
    zones: Iterator[str]
    """At the Trino front end, sessions differ by catalog, schema and time zone."""
    _open: ExitStack = field(default_factory=ExitStack)
    _connection: Any = None

    def ask(self, sql: str) -> Got:
        try:
            return self._person.on(self._connected(), sql)
        except people.Refused as refused:
            return Refused(refused.code, refused.message)

    def renew(self) -> None:
        """The next statement has a session of its own."""
        self._open.close()
        self._connection = None

    def _connected(self) -> Any:
        if self._connection is None:
            self._connection = self._open.enter_context(self._connecting())
        return self._connection

    def _connecting(self) -> AbstractContextManager[Any]:
        if self.front_end == "flight":
            return self._person.flight_connection(self.dialect)
        return self._trino()

    @contextmanager
    def _trino(self) -> Iterator[Any]:
        with trino.dbapi.connect(  # type: ignore[no-untyped-call]
            host="localhost",
            port=self.server.port("trino"),
            http_scheme="https",
            verify=str(self.server.ca),
            user=self.user,
            auth=trino.auth.BasicAuthentication(self.user, self.secret),
            catalog=CATALOG,
            schema=SCHEMA,
            session_properties={"dialect": self.dialect},
            timezone=next(self.zones),
            request_timeout=120,
            max_attempts=1,
        ) as connection:
            yield connection

    @property
    def _person(self) -> Person:
        return Person(self.server, self.user, self.secret, catalog=CATALOG, schema=SCHEMA)


class Visitors:
    def __init__(self, server: RunningServer, secrets: Mapping[str, str]) -> None:
        self.server = server
        self._secrets = secrets
        self._known: dict[tuple[str, str, str], Visitor] = {}
        self._zones = cycle(
            sorted(zone for zone in available_timezones() if zone.startswith("A") and "/" in zone)
        )

    def visitor(self, user: str, front_end: people.FrontEnd, dialect: Dialect = "spark") -> Visitor:
        key = (user, front_end, dialect)
        if key not in self._known:
            self._known[key] = Visitor(
                self.server, user, self._secrets[user], front_end, dialect, self._zones
            )
        return self._known[key]

    def close(self) -> None:
        for visitor in self._known.values():
            visitor.renew()
