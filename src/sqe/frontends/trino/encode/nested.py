"""Encode arrays, maps and rows: encode their children as columns, and join them by Arrow's offsets."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from sqe.frontends.trino.encode.fragment import TEXT, Fragment, finished, join, text_scalar

Encode = Callable[[pa.Array], pa.Array]  # a column as whole JSON texts without nulls


def lists(array: pa.Array, encode: Encode) -> Fragment:
    if pa.types.is_fixed_size_list(array.type):
        array = array.cast(pa.list_(array.type.value_field))
    return finished(_joined(array, encode(_children(array, array.values))), "[", "]")


def maps(array: pa.Array, encode_key: Encode, encode: Encode) -> Fragment:
    keys, items = encode_key(_children(array, array.keys)), encode(_children(array, array.items))
    return finished(_joined(array, join(keys, text_scalar(":"), items)), "{", "}")


def rows(array: pa.Array, *encoders: Encode) -> Fragment:
    """Encode rows as lists, with one encoder for all fields or one for each; the type has the names of the fields."""
    pieces: list[pa.Array | pa.Scalar] = []
    for place, column in enumerate(array.flatten()):
        encode = encoders[place if len(encoders) > 1 else 0]
        pieces += [text_scalar(","), encode(column)] if pieces else [encode(column)]
    texts = join(*pieces) if pieces else pa.array([""] * len(array), TEXT)
    if array.null_count:
        texts = pc.if_else(array.is_valid(), texts, pa.scalar(None, TEXT))
    return finished(texts, "[", "]")


def _children(array: pa.Array, children: pa.Array) -> pa.Array:
    """Return the children of this array, which may be a slice of another."""
    first, last = _bounds(array)
    return children.slice(first, last - first)


def _joined(array: pa.Array, texts: pa.Array) -> pa.Array:
    """Join the texts of each list's children with commas; null where the list is null."""
    first, _ = _bounds(array)
    offsets = pc.subtract(array.offsets.cast(pa.int64()), first)
    joined = pc.binary_join(pa.LargeListArray.from_arrays(offsets, texts), text_scalar(","))
    return pc.if_else(array.is_valid(), joined, pa.scalar(None, TEXT)) if array.null_count else joined


def _bounds(array: pa.Array) -> tuple[int, int]:
    offsets = array.offsets
    return offsets[0].as_py(), offsets[-1].as_py()
