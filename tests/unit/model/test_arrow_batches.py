"""Batches are repaired and checked where they enter the gateway."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pyarrow as pa
import pytest
from tests.support.arrow_fuzz import MISSING, NOTHING, all_empty_lists, without_buffers

from sqe.model.arrow_batches import checked, checked_in_full, with_typed_keys
from sqe.model.months import readable, readable_batch, readable_schema

SECONDS = 120.0

NESTED = [
    pa.string(),
    pa.large_binary(),
    pa.list_(pa.string()),
    pa.list_(pa.int32()),
    pa.large_list(pa.large_string()),
    pa.list_(pa.list_(pa.string())),
    pa.map_(pa.string(), pa.int32()),
    pa.map_(pa.string(), pa.list_(pa.string())),
    pa.struct([("a", pa.string()), ("b", pa.list_(pa.map_(pa.string(), pa.binary())))]),
    pa.list_(pa.list_(pa.string()), 2),
    pa.list_view(pa.string()),
    pa.dictionary(pa.int32(), pa.string()),
    pa.run_end_encoded(pa.int32(), pa.string()),
    pa.string_view(),
]


def month_type() -> pa.DataType:
    exported = ctypes.create_string_buffer(72)
    pa.field("m", pa.int32())._export_to_c(ctypes.addressof(exported))
    letters = ctypes.create_string_buffer(b"tiM")  # the C interface's name of the type
    ctypes.c_void_p.from_buffer(exported).value = ctypes.addressof(letters)
    return pa.Field._import_from_c(ctypes.addressof(exported)).type


def nulls(count: int) -> pa.Array:
    return pa.Array.from_buffers(pa.null(), count, [None])


@pytest.mark.parametrize("kind", NESTED, ids=str)
def test_an_empty_array_gets_the_buffers_that_arrow_reads(kind: pa.DataType) -> None:
    sound = checked(pa.record_batch([without_buffers(kind)], names=["x"]))
    assert sound.num_rows == 0
    assert sound.schema.field("x").type == kind
    assert sound.nbytes == 0
    assert sound.equals(pa.record_batch([pa.nulls(0, kind)], names=["x"]))


@pytest.mark.parametrize("kind", NESTED, ids=str)
def test_a_child_of_length_0_is_repaired_inside_a_batch_with_rows(kind: pa.DataType) -> None:
    sound = checked(pa.record_batch([all_empty_lists(kind, 3), pa.array([1, 2, 3])], names=["x", "y"]))
    assert sound.column("x").to_pylist() == [[], [], []]
    assert sound.column("y").to_pylist() == [1, 2, 3]
    assert sound.nbytes == 3 * 4 + 3 * 8


def test_children_are_found_below_structs_maps_and_dictionaries() -> None:
    lists = all_empty_lists(pa.list_(pa.string()), 2)
    struct = pa.StructArray.from_arrays([lists, pa.array([1, 2])], names=["l", "n"])
    entries = pa.StructArray.from_arrays([pa.array(["k", "l"]), lists], names=["key", "value"])
    offsets = pa.py_buffer(pa.array([0, 1, 2], pa.int32()).buffers()[1])
    kind = pa.map_(pa.string(), lists.type)
    mapped = pa.Array.from_buffers(kind, 2, [None, offsets], children=[entries])
    coded = pa.DictionaryArray.from_arrays(
        pa.array([None, None], pa.int8()), pa.Array.from_buffers(pa.string(), 0, [None, MISSING, NOTHING])
    )
    sound = checked(pa.record_batch([struct, mapped, coded], names=["s", "m", "d"]))
    assert sound.nbytes > 0
    assert sound.to_pylist() == [
        {"s": {"l": [], "n": 1}, "m": [("k", [])], "d": None},
        {"s": {"l": [], "n": 2}, "m": [("l", [])], "d": None},
    ]


def test_ordinary_batches_are_not_copied() -> None:
    batch = pa.record_batch([pa.array([["a"], []]), pa.array([1, 2])], names=["x", "y"])
    assert checked(batch) is batch


@pytest.mark.parametrize("rows", [0, 2])
def test_month_intervals_for_which_pyarrow_has_no_array_are_repaired(rows: int) -> None:
    lists = pa.list_(pa.list_(month_type()))
    whole = pa.record_batch([pa.array([[]] * rows, pa.list_(pa.list_(pa.int32())))], names=["x"])
    batch = readable_batch(whole, pa.schema([("x", lists)]))
    sound = checked(batch)
    assert sound.schema == batch.schema
    assert sound.num_rows == rows
    assert sound.nbytes == 4 * rows
    assert readable(sound).to_pylist() == [{"x": []}] * rows


def test_what_is_not_valid_is_refused() -> None:
    offsets = pa.py_buffer(pa.array([0, 2, 99], pa.int32()).buffers()[1])
    text = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"abc")])
    assert checked(pa.record_batch([text], names=["x"])).num_rows == 1
    inside = pa.py_buffer(pa.array([0, 99, 3], pa.int32()).buffers()[1])
    wild = pa.record_batch(
        [pa.Array.from_buffers(pa.string(), 2, [None, inside, pa.py_buffer(b"abc")])], names=["x"]
    )
    with pytest.raises(pa.ArrowInvalid):
        checked_in_full(wild)


def test_an_index_outside_of_the_dictionary_is_refused() -> None:
    coded = pa.DictionaryArray.from_arrays(pa.array([7], pa.int8()), pa.array(["a"]), safe=False)
    with pytest.raises(pa.ArrowInvalid):
        checked_in_full(pa.record_batch([coded], names=["x"]))


@pytest.mark.parametrize("depth", [0, 1])
def test_unions_are_refused_before_anything_reads_them(depth: int) -> None:
    kind: pa.DataType = pa.sparse_union([pa.field("a", pa.string())])
    for _ in range(depth):
        kind = pa.list_(pa.struct([("u", kind)]))
    with pytest.raises(pa.ArrowNotImplementedError):
        checked_in_full(pa.record_batch([pa.nulls(0, kind)], names=["x"]))


def test_rows_without_bytes_are_refused_when_there_are_very_many() -> None:
    few = pa.record_batch([nulls(1_000_000)], names=["x"])
    assert checked_in_full(few) is few
    with pytest.raises(pa.ArrowInvalid, match="values in 0 bytes"):
        checked_in_full(pa.record_batch([nulls(2**40)], names=["x"]))
    bits = pa.record_batch([nulls(2_000_000), pa.array([True] * 2_000_000)], names=["x", "y"])
    assert checked_in_full(bits) is bits


def test_values_without_bytes_are_refused_inside_one_row_too() -> None:
    offsets = pa.array([0, 2**31 - 1], pa.int32()).buffers()[1]
    lists = pa.Array.from_buffers(pa.list_(pa.null()), 1, [None, offsets], children=[nulls(2**31 - 1)])
    struct = pa.StructArray.from_arrays([lists], names=["l"])
    for array in (lists, struct):
        with pytest.raises(pa.ArrowInvalid, match="values in 0 bytes"):
            checked_in_full(pa.record_batch([array], names=["x"]))


@pytest.mark.parametrize(("mode", "seed", "count"), [("empty", 1, 40), ("empty", 2, 40), ("wrong", 3, 600)])
def test_random_batches_are_read_or_refused_and_end_no_process(mode: str, seed: int, count: int) -> None:
    command = [sys.executable, "-m", "tests.support.arrow_fuzz", mode, str(seed), str(count)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]


def void_maps(count: int) -> pa.Array:
    """As Spark's `map()` comes: keys without a type, and no entries."""
    return pa.MapArray.from_arrays(pa.array([0] * (count + 1), pa.int32()), nulls(0), nulls(0))


