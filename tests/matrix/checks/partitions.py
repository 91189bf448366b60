"""Partitions."""

from __future__ import annotations

from tests.matrix.lake import Lake

_COLUMNS = "id bigint, name varchar, at timestamp(6)"


def hidden_partitioning(lake: Lake, version: int) -> None:
    transforms = ["month(at)", "bucket(id, 4)", "truncate(name, 1)"]
    table = lake.create(version, _COLUMNS, partitioning=transforms)
    lake.run(
        f"INSERT INTO {table} VALUES (1, 'ab', TIMESTAMP '2020-01-05 10:00:00'), "
        "(1, 'ac', TIMESTAMP '2020-02-05 10:00:00')"
    )
    read = lake.table(table)
    assert [str(field.transform) for field in read.spec().fields] == ["month", "bucket[4]", "truncate[1]"]
    condition = "at < '2020-02-01T00:00:00'"
    assert len(list(read.scan(row_filter=condition).plan_files())) == 1
    assert lake.run(f"SELECT name FROM {table} WHERE at < TIMESTAMP '2020-02-01 00:00:00'") == [("ab",)]
    assert len(lake.duckdb(table)) == 2


def partition_evolution(lake: Lake, version: int) -> None:
    table = lake.create(version, partitioning=["bucket(id, 4)"], rows="(1, 'a')")
    lake.run(f"ALTER TABLE {table} ADD PARTITION FIELD truncate(1, name)")
    lake.run(f"ALTER TABLE {table} DROP PARTITION FIELD bucket(4, id)")
    lake.run(f"INSERT INTO {table} VALUES (2, 'b')")
    read = lake.table(table)
    assert {str(field.transform) for field in read.spec().fields} - {"void"} == {"truncate[1]"}
    assert {task.file.spec_id for task in read.scan().plan_files()} == {0, read.spec().spec_id}
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(1, "a"), (2, "b")]


def multi_arg_transforms(lake: Lake, version: int) -> None:
    refused = lake.refused(
        f"CREATE TABLE {lake.fresh()} (id bigint, name string) USING iceberg "
        f"PARTITIONED BY (bucket(4, id, name)) TBLPROPERTIES ('format-version' = '{version}')"
    )
    assert "column reference" in refused
