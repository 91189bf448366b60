from __future__ import annotations

import threading
from pathlib import Path

import pyarrow as pa
import pytest
from tests.fakes.engine import NUMBERS, batch

from sqe.errors import FileAccessError, SqeError
from sqe.service.buffer import ResultBuffer, SpillSpace

SECONDS = 120.0


def numbers(buffer: ResultBuffer) -> list[int]:
    found: list[int] = []
    more = True
    while more:
        more, taken = buffer.take(SECONDS)
        if taken is not None:
            found += taken.column(0).to_pylist()
    return found


def fill(buffer: ResultBuffer, count: int) -> None:
    buffer.put_schema(NUMBERS)
    for number in range(count):
        assert buffer.put(batch(number))


def test_without_space_a_full_buffer_makes_the_writer_wait() -> None:
    buffer = ResultBuffer(capacity=16)
    fill(buffer, 2)
    third = threading.Thread(target=lambda: buffer.put(batch(2)), daemon=True)
    third.start()
    third.join(0.2)
    assert third.is_alive()
    buffer.take(SECONDS)
    third.join(SECONDS)
    assert not third.is_alive()


def test_with_space_the_writer_goes_on_and_nothing_is_lost_or_reordered(tmp_path: Path) -> None:
    buffer = ResultBuffer(capacity=64, space=SpillSpace(tmp_path, 10_000_000))
    fill(buffer, 1000)  # in this thread: it would hang if it had to wait
    buffer.end()
    assert numbers(buffer) == list(range(1000))


def test_a_reader_that_catches_up_is_served_from_memory_again(tmp_path: Path) -> None:
    buffer = ResultBuffer(capacity=16, space=SpillSpace(tmp_path, 10_000_000))
    fill(buffer, 10)
    first = [buffer.take(SECONDS)[1] for _ in range(10)]
    for number in range(10, 30):
        buffer.put(batch(number))
    buffer.end()
    assert [value for taken in first if taken for value in taken.column(0).to_pylist()] == list(range(10))
    assert numbers(buffer) == list(range(10, 30))


def test_the_file_has_no_name_that_anybody_could_open(tmp_path: Path) -> None:
    buffer = ResultBuffer(capacity=16, space=SpillSpace(tmp_path, 10_000_000))
    fill(buffer, 100)
    assert list(tmp_path.iterdir()) == []
    buffer.discard()
    assert buffer.take(0) == (False, None)


def test_a_full_file_makes_the_writer_wait_too(tmp_path: Path) -> None:
    buffer = ResultBuffer(capacity=16, space=SpillSpace(tmp_path, 1))
    fill(buffer, 3)  # two in memory, one in the file, which is then over its limit
    fourth = threading.Thread(target=lambda: buffer.put(batch(3)), daemon=True)
    fourth.start()
    fourth.join(0.2)
    assert fourth.is_alive()
    assert [buffer.take(SECONDS)[1] is not None for _ in range(3)] == [True] * 3
    fourth.join(SECONDS)
    assert not fourth.is_alive()


def test_an_error_drops_what_was_spilled(tmp_path: Path) -> None:
    buffer = ResultBuffer(capacity=16, space=SpillSpace(tmp_path, 10_000_000))
    fill(buffer, 100)
    buffer.end(SqeError("too bad"))
    with pytest.raises(SqeError, match="too bad"):
        buffer.take(SECONDS)


def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    buffer = ResultBuffer(capacity=16, space=SpillSpace(tmp_path / "missing", 10_000_000))
    with pytest.raises(FileAccessError, match="cannot be kept on disk"):
        fill(buffer, 100)


def test_nested_types_survive_the_file(tmp_path: Path) -> None:
    rows = pa.record_batch(
        {"a": pa.array([[1, None], None, []]), "m": pa.array([{"x": "é"}, None, {"x": ""}])}
    )
    buffer = ResultBuffer(capacity=1, space=SpillSpace(tmp_path, 10_000_000))
    buffer.put_schema(rows.schema)
    for _ in range(5):
        buffer.put(rows)
    buffer.end()
    assert [buffer.take(SECONDS)[1] for _ in range(5)] == [rows] * 5
