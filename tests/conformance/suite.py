"""All clients and all cases, for the tests and for docs/clients.md."""

from __future__ import annotations

from tests.conformance.cases import errors, metadata, prepared, results, sessions, statements, types
from tests.conformance.cases.case import Case
from tests.conformance.clients.adbc import Adbc
from tests.conformance.clients.base import Client
from tests.conformance.clients.flight_jdbc import FlightJdbc
from tests.conformance.clients.flight_raw import FlightRaw
from tests.conformance.clients.pandas_adbc import PandasAdbc
from tests.conformance.clients.pandas_trino import PandasTrino
from tests.conformance.clients.polars_adbc import Polars
from tests.conformance.clients.sqlalchemy_trino import SqlAlchemyTrino
from tests.conformance.clients.trino_cli import TrinoCli
from tests.conformance.clients.trino_jdbc import TrinoJdbc
from tests.conformance.clients.trino_python import TrinoPython

CLIENTS: tuple[type[Client], ...] = (
    Adbc,
    FlightJdbc,
    FlightRaw,
    PandasAdbc,
    Polars,
    TrinoPython,
    TrinoJdbc,
    TrinoCli,
    SqlAlchemyTrino,
    PandasTrino,
)
CASES: tuple[Case, ...] = (
    *types.CASES,
    *results.CASES,
    *errors.CASES,
    *prepared.CASES,
    *statements.CASES,
    *metadata.CASES,
    *sessions.CASES,
)
