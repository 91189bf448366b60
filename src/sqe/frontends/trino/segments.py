"""Encode pages as compressed inline segments of Trino's spooling protocol, for clients that accept them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

_CODECS = {"json+zstd": "zstd", "json+lz4": "lz4_raw", "json": None}  # Trino's name, Arrow's
_SMALL = 8192  # bytes, below which compressing is not worth it


def choose(offered: Sequence[str]) -> str | None:
    """Return the first of the offered encodings that is supported; None: plain rows."""
    return next((encoding for encoding in offered if encoding in _CODECS), None)


def segment_data(rows: bytes, count: int, offset: int, encoding: str) -> dict[str, Any]:
    """Return the `data` of a page: one segment with these rows, the first of which has the number `offset`."""
    metadata = {"rowOffset": offset, "rowsCount": count, "segmentSize": len(rows)}
    codec = _CODECS[encoding]
    if codec is not None and len(rows) > _SMALL:
        compressed = pa.compress(rows, codec=codec, asbytes=True)
        if len(compressed) < len(rows):  # a segment without an uncompressed size is not compressed
            metadata |= {"segmentSize": len(compressed), "uncompressedSize": len(rows)}
            rows = compressed
    data = base64.b64encode(rows).decode("ascii")
    return {
        "encoding": encoding,
        "metadata": {},
        "segments": [{"type": "inline", "data": data, "metadata": metadata}],
    }
