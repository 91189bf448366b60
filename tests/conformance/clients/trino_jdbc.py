"""Trino's JDBC driver."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from tests.conformance.clients.base import Ability, Client, Connection, Failed, FrontEnds, Setup
from tests.conformance.clients.driver_process import DriverProcess
from tests.conformance.clients.jdbc import JdbcConnection
from tests.conformance.runtime import JavaClients

_PLACE = re.compile(r"\bline (\d+):(\d+): ")


def type_of(column: Mapping[str, Any]) -> str:
    return str(column["type"])


def _explain(error: Failed) -> Failed:
    # The driver keeps the place in its message, as `line 1:8: ...`, and the name in the cause's.
    place = _PLACE.search(error.message)
    return Failed(
        error.kind,
        error.message,
        sqlstate=error.sqlstate,
        line=int(place[1]) if place else None,
        column=int(place[2]) if place else None,
    )


class TrinoJdbc(Client):
    name = "trino_jdbc"
    title = "Trino JDBC driver 484"
    front_end = "Trino"
    language = "text"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("SQLException",)}
    lacks: ClassVar[Mapping[Ability, str]] = {"ingest": "JDBC has no such call"}
    tells = frozenset({"sqlstate", "position"})
    connect_example = """\
jdbc:trino://sqe.example.com:8080/iceberg/default?user=alice&password=...&SSL=true
"""

    def __init__(self, front_ends: FrontEnds, java: JavaClients) -> None:
        super().__init__(front_ends)
        self._process = DriverProcess(java, "JdbcDriver", java.trino_jdbc)

    def connect(self, setup: Setup) -> Connection:
        path = f"/{setup.catalog}" if setup.catalog else ""
        path += f"/{setup.schema}" if setup.schema else ""
        properties = {
            "user": setup.user.name,
            "password": setup.user.password,
            "SSL": "true",
            "SSLTrustStorePath": str(self.front_ends.ca),
            **({"timezone": setup.time_zone} if setup.time_zone else {}),
            **(
                {"sessionProperties": ";".join(f"{name}:{text}" for name, text in setup.properties.items())}
                if setup.properties
                else {}
            ),
        }
        url = f"jdbc:trino://localhost:{self.front_ends.trino_port}{path}"
        return JdbcConnection(self._process, url, properties, type_of, _explain)

    def close(self) -> None:
        self._process.close()

    def listed_type(self, type_: str) -> str:
        return type_  # DatabaseMetaData has the server's own names

    def shown_type(self, type_: str) -> str:
        return type_.replace(", ", ",")  # that is how it writes the arguments of types
