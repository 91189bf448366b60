"""A column on its way into a page: one piece of JSON for each row."""

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
    """What a client is able to read, and how it wants to see instants."""

    zone: str | None = (
        None  # in which instants are shown, as `zones.canonical` spells it; None: that of the column
    )
    parametric_datetime: bool = True  # False: times and timestamps have three digits of a second, and no more


@dataclass(frozen=True, slots=True)
class Fragment:
    """JSON texts that have all the same beginning and end.

    What they have in common is joined with what stands between columns, which spares a pass over the column.
    """

    texts: pa.Array  # large_string without nulls
    prefix: str = ""
    suffix: str = ""

    def whole(self) -> pa.Array:
        """The texts with beginning and end."""
        if not self.prefix and not self.suffix:
            return self.texts
        return join(text_scalar(self.prefix), self.texts, text_scalar(self.suffix))


def finished(texts: pa.Array, prefix: str = "", suffix: str = "") -> Fragment:
    """Make a fragment of texts that may be null: SQL's NULL is JSON's null, without quotes or brackets."""
    if not texts.null_count:
        return Fragment(texts, prefix, suffix)
    return Fragment(Fragment(texts, prefix, suffix).whole().fill_null(NULL))


def quoted(texts: pa.Array) -> Fragment:
    """For texts in which nothing needs an escape."""
    return finished(texts, '"', '"')


def join(*pieces: pa.Array | pa.Scalar) -> pa.Array:
    """Concatenate row by row; a null in any piece makes null."""
    return pc.binary_join_element_wise(*pieces, EMPTY)


def text_scalar(text: str) -> pa.Scalar:
    return pa.scalar(text, TEXT)


def data_bytes(array: pa.Array) -> npt.NDArray[np.uint8]:
    """The bytes of all values of a large_string or large_binary array, one after the other."""
    _, offsets, data = array.buffers()
    if len(array) == 0 or data is None:
        return np.empty(0, np.uint8)
    ends = np.frombuffer(offsets, np.int64)
    return np.frombuffer(data, np.uint8)[ends[array.offset] : ends[array.offset + len(array)]]
