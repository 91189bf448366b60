"""Repair and check Arrow batches where they enter the gateway.

Arrow allows an array of length 0 to have offset buffers of 0 bytes, and Spark sends such arrays: for a result without
rows, and below lists that are all empty. Arrow's C++ library reads their first offset nevertheless (`nbytes`, slices,
IPC), which ends the process with a segmentation fault. `checked` gives every array of length 0 buffers that can be
read. It does so in the structures of Arrow's C interface, which are the same for all types; no values are copied.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import pyarrow as pa

from sqe.model.months import readable

_VALUES_WITHOUT_BYTES = 1_000_000  # that a client may send in one array
_ZEROS = ctypes.create_string_buffer(64)  # an offset, a view or a run end, of whatever width


class _ArrowArray(ctypes.Structure):
    """`struct ArrowArray` of Arrow's C data interface."""


_ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowArray))),
    ("dictionary", ctypes.POINTER(_ArrowArray)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


def checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Check the sizes of a batch's buffers, and return it with readable ones at every depth.

    That takes no longer for more rows. Returns the same object when there is nothing to repair.

    Raises:
        pa.ArrowException: it is not valid, or has a union.
    """
    for kind in batch.schema.types:
        _refuse_unions(kind)
    batch.validate()  # first: the C interface has no sizes, so that Arrow would believe the lengths
    if batch.num_rows and not any(map(_has_children, batch.schema.types)):
        return batch
    exported = _ArrowArray()
    batch._export_to_c(ctypes.addressof(exported))  # noqa: SLF001 - the C interface has no other name in pyarrow
    filled = _fill(exported)
    imported = pa.RecordBatch._import_from_c(ctypes.addressof(exported), batch.schema)  # noqa: SLF001
    return imported if filled else batch


def with_typed_keys(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with keys of text in the place of keys without a type; the same object when there are none.

    Spark's `map()` has such keys, and no entries. pyarrow and most clients cannot make the type.

    Raises:
        pa.ArrowException: the batch has both such keys and values that cannot be cast.
    """
    if not any(map(_has_void_keys, batch.schema.types)):
        return batch
    batch = readable(batch)
    fields = [field.with_type(_typed_keys(field.type)) for field in batch.schema]
    arrays = [
        array if array.type == field.type else array.cast(field.type)
        for array, field in zip(batch.columns, fields, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, batch.schema.metadata))


def _has_void_keys(kind: pa.DataType) -> bool:
    if pa.types.is_map(kind) and pa.types.is_null(kind.key_type):
        return True
    return any(_has_void_keys(kind.field(place).type) for place in range(kind.num_fields))


def _typed_keys(kind: pa.DataType) -> pa.DataType:
    if not _has_void_keys(kind):
        return kind
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_typed_keys(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_typed_keys(kind.value_type)))
    if pa.types.is_map(kind):
        key = pa.string() if pa.types.is_null(kind.key_type) else _typed_keys(kind.key_type)
        value = _typed_keys(kind.item_type)
        nullable = kind.item_field.nullable or pa.types.is_null(value)  # as the engine describes it
        item = pa.field(kind.item_field.name, value, nullable, kind.item_field.metadata)
        return pa.map_(pa.field(kind.key_field.name, key, nullable=False), item)
    return kind


def checked_in_full(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Check every value of a batch from a client, so that none points outside of its buffers.

    Raises:
        pa.ArrowException: it is not valid, or claims more values than its bytes can hold.
    """
    batch = checked(batch)
    batch.validate(full=True)
    _refuse_hollow(batch.num_rows, batch.nbytes)
    if any(map(_has_children, batch.schema.types)):
        for column in readable(batch).columns:
            _refuse_hollow_children(column)
    return batch


def _fill(array: _ArrowArray) -> bool:
    """Give arrays of length 0 buffers that can be read; return whether there were any."""
    filled = False
    if array.length == 0 and array.offset == 0:
        for place in range(1, array.n_buffers):  # the first tells which values are null, and may be missing
            array.buffers[place] = ctypes.addressof(_ZEROS)
            filled = True
    for place in range(array.n_children):
        filled |= _fill(array.children[place].contents)
    if array.dictionary:
        filled |= _fill(array.dictionary.contents)
    return filled


def _refuse_hollow(values: int, size: int) -> None:
    """Refuse very many values in no bytes: nulls, runs and empty structs need none, so that a message can have 2^62."""
    if values > _VALUES_WITHOUT_BYTES and size * 8 < values:
        raise pa.ArrowInvalid(f"{values} values in {size} bytes")


def _refuse_hollow_children(array: pa.Array) -> None:
    if _has_children(array.type):
        for child in _children(array):
            _refuse_hollow(len(child), child.nbytes)
            _refuse_hollow_children(child)


def _refuse_unions(kind: pa.DataType) -> None:
    """Refuse unions, which neither Spark nor Trino has, and which Arrow itself cannot check without rows."""
    if pa.types.is_union(kind):
        raise pa.ArrowNotImplementedError(f"The type {kind} is not supported.")
    if isinstance(kind, pa.BaseExtensionType):
        _refuse_unions(kind.storage_type)
    elif pa.types.is_dictionary(kind):
        _refuse_unions(kind.value_type)
    else:
        for place in range(kind.num_fields):
            _refuse_unions(kind.field(place).type)


def _has_children(kind: pa.DataType) -> bool:
    return kind.num_fields > 0 or pa.types.is_dictionary(kind) or isinstance(kind, pa.BaseExtensionType)


def _children(array: pa.Array) -> Sequence[pa.Array]:
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return [array.storage]
    if pa.types.is_dictionary(kind):
        return [array.dictionary]
    if pa.types.is_struct(kind):
        return [array.field(place) for place in range(kind.num_fields)]
    if pa.types.is_run_end_encoded(kind):
        return [array.run_ends, array.values]
    return [array.values]
