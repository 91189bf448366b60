"""The JDBC driver for Flight SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tests.conformance.clients.base import Ability, Client, Connection, Failed, FrontEnds, Setup
from tests.conformance.clients.driver_process import DriverProcess
from tests.conformance.clients.flight_errors import failed
from tests.conformance.clients.jdbc import JdbcConnection
from tests.conformance.runtime import JavaClients
from tests.conformance.type_names import field, parts

_TYPES = {
    "real": "float",
    "timestamp(6)": "timestamp",
    "timestamp(6) with time zone": "timestamp_with_timezone",
    "interval day to second": "java_object",
    "interval year to month": "java_object",
    "map": "java_object",
    "row": "java_object",
    "unknown": "null",
}


def type_of(column: Mapping[str, Any]) -> str:
    name = str(column["type"]).lower()
    if name == "decimal":
        return f"decimal({column['precision']},{column['scale']})"
    return name


def _explain(error: Failed) -> Failed:
    return failed(error.kind, error.message)


class FlightJdbcConnection(JdbcConnection):
    def close(self) -> None:
        try:
            super().close()
        except Failed as error:
            # With a catalog, the driver ends its session, closes its channel, and then tries to end it once more.
            if "Channel shutdown invoked" not in error.message:
                raise


class FlightJdbc(Client):
    name = "flight_jdbc"
    title = "Flight SQL JDBC driver 18.3.0"
    front_end = "Flight SQL"
    language = "text"
    lacks: ClassVar[Mapping[Ability, str]] = {
        "schema": "the driver has a property for the catalog only; use USE",
        "zone": "the driver has no time zone; use SET TIME ZONE",
        "ingest": "JDBC has no such call",
    }
    tells = frozenset({"name"})
    # A result that breaks in the middle raises what is below JDBC.
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("SQLException", "FlightRuntimeException")}
    connect_example = """\
jdbc:arrow-flight-sql://sqe.example.com:50051?user=alice&password=...&catalog=iceberg
(with java --add-opens=java.base/java.nio=ALL-UNNAMED)
"""

    def __init__(self, front_ends: FrontEnds, java: JavaClients) -> None:
        super().__init__(front_ends)
        # Arrow's memory is outside the heap, which Java has to be told to allow.
        self._process = DriverProcess(
            java, "JdbcDriver", java.flight_jdbc, ("--add-opens=java.base/java.nio=ALL-UNNAMED",)
        )

    def connect(self, setup: Setup) -> Connection:
        properties = {
            "user": setup.user.name,
            "password": setup.user.password,
            "useEncryption": "true",
            "useSystemTrustStore": "false",
            "tlsRootCerts": str(self.front_ends.ca),
            **({"catalog": setup.catalog} if setup.catalog else {}),
            **setup.properties,
        }
        url = f"jdbc:arrow-flight-sql://localhost:{self.front_ends.flight_port}"
        return FlightJdbcConnection(self._process, url, properties, type_of, _explain)

    def close(self) -> None:
        self._process.close()

    def shown_type(self, type_: str) -> str:
        # java.sql.Types has no more: a map and a duration are objects, a timestamp has no precision.
        name, _ = parts(type_)
        return _TYPES.get(name, name)

    def listed_type(self, type_: str) -> str:
        return type_  # DatabaseMetaData has the server's own names

    def shown_parameter(self, type_: str) -> str:
        return {"bigint": "int(64, true)", "varchar": "utf8"}[type_]

    def shown_value(self, value: Any, type_: str) -> Any:
        """Rows come as maps by the names of their fields, without those that are NULL; a map inside of something as
        a list of such rows.
        """
        return self._inner(value, type_, outermost=True)

    def _inner(self, value: Any, type_: str, *, outermost: bool = False) -> Any:
        name, inner = parts(type_)
        if value is None or not inner:
            return value
        if name == "array":
            return [self._inner(item, inner[0]) for item in value]
        if name == "row":
            fields = zip(value, map(field, inner), strict=True)
            return {key: self._inner(item, kind) for item, (key, kind) in fields if item is not None}
        pairs = [(self._inner(key, inner[0]), self._inner(item, inner[1])) for key, item in value.items()]
        return dict(pairs) if outermost else [{"key": key, "value": item} for key, item in pairs]
