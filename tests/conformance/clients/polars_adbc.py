"""polars.read_database through ADBC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import polars as pl
from tests.conformance.clients import adbc, arrow_values
from tests.conformance.clients.base import Ability, Client, Connection, Result, Setup
from tests.conformance.clients.flight_errors import failed
from tests.conformance.clients.pandas_trino import READS_ONLY


class PolarsConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        self._own = adbc.connect(client, setup)

    def _frame(self, sql: str) -> pl.DataFrame:
        with adbc.translated_errors():
            try:
                return pl.read_database(sql, self._own)
            except pl.exceptions.ComputeError as error:  # its own, around what broke the stream
                raise failed("ComputeError", str(error)) from error

    def query(self, sql: str) -> Result:
        return arrow_values.result(self._frame(sql).to_arrow())

    def scan(self, sql: str) -> tuple[int, int]:
        frame = self._frame(sql)
        return frame.height, int(frame.to_series(0).sum() or 0)

    def close(self) -> None:
        with adbc.translated_errors():
            self._own.close()


class Polars(Client):
    name = "polars"
    title = "polars.read_database through ADBC"
    front_end = "Flight SQL"
    tells = frozenset({"name"})
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("ProgrammingError", "ComputeError")}
    lacks: ClassVar[Mapping[Ability, str]] = {
        ability: reason.replace("pandas", "polars") for ability, reason in READS_ONLY.items()
    }
    connect_example = """\
import polars as pl

frame = pl.read_database("SELECT * FROM trips", connection)  # ADBC's, as above
"""

    def connect(self, setup: Setup) -> Connection:
        return PolarsConnection(self, setup)
