"""Write the instructions that `python -m stack` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stack import accounts
from stack.configuration import Tables, as_toml

FLIGHT_PORT = 50051
TRINO_PORT = 8080
_HEADER = "# For the stack that was started together with this file; its addresses are new at each start.\n\n"


@dataclass(frozen=True, slots=True)
class Started:
    directory: Path
    config: Path
    authority: Path
    """The certificate to trust."""
    services: Mapping[str, str]
    """Name to address."""
    catalogs: Sequence[str]
    no_polaris: str | None


def server(certificate: Path, key: Path) -> Tables:
    """Return the settings of listeners with TLS: Trino's clients send no password without it."""
    return {
        "server": {
            "flight_port": FLIGHT_PORT,
            "trino_port": TRINO_PORT,
            "tls_certificate": str(certificate),
            "tls_key": str(key),
        }
    }


def configuration(tables: Tables) -> str:
    """Return the text of sqe.toml."""
    return _HEADER + as_toml(tables)


def how_to(started: Started) -> str:
    table = f"{started.catalogs[0]}.sales.orders"
    values = "(1, 'Delft', 12.50), (2, 'Leiden', 7.25)"
    create = f"CREATE TABLE {table} AS SELECT * FROM (VALUES {values}) AS t (id, city, amount)"
    trino = f"trino --server https://localhost:{TRINO_PORT} --truststore-path {started.authority} --password"
    services = {**started.services, "logs": str(started.directory)}
    missing = f"\n{started.no_polaris}\n" if started.no_polaris else ""
    return f"""\
The stack runs. Ctrl-C stops it, and everything in it is gone then.

{_table(services)}
{missing}
Accounts, with their passwords (and Keycloak's administrator: {accounts.ADMIN}, {accounts.ADMIN_PASSWORD}):
{_table({f"{user} / {one.password}": _rights(user) for user, one in accounts.PEOPLE.items()})}

SQE, in another terminal, with the configuration that was written for it and the catalogs {", ".join(started.catalogs)}:
  ./sqe --config {started.config} server

A sample table, made and read by alice with Trino's command line, which asks for the password; the catalog refuses bob:
  {trino} --user alice --execute "{create}"
  {trino} --user alice --execute "SELECT * FROM {table}"
  {trino} --user bob --execute "SELECT * FROM {table}"

The same from Python, through ADBC:
  import adbc_driver_flightsql.dbapi as flight
  options = {{
      "username": "alice",
      "password": "{accounts.ALICE.password}",
      "adbc.flight.sql.client_option.tls_root_certs": open("{started.authority}").read(),
  }}
  with flight.connect("grpc+tls://localhost:{FLIGHT_PORT}", db_kwargs=options, autocommit=True) as connection:
      with connection.cursor() as cursor:
          cursor.execute("SELECT * FROM {table}")
          print(cursor.fetch_arrow_table())

A login in the browser instead of a password, and the token that it gives:
  ./sqe --config {started.config} login
  ./sqe --config {started.config} token
"""


def _table(rows: Mapping[str, str]) -> str:
    width = max(map(len, rows))
    return "\n".join(f"  {name:<{width}}  {value}" for name, value in rows.items())


def _rights(user: str) -> str:
    names = accounts.NAMESPACES[user]
    return (
        f"has the namespaces {', '.join(names)}" if names else "has an account, and no rights in any catalog"
    )
