"""Check which schemas of files the local executor accepts."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sqe.executor.file_schemas import FileColumn, FileSchemas, UnexpectedFileError, check, top_columns

ID = {"id": 1, "type": "BIGINT", "required": False}


def column(number: int | None, physical: str | None, name: str, annotation: str = "") -> FileColumn:
    return FileColumn(number, physical, name, annotation)


def write(path: Path, *fields: tuple[str, pa.DataType, int | None]) -> str:
    schema = pa.schema(
        [
            pa.field(name, kind, metadata=None if number is None else {"PARQUET:field_id": str(number)})
            for name, kind, number in fields
        ]
    )
    pq.write_table(schema.empty_table(), path)
    return str(path)


@pytest.mark.parametrize(
    ("found", "expected", "held"),
    [
        (column(1, "INT64", "BIGINT"), "BIGINT", True),
        (column(1, "INT32", "INTEGER"), "BIGINT", True),
        (column(1, "INT64", "BIGINT"), "INTEGER", False),
        (column(1, "INT32", "UINTEGER"), "BIGINT", False),
        (column(1, "FLOAT", "FLOAT"), "DOUBLE", False),
        (column(1, "FIXED_LEN_BYTE_ARRAY", "FLOAT"), "FLOAT", False),
        (column(1, "BYTE_ARRAY", "BLOB"), "VARCHAR", False),
        (column(1, "BYTE_ARRAY", "VARCHAR"), "BLOB", False),
        (column(1, "FIXED_LEN_BYTE_ARRAY", "BLOB"), "BLOB", True),
        (column(1, "INT32", "DECIMAL(4,2)"), "DECIMAL(10,2)", True),
        (column(1, "INT64", "DECIMAL(12,2)"), "DECIMAL(10,2)", False),
        (column(1, "INT64", "DECIMAL(10,1)"), "DECIMAL(10,2)", False),
        (column(1, "INT64", "TIMESTAMP", "TIMESTAMP_MICROS"), "TIMESTAMP", True),
        (column(1, "INT64", "TIMESTAMP", "TIMESTAMP_MILLIS MICROS=<null>"), "TIMESTAMP", False),
        (column(1, "INT96", "TIMESTAMP"), "TIMESTAMP", False),
        (column(1, None, "STRUCT(a INTEGER)"), "INTEGER", False),
        (column(1, "INT64", "BIGINT"), "TINYINT", False),
    ],
)
def test_a_column_holds_a_type_if_all_readers_find_the_same_values(
    found: FileColumn, expected: str, held: bool
) -> None:
    assert found.holds(expected) is held


def test_a_file_may_lack_a_column_that_is_not_required() -> None:
    check((column(2, "INT32", "INTEGER"),), [ID])
    with pytest.raises(UnexpectedFileError, match="missing"):
        check((column(2, "INT32", "INTEGER"),), [ID | {"required": True}])


@pytest.mark.parametrize("ids", [(None,), (1, None), (None, 1), (1, 1)])
def test_every_column_has_an_id_of_its_own(ids: tuple[int | None, ...]) -> None:
    with pytest.raises(UnexpectedFileError, match="ids"):
        check(tuple(column(each, "INT64", "BIGINT") for each in ids), [ID])


def test_columns_in_columns_are_not_those_of_the_table(tmp_path: Path) -> None:
    inner = pa.field("inner", pa.int32(), metadata={"PARQUET:field_id": "9"})
    file = write(
        tmp_path / "a.parquet",
        ("s", pa.struct([inner, pa.field("list", pa.list_(pa.int8()))]), 2),
        ("m", pa.map_(pa.string(), pa.list_(pa.string())), 3),
        ("id", pa.int64(), 1),
    )
    with duckdb.connect() as database:
        elements = database.execute(
            "SELECT list([CAST(field_id AS VARCHAR), type, duckdb_type, CAST(num_children AS VARCHAR), '']"
            " ORDER BY column_id) FROM parquet_schema($file)",
            {"file": file},
        ).fetchall()[0][0]
    assert [each.id for each in top_columns(elements)] == [2, 3, 1]
    assert top_columns(elements)[2].holds("BIGINT")


def test_files_are_checked_for_each_scan_and_read_once(tmp_path: Path) -> None:
    good = write(tmp_path / "good.parquet", ("id", pa.int64(), 1))
    other = write(tmp_path / "other.parquet", ("id", pa.string(), 1))
    schemas = FileSchemas()
    both = {"files": [good, other], "sizes": [10, 20]}
    with duckdb.connect() as database:
        scan = {"files": [0], "columns": [ID]}
        schemas.check(database, both | {"scans": [scan]})
        with pytest.raises(UnexpectedFileError, match="type"):
            schemas.check(database, both | {"scans": [scan, scan | {"files": [1]}]})
        write(Path(good), ("id", pa.string(), 1))
        schemas.check(database, both | {"scans": [scan]})
        with pytest.raises(UnexpectedFileError, match="type"):
            schemas.check(database, both | {"sizes": [11, 20], "scans": [scan]})
        with pytest.raises(duckdb.Error):
            schemas.check(
                database, {"files": [str(tmp_path / "none.parquet")], "sizes": [1], "scans": [scan]}
            )
