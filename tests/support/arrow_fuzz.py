"""Send Arrow batches with missing offset buffers, or with wrong bytes, through everything that reads batches.

`python -m tests.support.arrow_fuzz MODE SEED COUNT` is a process of its own: what it looks for ends the process.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sqe.cli.output.formats import FORMATS, make_writer
from sqe.cli.output.formats import Style as CliStyle
from sqe.cli.output.sink import Sink
from sqe.engine.plans import rows
from sqe.errors import SqeError
from sqe.frontends.flight.columns import conformed, described
from sqe.frontends.flight.prepared import read_rows
from sqe.frontends.trino.encode.fragment import Style
from sqe.frontends.trino.encode.page import rows_json
from sqe.model.arrow_batches import checked, checked_in_full
from sqe.model.months import readable_schema
from sqe.service.buffer import SpillFile

MISSING = pa.foreign_buffer(0, 0)  # what Arrow makes of a buffer of 0 bytes in a message: no address at all
NOTHING = pa.py_buffer(b"")

LEAVES = (
    pa.int32(),
    pa.bool_(),
    pa.string(),
    pa.binary(),
    pa.large_string(),
    pa.large_binary(),
    pa.decimal128(20, 3),
    pa.timestamp("us", "UTC"),
    pa.date32(),
    pa.int64(),
    pa.duration("us"),
    pa.null(),
)
# What the front ends cannot show, but a client can upload.
UNUSUAL_LEAVES = (
    pa.string_view(),
    pa.binary_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.month_day_nano_interval(),
)


def random_type(chance: random.Random, depth: int, leaves: tuple[pa.DataType, ...]) -> pa.DataType:
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(leaves)
    inner = random_type(chance, depth - 1, leaves)
    match chance.randrange(5):
        case 0:
            return pa.list_(inner)
        case 1:
            return pa.large_list(inner)
        case 2:
            return pa.map_(pa.string(), inner)
        case 3:
            return pa.list_(inner, 2)
        case _:
            return pa.struct([("a", inner), ("b", random_type(chance, depth - 1, leaves))])


def engine_types(chance: random.Random, depth: int) -> pa.DataType:
    """A type that Spark sends."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(LEAVES[:4] + LEAVES[6:])
    inner = engine_types(chance, depth - 1)
    match chance.randrange(3):
        case 0:
            return pa.list_(inner)
        case 1:
            return pa.map_(pa.string(), inner)
        case _:
            return pa.struct([("a", inner), ("b", engine_types(chance, depth - 1))])


def without_buffers(kind: pa.DataType) -> pa.Array:
    """An array of length 0 as Spark sends it: with offset buffers of 0 bytes."""
    if pa.types.is_map(kind):
        entries = without_buffers(pa.struct([kind.key_field, kind.item_field]))
        return pa.Array.from_buffers(kind, 0, [None, MISSING], children=[entries])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.Array.from_buffers(kind, 0, [None, MISSING], children=[without_buffers(kind.value_type)])
    if pa.types.is_fixed_size_list(kind):
        return pa.Array.from_buffers(kind, 0, [None], children=[without_buffers(kind.value_type)])
    if pa.types.is_struct(kind):
        return pa.Array.from_buffers(kind, 0, [None], children=[without_buffers(each.type) for each in kind])
    if kind in (pa.string(), pa.binary(), pa.large_string(), pa.large_binary()):
        return pa.Array.from_buffers(kind, 0, [None, MISSING, NOTHING])
    return pa.nulls(0, kind)


def all_empty_lists(kind: pa.DataType, count: int) -> pa.Array:
    """Rows whose only child has length 0."""
    offsets = pa.py_buffer(bytes(4 * (count + 1)))
    return pa.Array.from_buffers(pa.list_(kind), count, [None, offsets], children=[without_buffers(kind)])


