"""Encode one page of Trino's protocol, QueryResults, as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import pyarrow as pa

from sqe.frontends.trino.stats import stats
from sqe.model.query import QueryStatus
from sqe.sql.trino.types import BIGINT, TrinoType, trino_type

_INTERVAL = re.compile(r"\binterval (?:day to second|year to month)\b")
_DECIMAL = re.compile(r"\bdecimal\((\d+),(\d+)\)")


@dataclass(slots=True)
class Results:
    """The contents of a page; None values are left out."""

    status: QueryStatus
    info_uri: str
    next_uri: str | None = None
    columns: Sequence[dict[str, Any]] | None = None
    rows: bytes | None = None  # JSON, an array of rows
    segment: dict[str, Any] | None = None  # the rows as a segment instead
    error: dict[str, Any] | None = None
    warnings: list[dict[str, Any]] = field(default_factory=list)
    update_type: str | None = None
    update_count: int | None = None

    def json(self) -> bytes:
        """Encode with `columns` before `data`: clients read in one pass."""
        page: dict[str, Any] = {"id": self.status.query_id, "infoUri": self.info_uri}
        if self.next_uri is not None:
            page["nextUri"] = self.next_uri
        if self.columns is not None:
            page["columns"] = self.columns
        if self.segment is not None:
            page["data"] = self.segment
        begin = orjson.dumps(page)
        rest: dict[str, Any] = {"stats": stats(self.status, more=self.next_uri is not None)}
        if self.error is not None:
            rest["error"] = self.error
        rest["warnings"] = self.warnings
        if self.update_type is not None:
            rest["updateType"] = self.update_type
        if self.update_count is not None:
            rest["updateCount"] = self.update_count
        parts = [begin[:-1], b","]
        if self.rows is not None:
            parts += [b'"data":', self.rows, b","]
        parts.append(orjson.dumps(rest)[1:])
        return b"".join(parts)


def columns_json(schema: pa.Schema, *, parametric_datetime: bool) -> list[dict[str, Any]]:
    """Return the `columns` of a result. Raises UnsupportedError."""
    return [
        _column(
            field_.name, trino_type(field_.type, field_.metadata, parametric_datetime=parametric_datetime)
        )
        for field_ in schema
    ]


def count_column() -> list[dict[str, Any]]:
    """Return the column of statements that change rows: their count."""
    return [_column("rows", BIGINT)]


def _column(name: str, type_: TrinoType) -> dict[str, Any]:
    # Only here Trino writes a blank between precision and scale, and intervals in capitals.
    text = _DECIMAL.sub(r"decimal(\1, \2)", type_.text)
    text = _INTERVAL.sub(lambda found: found[0].upper(), text)
    return {"name": name, "type": text, "typeSignature": type_.signature}


def warning(number: int, name: str, message: str) -> dict[str, Any]:
    return {"warningCode": {"code": number, "name": name}, "message": message}
