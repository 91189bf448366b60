"""What every result format implements, and what each is told about the place it writes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa


class Writer(Protocol):
    """Gets one result: `begin`, any number of `batch`, `end`. Not called for a statement without columns."""

    def begin(self, schema: pa.Schema) -> None: ...

    def batch(self, batch: pa.RecordBatch) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Style:
    """How values look. `null` is for people; `data_null` replaces each data format's own mark when it is given."""

    null: str = "NULL"
    data_null: str | None = None
    header: bool = True
    color: bool = False
    terminal: bool = False  # written to a screen, so that no value may carry a control character
