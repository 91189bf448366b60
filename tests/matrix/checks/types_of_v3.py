"""What came with format version 3."""

from __future__ import annotations

from tests.matrix.lake import MERGE_ON_READ, SCHEMA, Lake

_POINT = "0101000000000000000000f03f0000000000000040"


def variant_type(lake: Lake, version: int) -> None:
    table = lake.create(version, "id bigint, v variant")
    lake.run(f"""INSERT INTO {table} SELECT 1, parse_json('{{"a": [1, "x"], "b": null}}')""")
    assert lake.metadata(table)["schemas"][0]["fields"][1]["type"] == "variant"
    assert lake.run(f"SELECT v FROM {table}") == [('{"a":[1,"x"],"b":null}',)]
    assert lake.run(f"SELECT variant_get(v, '$.a[0]', 'int') FROM {table}") == [(1,)]
    assert lake.duckdb(table) == [(1, {"a": [1, "x"], "b": None})]


def shredded_variant(lake: Lake, version: int) -> None:
    table = lake.create(version, "id bigint, v variant", {"write.parquet.shred-variants": "true"})
    lake.run(
        f"""INSERT INTO {table} SELECT i, parse_json(concat('{{"a": ', CAST(i AS varchar), '}}')) """
        "FROM UNNEST(sequence(1, 50)) AS t(i)"
    )
    assert "v, typed_value, a, typed_value" in {column["path_in_schema"] for column in lake.parquet(table)}
    assert lake.run(f"SELECT count(*) FROM {table} WHERE variant_get(v, '$.a', 'int') > 40") == [(10,)]
    assert lake.duckdb(table, "count(*), sum(v.a::int)") == [(50, 1275)]


def geometry_type(lake: Lake, version: int) -> None:
    table = lake.create(version, "id bigint, place geometry")
    lake.run(f"INSERT INTO {table} SELECT 1, ST_SetSrid(ST_GeomFromWKB(X'{_POINT}'), 4326)")
    assert lake.run(f"SELECT to_hex(ST_AsBinary(place)), ST_Srid(place) FROM {table}") == [
        (_POINT.upper(), 4326)
    ]
    assert lake.metadata(table)["schemas"][0]["fields"][1]["type"].startswith("geometry")
    assert lake.duckdb(table, "id, hex(ST_AsWKB(place))") == [(1, _POINT.upper())]
    other = lake.create(version, "id bigint, place geography")
    lake.run(f"INSERT INTO {other} SELECT 1, ST_GeogFromWKB(X'{_POINT}')")
    assert lake.run(f"SELECT to_hex(ST_AsBinary(place)) FROM {other}") == [(_POINT.upper(),)]
    assert lake.metadata(other)["schemas"][0]["fields"][1]["type"].startswith("geography")


def lineage(lake: Lake, version: int) -> None:
    table = lake.create(version, properties=MERGE_ON_READ, rows="(1, 'a'), (2, 'b')")
    query = f"SELECT id, _row_id, _last_updated_sequence_number FROM {table} ORDER BY id"
    first = lake.run(query)
    assert first == [(1, 0, 1), (2, 1, 1)]
    lake.run(f"UPDATE {table} SET name = 'z' WHERE id = 2")
    assert lake.run(query) == [first[0], (2, 1, 2)]
    lake.run(f"ALTER TABLE {table} EXECUTE optimize")
    assert lake.run(query) == [first[0], (2, 1, 2)]
    assert lake.metadata(table)["next-row-id"] >= 2


def cdc_support(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a')")
    lake.run(f"UPDATE {table} SET name = 'z'")
    short = table.rpartition(".")[2]
    lake.run(
        f"CALL iceberg.system.create_changelog_view(table => '{SCHEMA}.{short}', changelog_view => '{short}_changes')"
    )
    found = lake.run(f"SELECT id, name, _change_type FROM {short}_changes ORDER BY _change_ordinal, 3")
    assert found == [(1, "a", "INSERT"), (1, "a", "DELETE"), (1, "z", "INSERT")]


def nanosecond_timestamps(lake: Lake, version: int) -> None:
    refused = lake.refused(
        f"CREATE TABLE {lake.fresh()} (at timestamp_ns) USING iceberg TBLPROPERTIES ('format-version' = '{version}')"
    )
    assert "TIMESTAMP_NS" in refused


def vector_type(lake: Lake, version: int) -> None:
    assert "vector" in lake.refused(
        f"CREATE TABLE {lake.fresh()} (v vector(3)) WITH (format_version = {version})"
    )
