"""Deletes and updates of rows, and how they are stored."""

from __future__ import annotations

from pyiceberg.table import Table
from tests.matrix.equality_deletes import delete_equal
from tests.matrix.lake import COPY_ON_WRITE, MERGE_ON_READ, Lake

_ROWS = "(1, 'a'), (2, 'b'), (3, 'c')"
_POSITION_DELETES = 1


def position_deletes(lake: Lake, version: int) -> None:
    table = lake.create(version, properties=MERGE_ON_READ, rows=_ROWS)
    lake.run(f"DELETE FROM {table} WHERE id = 2")
    assert lake.run(f"SELECT id FROM {table} ORDER BY id") == [(1,), (3,)]
    assert _delete_files(lake.table(table)) == [
        (_POSITION_DELETES, "PARQUET" if version == 2 else "PUFFIN", 1)
    ]
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(1, "a"), (3, "c")]


def equality_deletes(lake: Lake, version: int) -> None:
    table = lake.create(2, rows=_ROWS)
    delete_equal(lake.table(table), "id", 2)
    if version > 2:  # PyIceberg writes none of that version
        lake.run(f"ALTER TABLE {table} SET PROPERTIES format_version = {version}")
    assert lake.duckdb(table) == [(1, "a"), (3, "c")]
    assert lake.run(f"SELECT * FROM {table} ORDER BY id") == [(1, "a"), (3, "c")]


def merge_on_read(lake: Lake, version: int) -> None:
    table = lake.create(version, properties=MERGE_ON_READ, rows=_ROWS)
    before = set(lake.files(table))
    lake.run(f"UPDATE {table} SET name = 'z' WHERE id = 3")
    assert before < set(lake.files(table))
    assert len(_delete_files(lake.table(table))) == 1
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(1, "a"), (2, "b"), (3, "z")]


def copy_on_write(lake: Lake, version: int) -> None:
    table = lake.create(version, properties=COPY_ON_WRITE, rows=_ROWS)
    before = set(lake.files(table))
    lake.run(f"UPDATE {table} SET name = 'z' WHERE id = 3")
    assert before - set(lake.files(table))
    assert _delete_files(lake.table(table)) == []
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(1, "a"), (2, "b"), (3, "z")]


def write_merge_update_delete(lake: Lake, version: int) -> None:
    table = lake.create(version, rows=_ROWS)
    lake.run(
        f"MERGE INTO {table} t USING (VALUES (1, 'x'), (2, 'y'), (4, 'd')) AS s(id, name) ON t.id = s.id "
        "WHEN MATCHED AND s.id = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET name = s.name "
        "WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)"
    )
    assert lake.pyiceberg(table) == [(2, "y"), (3, "c"), (4, "d")]
    lake.run(f"UPDATE {table} SET name = upper(name) WHERE id > 2")
    lake.run(f"DELETE FROM {table} WHERE name = 'D'")
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(2, "y"), (3, "C")]


def deletion_vectors(lake: Lake, version: int) -> None:
    table = lake.create(version, properties=MERGE_ON_READ)
    lake.run(f"INSERT INTO {table} SELECT i, 'a' FROM UNNEST(sequence(1, 3)) AS t(i)")
    lake.run(f"DELETE FROM {table} WHERE id = 1")
    lake.run(f"DELETE FROM {table} WHERE id = 3")
    # There is one for a data file, whatever the number of deletes.
    assert _delete_files(lake.table(table)) == [(_POSITION_DELETES, "PUFFIN", 2)]
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(2, "a")]


def _delete_files(table: Table) -> list[tuple[int, str, int]]:
    found = table.inspect.delete_files().to_pylist()
    return [(file["content"], file["file_format"], file["record_count"]) for file in found]
