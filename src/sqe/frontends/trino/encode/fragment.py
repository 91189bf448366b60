"""Fragments: the JSON of a column, one text for each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

TEXT = pa.large_string()  # 64-bit offsets: no page is too big to join
EMPTY = pa.scalar("", TEXT)
NULL = "null"


@dataclass(frozen=True, slots=True)
class Style:
    """The client's capabilities, and the time zone of instants."""

    zone: str | None = None  # of instants, as `zones.canonical` writes it; None: that of the column
    parametric_datetime: bool = True  # False: times and timestamps have three digits of a second, and no more


@dataclass(frozen=True, slots=True)
class Fragment:
    """JSON texts with a common prefix and suffix.

    The page joins both with the separators of columns, which saves a pass over the column.
    """

    texts: pa.Array  # large_string without nulls
    prefix: str = ""
    suffix: str = ""

    def whole(self) -> pa.Array:
        """Return the texts with prefix and suffix."""
        if not self.prefix and not self.suffix:
            return self.texts
        return join(text_scalar(self.prefix), self.texts, text_scalar(self.suffix))


def finished(texts: pa.Array, prefix: str = "", suffix: str = "") -> Fragment:
    """Return a fragment of texts that may be null: SQL's NULL is JSON's null, without prefix and suffix."""
    if not texts.null_count:
        return Fragment(texts, prefix, suffix)
    return Fragment(Fragment(texts, prefix, suffix).whole().fill_null(NULL))


def quoted(texts: pa.Array) -> Fragment:
    """Return a fragment of strings in which nothing needs an escape."""
    return finished(texts, '"', '"')


def join(*pieces: pa.Array | pa.Scalar) -> pa.Array:
    """Concatenate row by row; a null in any piece makes null."""
    return pc.binary_join_element_wise(*pieces, EMPTY)


def text_scalar(text: str) -> pa.Scalar:
    return pa.scalar(text, TEXT)


def data_bytes(array: pa.Array) -> npt.NDArray[np.uint8]:
    """Return the concatenated bytes of a large_string or large_binary array."""
    _, offsets, data = array.buffers()
    if len(array) == 0 or data is None:
        return np.empty(0, np.uint8)
    ends = np.frombuffer(offsets, np.int64)
    return np.frombuffer(data, np.uint8)[ends[array.offset] : ends[array.offset + len(array)]]
