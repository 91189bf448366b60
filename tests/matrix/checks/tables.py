"""What tables are, and how they change."""

from __future__ import annotations

import datetime

from tests.matrix.lake import CATALOG, SCHEMA, Lake


def table_creation(lake: Lake, version: int) -> None:
    table = lake.fresh()
    lake.run(
        f"CREATE TABLE {table} (id bigint NOT NULL COMMENT 'key', name varchar, day date, "
        "more row(a integer, b array(double))) "
        f"COMMENT 'a table' WITH (format_version = {version}, partitioning = ARRAY['day'], sorted_by = ARRAY['id'])"
    )
    made = lake.table(table)
    assert made.metadata.format_version == version
    assert [str(field.field_type) for field in made.schema().fields[:3]] == ["long", "string", "date"]
    key = made.schema().find_field("id")
    assert (key.required, key.doc) == (True, "key")
    assert made.schema().find_field("more.b.element").name == "element"
    assert [field.name for field in made.spec().fields] == ["day"]
    assert [field.source_id for field in made.sort_order().fields] == [key.field_id]
    assert made.properties["comment"] == "a table"
    copy = lake.fresh()
    lake.run(f"CREATE TABLE {copy} WITH (format_version = {version}) AS SELECT 1 AS id, 'a' AS name")
    assert lake.table(copy).metadata.format_version == version
    assert lake.pyiceberg(copy) == lake.duckdb(copy) == [(1, "a")]


def schema_evolution(lake: Lake, version: int) -> None:
    table = lake.create(version, "id bigint, name varchar, gone integer", rows="(1, 'a', 9)")
    before = set(lake.files(table))
    lake.run(f"ALTER TABLE {table} ADD COLUMN city varchar")
    lake.run(f"ALTER TABLE {table} DROP COLUMN gone")
    lake.run(f"ALTER TABLE {table} RENAME COLUMN name TO title")
    lake.run(f"ALTER TABLE {table} ALTER COLUMN city FIRST")
    lake.run(f"INSERT INTO {table} VALUES ('Delft', 2, 'b')")
    assert [field.name for field in lake.table(table).schema().fields] == ["city", "id", "title"]
    assert before < set(lake.files(table))
    assert lake.pyiceberg(table) == lake.duckdb(table) == [("Delft", 2, "b"), (None, 1, "a")]


def type_promotion(lake: Lake, version: int) -> None:
    table = lake.create(version, "i integer, f real, d decimal(5, 2)", rows="(1, REAL '1.5', 2.25)")
    before = set(lake.files(table))
    lake.run(f"ALTER TABLE {table} ALTER COLUMN i SET DATA TYPE bigint")
    lake.run(f"ALTER TABLE {table} ALTER COLUMN f SET DATA TYPE double")
    lake.run(f"ALTER TABLE {table} ALTER COLUMN d SET DATA TYPE decimal(10, 2)")
    lake.run(f"INSERT INTO {table} VALUES (5000000000, 1e300, 12345678.25)")
    assert [str(field.field_type) for field in lake.table(table).schema().fields] == [
        "long",
        "double",
        "decimal(10, 2)",
    ]
    assert before < set(lake.files(table))
    assert [(row[0], row[1], str(row[2])) for row in lake.pyiceberg(table)] == [
        (1, 1.5, "2.25"),
        (5000000000, 1e300, "12345678.25"),
    ]
    assert len(lake.duckdb(table)) == 2


