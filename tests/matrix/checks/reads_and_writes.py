"""Reads, inserts, and what is kept of files to skip them."""

from __future__ import annotations

import pyarrow as pa
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType
from tests.matrix.lake import SCHEMA, Lake


def read_support(lake: Lake, version: int) -> None:
    """Read what PyIceberg wrote."""
    table = lake.fresh()
    schema = Schema(NestedField(1, "id", LongType()), NestedField(2, "name", StringType()))
    name = table.rpartition(".")[2]
    made = lake.catalog.create_table((SCHEMA, name), schema)
    made.append(pa.table({"id": [1, 2, 3], "name": ["a", "b", None]}))
    if version > 2:  # which PyIceberg reads and does not write
        lake.run(f"ALTER TABLE {table} SET PROPERTIES format_version = {version}")
    assert lake.run(f"SELECT * FROM {table} WHERE id > 1 ORDER BY id") == [(2, "b"), (3, None)]
    assert lake.run(f"SELECT name FROM {table} WHERE name LIKE 'a%'") == [("a",)]
    lake.run(f"INSERT INTO {table} VALUES (4, 'd')")
    assert [row[0] for row in lake.pyiceberg(table)] == [1, 2, 3, 4]


def write_insert(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a'), (2, 'b')")
    lake.run(f"INSERT INTO {table} (name, id) SELECT concat(name, 'x'), id + 10 FROM {table}")
    assert lake.pyiceberg(table) == [(1, "a"), (11, "ax"), (12, "bx"), (2, "b")]
    lake.run(f"INSERT OVERWRITE {table} VALUES (3, 'a')")
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(3, "a")]


def statistics(lake: Lake, version: int) -> None:
    table = lake.create(version)
    lake.run(f"INSERT INTO {table} SELECT i, IF(i = 1, 'a') FROM UNNEST(ARRAY[1, 7]) AS t(i)")
    (file,) = lake.table(table).inspect.files().to_pylist()
    metrics = file["readable_metrics"]
    assert (metrics["id"]["lower_bound"], metrics["id"]["upper_bound"]) == (1, 7)
    assert (metrics["name"]["value_count"], metrics["name"]["null_value_count"]) == (2, 1)
    assert next(row[5:] for row in lake.run(f"SHOW STATS FOR {table}") if row[0] == "id") == ("1", "7")


def bloom_filters(lake: Lake, version: int) -> None:
    properties = {"write.parquet.bloom-filter-enabled.column.id": "true"}
    table = lake.create(version, properties=properties, rows="(1, 'a'), (7, 'b')")
    filters = {column["path_in_schema"]: column["bloom_filter_offset"] for column in lake.parquet(table)}
    assert filters["id"] is not None
    assert filters["name"] is None
    lake.run(f"ANALYZE {table}")
    (puffin,) = lake.table(table).metadata.statistics
    assert next((blob.type, blob.properties) for blob in puffin.blob_metadata) == (
        "apache-datasketches-theta-v1",
        {"ndv": "2"},
    )
    assert lake.run(f"SELECT name FROM {table} WHERE id = 7") == [("b",)]
