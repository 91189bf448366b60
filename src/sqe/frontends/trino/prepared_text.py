"""Encode prepared statements for headers. Trino compresses long ones; its clients send them back unchanged."""

from __future__ import annotations

import base64
import binascii

import zstandard

from sqe.frontends.trino.endpoint import Refusal

_PREFIX = "$zstd:"  # no SQL begins with a dollar
_LONG = 2048  # characters from which on compression is tried
_WORTH = 512  # characters that compression must save


def encode(sql: str) -> str:
    if len(sql) < _LONG:
        return sql
    compressed = zstandard.ZstdCompressor().compress(sql.encode())
    packed = _PREFIX + base64.urlsafe_b64encode(compressed).decode("ascii")
    return packed if len(packed) + _WORTH <= len(sql) else sql


def decode(text: str, longest: int) -> str:
    """Undo `encode`. Raises Refusal for a text of more than `longest` bytes, without decompressing it."""
    if not text.startswith(_PREFIX):
        return text
    encoded = text.removeprefix(_PREFIX)
    try:
        data = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
        size = zstandard.frame_content_size(data)
        if size > longest:
            raise Refusal(400, "A prepared statement is too long.")
        # A frame without a size is decompressed only up to the limit.
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=longest).decode()
    except (binascii.Error, zstandard.ZstdError, UnicodeDecodeError):
        raise Refusal(400, "A prepared statement is damaged.") from None