def read_everywhere(batch: pa.RecordBatch) -> None:
    """Do with a batch what the gateway and the shell do."""
    assert batch.nbytes >= 0
    for start in {0, batch.num_rows // 2, batch.num_rows}:
        assert batch.slice(start).nbytes >= 0
    pa.Table.from_batches([batch, batch.slice(0, batch.num_rows // 2)]).combine_chunks()
    columns = described(batch.schema)
    sent = io.BytesIO()
    with pa.ipc.new_stream(sent, columns) as writer:
        writer.write_batch(conformed(batch, columns))
    with tempfile.TemporaryDirectory() as directory:
        spilled = SpillFile(Path(directory), batch.schema)
        spilled.append(batch)
        assert spilled.pop().nbytes >= 0
        spilled.close()
    with contextlib.suppress(SqeError):  # a type that Trino does not have
        rows_json([batch], Style())
    with Path(os.devnull).open("wb") as nowhere:
        for name in FORMATS:
            written = make_writer(name, Sink(nowhere.fileno()), CliStyle())
            written.begin(readable_schema(batch.schema))
            written.batch(batch)
            written.end()


def take_as_upload(batch: pa.RecordBatch) -> None:
    """Do with a batch what ingestion and the binding of parameters do."""
    assert batch.nbytes >= 0
    for row in read_rows([batch]):
        for value in row:
            assert value.is_valid in (True, False)
    table = pa.Table.from_batches([batch])
    try:
        rows(table)
        pq.write_table(table, io.BytesIO())
    except (SqeError, pa.ArrowException):
        pass  # refused


def empty_batches(seed: int, count: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        kind = engine_types(chance, 4)
        for array in (without_buffers(kind), all_empty_lists(kind, 3)):
            batch = pa.record_batch([array, pa.nulls(len(array), pa.int32())], names=["x", "y"])
            sound = checked(batch)
            assert sound.schema == batch.schema
            assert sound.num_rows == batch.num_rows
            read_everywhere(sound)


def wrong_bytes(seed: int, count: int) -> None:
    """Overwrite bytes of valid batches, as a hostile client can: each is refused or can be read."""
    chance = random.Random(seed)
    refused = 0
    for _ in range(count):
        kind = random_type(chance, 3, LEAVES + UNUSUAL_LEAVES)
        values = _values(chance, kind, chance.randrange(1, 6))
        batch = pa.record_batch([pa.array(values, kind)], names=["x"])
        sent = bytearray(_message(batch))
        body = len(sent) // 2
        for _ in range(chance.randrange(1, 12)):
            sent[chance.randrange(body, len(sent))] = chance.choice(
                (0, 1, 127, 128, 255, chance.randrange(256))
            )
        try:
            with pa.ipc.open_stream(bytes(sent)) as reader:
                for got in reader:
                    take_as_upload(checked_in_full(got))
        except (pa.ArrowException, OSError):
            refused += 1
    assert 0 < refused < count, refused  # else it shows nothing


def _message(batch: pa.RecordBatch) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def _values(chance: random.Random, kind: pa.DataType, count: int) -> list[object]:
    return [None if chance.random() < 0.1 else _value(chance, kind) for _ in range(count)]


def _value(chance: random.Random, kind: pa.DataType) -> object:
    if pa.types.is_map(kind):
        return [(f"k{place}", _value(chance, kind.item_type)) for place in range(chance.randrange(3))]
    if pa.types.is_fixed_size_list(kind):
        return _values(chance, kind.value_type, kind.list_size)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _values(chance, kind.value_type, chance.randrange(3))
    if pa.types.is_struct(kind):
        return {each.name: _value(chance, each.type) for each in kind}
    if pa.types.is_dictionary(kind):
        return _value(chance, kind.value_type)
    if "string" in str(kind):
        return "é" * chance.randrange(20)
    if "binary" in str(kind):
        return bytes(chance.randrange(20))
    if pa.types.is_null(kind) or pa.types.is_interval(kind):
        return None
    if kind == pa.bool_():
        return chance.random() < 0.5
    return chance.randrange(99)


if __name__ == "__main__":
    {"empty": empty_batches, "wrong": wrong_bytes}[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