def column_default_values(lake: Lake, version: int) -> None:
    table = lake.fresh()
    lake.run(
        f"CREATE TABLE {table} (id bigint, name varchar DEFAULT 'none') WITH (format_version = {version})",
    )
    lake.run(f"INSERT INTO {table} (id) VALUES (1)")
    lake.run(f"ALTER TABLE {table} ADD COLUMN day date DEFAULT DATE '2020-01-02'")
    lake.run(f"ALTER TABLE {table} ALTER COLUMN day SET DEFAULT DATE '2030-03-04'")
    lake.run(f"ALTER TABLE {table} ALTER COLUMN name DROP DEFAULT")
    lake.run(f"INSERT INTO {table} (id) VALUES (2)")
    old, new = datetime.date(2020, 1, 2), datetime.date(2030, 3, 4)
    rows = [(1, "none", old), (2, None, new)]
    assert lake.run(f"SELECT * FROM {table} ORDER BY id") == [
        (id_, name, day.isoformat()) for id_, name, day in rows
    ]
    assert lake.pyiceberg(table) == lake.duckdb(table) == rows
    name, day = lake.metadata(table)["schemas"][-1]["fields"][1:]
    assert name.get("write-default") is None
    assert (day["initial-default"], day["write-default"]) == ("2020-01-02", "2030-03-04")
    other = lake.create(2)
    assert "format version 3" in lake.refused(f"ALTER TABLE {other} ADD COLUMN x integer DEFAULT 1")


def time_travel(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a')")
    first = lake.table(table).current_snapshot()
    assert first is not None
    lake.run(f"INSERT INTO {table} VALUES (2, 'b')")
    at = datetime.datetime.fromtimestamp(first.timestamp_ms / 1000, datetime.UTC).isoformat(
        " ", "milliseconds"
    )
    for clause in (f"VERSION AS OF {first.snapshot_id}", f"TIMESTAMP AS OF TIMESTAMP '{at[:-6]} UTC'"):
        assert lake.run(f"SELECT * FROM {table} FOR {clause}") == [(1, "a")]
    assert lake.run(f"SELECT count(*) FROM {table}") == [(2,)]


def table_maintenance(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a')")
    lake.run(f"INSERT INTO {table} VALUES (2, 'b')")
    lake.run(f"ALTER TABLE {table} EXECUTE optimize")
    assert len(lake.files(table)) == 1
    lake.run(f"ALTER TABLE {table} EXECUTE optimize_manifests")
    lake.run(
        f"CALL {CATALOG}.system.expire_snapshots(table => '{_short(table)}', older_than => now(), retain_last => 1)"
    )
    assert len(lake.table(table).metadata.snapshots) == 1
    assert lake.pyiceberg(table) == lake.duckdb(table) == [(1, "a"), (2, "b")]
    assert "not allowed on this server" in lake.refused(
        f"ALTER TABLE {table} EXECUTE remove_orphan_files(retention_threshold => '8d')"
    )


def branching_tagging(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a')")
    lake.run(f"ALTER TABLE {table} CREATE TAG first")
    lake.run(f"ALTER TABLE {table} CREATE BRANCH trial")
    lake.run(f"INSERT INTO {table}.branch_trial VALUES (2, 'b')")
    assert lake.run(f"SELECT count(*) FROM {table} FOR VERSION AS OF 'trial'") == [(2,)]
    assert lake.run(f"SELECT count(*) FROM {table} FOR VERSION AS OF 'first'") == [(1,)]
    read = lake.table(table)
    assert {name: ref.snapshot_ref_type.value for name, ref in read.metadata.refs.items()} == {
        "main": "branch",
        "trial": "branch",
        "first": "tag",
    }
    assert read.scan(snapshot_id=read.metadata.refs["trial"].snapshot_id).to_arrow().num_rows == 2
    assert lake.pyiceberg(table) == [(1, "a")]


def catalog_integration(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a')")
    renamed = lake.fresh()
    lake.run(f"ALTER TABLE {table} RENAME TO {renamed}")
    listed = {name[-1] for name in lake.catalog.list_tables(SCHEMA)}
    assert renamed.rpartition(".")[2] in listed
    assert table.rpartition(".")[2] not in listed
    assert (SCHEMA,) in lake.catalog.list_namespaces()
    lake.run(f"DROP TABLE {renamed}")
    assert not lake.catalog.table_exists((SCHEMA, renamed.rpartition(".")[2]))


def _short(table: str) -> str:
    return table.removeprefix(f"{CATALOG}.")
