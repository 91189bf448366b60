"""pandas.read_sql through SQLAlchemy with the Trino dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from tests.conformance.clients import trino_python
from tests.conformance.clients.base import Ability, Client, Connection, Failed, Result, Setup
from tests.conformance.clients.sqlalchemy_trino import engine, translated_errors
from tests.conformance.values import short_real

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
        with translated_errors():
            self._own = self._engine.connect()

    def _frame(self, sql: str) -> pd.DataFrame:
        with translated_errors():
            try:
                # coerce_float would make floats of decimals.
                return pd.read_sql(sql, self._own, coerce_float=False)
            except pd.errors.DatabaseError as error:  # its own, around SQLAlchemy's
                with renamed("DatabaseError"), translated_errors():
                    raise error.__cause__ or error from None

    def query(self, sql: str) -> Result:
        frame = self._frame(sql)
        columns = [_values(frame.iloc[:, number]) for number in range(frame.shape[1])]
        # A frame has types of its own, and not those of SQL.
        types = ("",) * len(columns)
        return Result(tuple(frame.columns), types, list(zip(*columns, strict=True)))

    def scan(self, sql: str) -> tuple[int, int]:
        frame = self._frame(sql)
        return len(frame), int(frame.iloc[:, 0].sum())

    def close(self) -> None:
        with translated_errors():
            self._own.close()
            self._engine.dispose()


@contextmanager
def renamed(kind: str) -> Iterator[None]:
    try:
        yield
    except Failed as error:
        error.kind = kind
        raise


def _values(column: pd.Series) -> list[Any]:
    """Cells without what pandas and NumPy add to Python's own types."""
    if column.dtype == "float64":
        return [float(item) for item in column]
    return [None if missing else _value(item) for item, missing in zip(column, column.isna(), strict=True)]


def _value(item: Any) -> Any:
    if isinstance(item, pd.Timestamp):
        return item.to_pydatetime()
    if isinstance(item, pd.Timedelta):
        return item.to_pytimedelta()
    return trino_python.value(item.item() if isinstance(item, np.generic) else item)


class PandasTrino(Client):
    name = "pandas_trino"
    title = "pandas.read_sql through SQLAlchemy"
    front_end = "Trino"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("DatabaseError", "ProgrammingError")}
    lacks: ClassVar[Mapping[Ability, str]] = READS_ONLY
    tells = frozenset({"name", "position"})
    connect_example = """\
import numpy as np
import pandas as pd

frame = pd.read_sql("SELECT * FROM trips", engine)  # SQLAlchemy's, as above
"""

    def connect(self, setup: Setup) -> Connection:
        return PandasTrinoConnection(self, setup)

    def shown_type(self, type_: str) -> str:
        return ""

    def shown_value(self, value: Any, type_: str) -> Any:
        return short_real(value) if type_ == "real" and value is not None else value
