"""Convert year-month intervals, which pyarrow cannot read: it knows the type, but has no array for it.

Their bytes are those of 32-bit integers, so that a batch is exported through Arrow's C interface and imported
again with a schema that says so.
"""

from __future__ import annotations

import ctypes

import pyarrow as pa

MONTH_INTERVAL: int = pa.lib.Type_INTERVAL_MONTHS
MONTHS_EXTENSION = "sqe.months"
_ARROW_ARRAY_BYTES = 80  # sizeof(struct ArrowArray), from the C data interface


class MonthsType(pa.ExtensionType):  # type: ignore[misc]  # pyarrow has no types
    """A number of months."""

    def __init__(self) -> None:
        super().__init__(pa.int32(), MONTHS_EXTENSION)

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> MonthsType:
        return cls()


def readable_schema(schema: pa.Schema) -> pa.Schema:
    """Replace month intervals by MonthsType; return the same object when there are none."""
    fields = [field.with_type(_readable(field.type)) for field in schema]
    changed = any(new.type != old.type for new, old in zip(fields, schema, strict=True))
    return pa.schema(fields) if changed else schema


def readable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the rows with MonthsType for month intervals; the same object when there are none."""
    schema = readable_schema(batch.schema)
    return batch if schema is batch.schema else readable_batch(batch, schema)


def readable_batch(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Give a batch the schema that `readable_schema` made of its own."""
    array = ctypes.create_string_buffer(_ARROW_ARRAY_BYTES)
    batch._export_to_c(ctypes.addressof(array))  # noqa: SLF001 - the C interface has no other name in pyarrow
    return pa.RecordBatch._import_from_c(ctypes.addressof(array), schema)  # noqa: SLF001


def _readable(type_: pa.DataType) -> pa.DataType:
    """Return the same object where there are none: pyarrow cannot make all types that it reads, as that of `map()`."""
    if type_.id == MONTH_INTERVAL:
        return MonthsType()
    fields = [type_.field(place) for place in range(type_.num_fields)]
    if pa.types.is_map(type_):
        fields = [type_.key_field, type_.item_field]
    new = [field.with_type(_readable(field.type)) for field in fields]
    if all(one.type is other.type or one.type == other.type for one, other in zip(new, fields, strict=True)):
        return type_
    if pa.types.is_struct(type_):
        return pa.struct(new)
    if pa.types.is_map(type_):
        return pa.map_(*new)
    return pa.list_(new[0]) if pa.types.is_list(type_) else type_
