"""pandas.read_sql through SQLAlchemy with the Trino dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
from tests.conformance.clients import arrow_values
from tests.conformance.clients.base import Ability, Client, Connection, Result, Setup
from tests.conformance.clients.sqlalchemy_trino import engine, told

READS_ONLY: dict[Ability, str] = {
    "update": "pandas only reads here",
    "describe": "pandas has no such call",
    "metadata": "pandas has no such call",
    "cancel": "pandas has no such call",
    "transactions": "pandas only reads here",
    "valid": "pandas has no such call",
    "ingest": "pandas only reads here",
    "prepared": "what pandas passes on is tested with the driver below it",
}


class PandasTrinoConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        self._engine = engine(client, setup)
        with told():
            self._own = self._engine.connect()

    def _frame(self, sql: str) -> pd.DataFrame:
        with told():
            # coerce_float would make floats of decimals; Arrow as the backend keeps what NumPy has no place for.
            return pd.read_sql(sql, self._own, coerce_float=False, dtype_backend="pyarrow")

    def query(self, sql: str) -> Result:
        return arrow_values.result(pa.Table.from_pandas(self._frame(sql), preserve_index=False))

    def scan(self, sql: str) -> tuple[int, int]:
        frame = self._frame(sql)
        return len(frame), int(frame.iloc[:, 0].sum())

    def close(self) -> None:
        with told():
            self._own.close()
            self._engine.dispose()


class PandasTrino(Client):
    name = "pandas_trino"
    title = "pandas.read_sql through SQLAlchemy"
    door = "Trino"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("ProgrammingError",)}
    lacks: ClassVar[Mapping[Ability, str]] = READS_ONLY
    tells = frozenset({"name", "position"})
    connect_example = """\
import pandas as pd

frame = pd.read_sql("SELECT * FROM trips", engine)  # SQLAlchemy's, as above
"""

    def connect(self, setup: Setup) -> Connection:
        return PandasTrinoConnection(self, setup)
