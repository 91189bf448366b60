"""pandas.read_sql through ADBC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
from tests.conformance.clients import adbc, arrow_values
from tests.conformance.clients.base import Ability, Client, Connection, Result, Setup
from tests.conformance.clients.flight_errors import failed
from tests.conformance.clients.pandas_trino import READS_ONLY


class PandasAdbcConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        self._own = adbc.connect(client, setup)

    def _frame(self, sql: str) -> pd.DataFrame:
        with adbc.translated_errors():
            try:
                return pd.read_sql(sql, self._own, dtype_backend="pyarrow")
            except pd.errors.DatabaseError as error:  # its own, around what the driver raised
                raise failed("DatabaseError", str(error)) from error

    def query(self, sql: str) -> Result:
        return arrow_values.result(pa.Table.from_pandas(self._frame(sql), preserve_index=False))

    def scan(self, sql: str) -> tuple[int, int]:
        frame = self._frame(sql)
        return len(frame), int(frame.iloc[:, 0].sum())

    def close(self) -> None:
        with adbc.translated_errors():
            self._own.close()


class PandasAdbc(Client):
    name = "pandas_adbc"
    title = "pandas.read_sql through ADBC"
    front_end = "Flight SQL"
    tells = frozenset({"name"})
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("DatabaseError", "ProgrammingError")}
    lacks: ClassVar[Mapping[Ability, str]] = READS_ONLY
    connect_example = """\
import pandas as pd

frame = pd.read_sql("SELECT * FROM trips", connection, dtype_backend="pyarrow")  # ADBC's, as above
"""

    def connect(self, setup: Setup) -> Connection:
        return PandasAdbcConnection(self, setup)
