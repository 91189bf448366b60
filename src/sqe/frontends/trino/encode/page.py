"""Encode the rows of a page as a JSON array of arrays, without a loop over rows."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from sqe.frontends.trino.encode.column import fragment
from sqe.frontends.trino.encode.fragment import Style, data_bytes, join, text_scalar
from sqe.model.months import readable
from sqe.sql.trino.declared_type import DeclaredType, declared_type
from sqe.sql.trino.types import holds

_BETWEEN_ROWS = "],["


def rows_json(batches: Iterable[pa.RecordBatch], style: Style) -> bytes:
    """Encode all rows of the batches, at least one, as one array. Raises UnsupportedError."""
    parts = [_rows(readable(batch), style) for batch in batches if batch.num_rows]
    return b"[[" + b"".join(parts)[: -len(",[")] + b"]"


def _shown(field: pa.Field) -> DeclaredType | None:
    """Return the type that the functions of Trino have declared for a column."""
    declared = declared_type(field.metadata)
    return declared if declared is not None and holds(field.type, declared.type) else None


def _rows(batch: pa.RecordBatch, style: Style) -> bytes:
    """Encode rows without the first bracket, and with that of the next row at the end."""
    fragments = [
        fragment(column, style, _shown(field))
        for column, field in zip(batch.columns, batch.schema, strict=True)
    ]
    pieces: list[pa.Array | pa.Scalar] = []
    between = ""
    for part in fragments:
        between += part.prefix
        if between:
            pieces.append(text_scalar(between))
        pieces.append(part.texts)
        between = part.suffix + ","
    if not fragments:
        return (_BETWEEN_ROWS * int(batch.num_rows)).encode()
    pieces.append(text_scalar(between[:-1] + _BETWEEN_ROWS))
    return data_bytes(join(*pieces)).tobytes()
