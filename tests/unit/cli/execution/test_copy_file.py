"""The file of COPY .. TO: whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sqe.cli.execution.copy_file import copy_writer
from sqe.errors import FileAccessError, UnsupportedError
from sqe.sql.files.copy import Copy

ROWS = pa.record_batch({"a": [1, 2, None], "b": ["x", "", None]})


def write(copy: Copy, *batches: pa.RecordBatch) -> None:
    with copy_writer(copy) as writer:
        writer.begin(ROWS.schema)
        for batch in batches:
            writer.batch(batch)
        writer.end()


def test_each_format_is_written(tmp_path: Path) -> None:
    def path(name: str) -> str:
        return str(tmp_path / name)

    write(Copy("", True, path("a.csv"), "csv"), ROWS)
    assert Path(path("a.csv")).read_text() == 'a,b\n1,x\n2,""\n,\n'
    write(Copy("", True, path("b.csv"), "csv", header=False))
    assert Path(path("b.csv")).read_text() == ""
    write(Copy("", True, path("a.json"), "json"), ROWS)
    lines = Path(path("a.json")).read_text().splitlines()
    assert [json.loads(line) for line in lines] == ROWS.to_pylist()
    for codec in ("zstd", "snappy", "gzip", "none"):
        write(Copy("", True, path(f"{codec}.parquet"), "parquet", compression=codec), ROWS, ROWS)
        stored = pq.read_table(path(f"{codec}.parquet"))
        assert stored.to_pylist() == ROWS.to_pylist() * 2
        assert pq.ParquetFile(path(f"{codec}.parquet")).metadata.num_row_groups == 1
    assert len(list(tmp_path.iterdir())) == 7


def test_columns_of_one_name_stay_apart_in_parquet(tmp_path: Path) -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    with copy_writer(Copy("", True, str(tmp_path / "a.parquet"), "parquet")) as writer:
        writer.begin(batch.schema)
        writer.batch(batch)
        writer.end()
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == [{"a": 1, "a_1": 2}]


def test_a_file_is_replaced_only_if_the_statement_says_so(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("mine")
    with pytest.raises(FileAccessError, match="exists"):
        write(Copy("", True, str(target), "csv"), ROWS)
    assert target.read_text() == "mine"
    write(Copy("", True, str(target), "csv", overwrite=True), ROWS)
    assert target.read_text().startswith("a,b\n")
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"

    def interfere() -> None:
        with copy_writer(Copy("", True, str(target), "csv")) as writer:
            writer.begin(ROWS.schema)
            target.write_text("mine")

    with pytest.raises(FileAccessError, match="exists"):
        interfere()
    assert target.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_copy_that_fails_leaves_nothing(tmp_path: Path, failure: type[BaseException]) -> None:
    old = tmp_path / "old.csv"
    old.write_text("mine")

    def fail(copy: Copy) -> None:
        with copy_writer(copy) as writer:
            writer.begin(ROWS.schema)
            writer.batch(ROWS)
            raise failure

    for name, overwrite in (("a.csv", False), ("old.csv", True)):
        with pytest.raises(failure):
            fail(Copy("", True, str(tmp_path / name), "csv", overwrite=overwrite))
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_text() == "mine"


@pytest.mark.parametrize("path", ["s3://b/a.csv", "file:///a.csv"])
def test_an_address_is_no_file(path: str) -> None:
    with pytest.raises(UnsupportedError), copy_writer(Copy("", True, path, "csv")):
        pass


@pytest.mark.parametrize("name", ["", "missing/a.csv", "/dev/null", "directory.csv/"])
def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path, name: str) -> None:
    copy = Copy("", True, str(tmp_path / name) + ("/" if name.endswith("/") else ""), "csv", overwrite=True)
    with pytest.raises(FileAccessError), copy_writer(copy):
        pass
