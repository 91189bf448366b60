"""Encode bytes as base64, all values of a column in one call.

Each value is padded with zeros to a multiple of three bytes, so that the encoded values are adjacent in the encoded
column. Equal signs then overwrite the encoded padding.
"""

from __future__ import annotations

import binascii

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqe.frontends.trino.encode.fragment import TEXT, Fragment, data_bytes, quoted

_BYTES = pa.large_binary()
_PADDING = pa.array([b"", b"\0\0", b"\0"], _BYTES)  # by length modulo 3
_SIGNS = np.array([0, 2, 1])  # equal signs for each padding
_EQUAL_SIGN = ord("=")


def binaries(array: pa.Array) -> Fragment:
    return quoted(base64_texts(array))


def base64_texts(array: pa.Array) -> pa.Array:
    """Encode as large_string; nulls stay."""
    values = array.cast(pa.binary()) if pa.types.is_fixed_size_binary(array.type) else array
    values = values.cast(_BYTES).fill_null(b"")
    rest = np.remainder(pc.binary_length(values).to_numpy(zero_copy_only=False), 3)
    padded = pc.binary_join_element_wise(values, _PADDING.take(pa.array(rest)), pa.scalar(b"", _BYTES))
    encoded = np.frombuffer(binascii.b2a_base64(data_bytes(padded).tobytes(), newline=False), np.uint8).copy()
    lengths = pc.binary_length(padded).to_numpy(zero_copy_only=False)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths // 3 * 4, dtype=np.int64)])
    ends = offsets[1:]
    encoded[ends[_SIGNS[rest] > 0] - 1] = _EQUAL_SIGN
    encoded[ends[_SIGNS[rest] > 1] - 2] = _EQUAL_SIGN
    texts = pa.Array.from_buffers(TEXT, len(array), [None, pa.py_buffer(offsets), pa.py_buffer(encoded)])
    return pc.if_else(array.is_valid(), texts, pa.scalar(None, TEXT)) if array.null_count else texts