@pytest.mark.parametrize("count", [0, 2])
def test_keys_without_a_type_are_read_and_become_text(count: int) -> None:
    maps = void_maps(count)
    lists = pa.ListArray.from_arrays(pa.array([*range(count), count], pa.int32()), maps)
    rows = pa.StructArray.from_arrays([maps, maps], ["a", "a"])
    values = pa.MapArray.from_arrays(
        pa.array([*range(count), count], pa.int32()), pa.array(["k"] * count), maps
    )
    batch = pa.record_batch([maps, lists, rows, values, pa.array([1] * count, pa.int64())], names=[*"mlrvx"])
    assert readable_schema(batch.schema) is batch.schema
    assert readable(batch) is batch
    typed = with_typed_keys(checked(batch))
    typed.validate(full=True)
    assert typed.num_rows == count
    assert [str(kind) for kind in typed.schema.types] == [
        "map<string, null>",
        "list<item: map<string, null>>",
        "struct<a: map<string, null>, a: map<string, null>>",
        "map<string, map<string, null>>",
        "int64",
    ]
    assert typed.column("m").to_pylist() == [[]] * count
    assert typed.column("l").to_pylist() == [[[]]] * count
    assert with_typed_keys(typed) is typed


def test_keys_without_a_type_beside_months() -> None:
    kind = pa.list_(month_type())
    lists = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), pa.array([14], pa.int32()))
    batch = pa.record_batch([void_maps(1), lists], names=["m", "l"])
    schema = pa.schema([batch.schema.field("m"), pa.field("l", kind)])
    typed = with_typed_keys(readable_batch(batch, schema))
    assert str(typed.schema.field("m").type) == "map<string, null>"
    assert typed.column("l").type.value_type == readable(typed).column("l").type.value_type
