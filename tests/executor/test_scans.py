"""The local executor reads the files of Iceberg tables as Spark does, or leaves them to Spark."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from tests.executor.scans_bed import AGAIN, LOCAL, SPARK, ScansBed, scans_bed
from tests.executor.table_histories import RandomTable
from tests.matrix.equality_deletes import delete_equal

from sqe.errors import SqeError

pytestmark = pytest.mark.engine

NAN = float("nan")
MERGE_ON_READ = ", ".join(f"'write.{each}.mode'='merge-on-read'" for each in ("delete", "update", "merge"))


@pytest.fixture(scope="session")
def bed() -> Iterator[ScansBed]:
    with scans_bed() as made:
        yield made


def test_rows_columns_and_counts_of_a_table(bed: ScansBed) -> None:
    table = bed.table("id bigint, name string", rows="(1, 'a'), (2, NULL)")
    assert bed.same(f"SELECT * FROM {table}") == [(1, "a"), (2, None)]
    bed.same(
        f"SELECT count(*) FROM {table} WHERE id > 0",
        f"SELECT name FROM {table} WHERE name = 'a'",
        f"SELECT * FROM {table} WHERE id > 100",
        f"SELECT a.id FROM {table} a JOIN {table} b ON a.id = b.id + 1",
    )
    empty = bed.table("id bigint, name string")
    bed.same(f"SELECT * FROM {empty}", f"SELECT id, count(*) FROM {empty} GROUP BY id")


def test_aggregates_that_iceberg_knows_are_constants_of_a_larger_query(bed: ScansBed) -> None:
    table = bed.table(
        "id bigint, d date, c decimal(10, 2)", rows="(1, DATE'2020-01-01', 1.25), (2, DATE'2020-01-02', 2.5)"
    )
    bed.same(
        f"SELECT id, (SELECT count(*) FROM {table}) FROM {table}",
        f"SELECT id FROM {table} WHERE d = (SELECT max(d) FROM {table}) AND c = (SELECT max(c) FROM {table})",
    )
    bed.on_spark(f"SELECT count(*) FROM {table}")  # without reading anything


# -- evolution


def test_columns_are_found_by_their_ids(bed: ScansBed) -> None:
    odd = "`E.x'\"{}`"
    table = bed.table("a int, d string, e int", rows="(1, 'x', 9), (2, NULL, NULL)")
    bed.run(
        f"ALTER TABLE {table} DROP COLUMN d",
        f"ALTER TABLE {table} ADD COLUMN d string",
        f"ALTER TABLE {table} RENAME COLUMN e TO {odd}",
        f"ALTER TABLE {table} ADD COLUMN z int FIRST",
        f"INSERT INTO {table} (a, d) VALUES (77, 'dd')",
    )
    found = bed.same(f"SELECT a, d, z, {odd} FROM {table}")
    assert found == [(1, None, None, 9), (2, None, None, None), (77, "dd", None, None)]
    bed.same(
        f"SELECT A, Z FROM {table} WHERE D IS NULL",
        f"SELECT a FROM {table} WHERE d IS NOT NULL",
        f"SELECT a FROM {table} WHERE d = 'dd' OR z = 5",
    )


def test_promoted_columns_are_compared_as_the_new_type(bed: ScansBed) -> None:
    table = bed.table("a int, c decimal(5, 2), b float", rows="(1, 1.25, 0.1), (2147483647, 999.99, 0.5)")
    bed.run(
        f"ALTER TABLE {table} ALTER COLUMN a TYPE bigint",
        f"ALTER TABLE {table} ALTER COLUMN c TYPE decimal(20, 2)",
        f"INSERT INTO {table} VALUES (3000000000, 12345678901.25, 0.1)",
    )
    for condition in (
        "a > 2147483646",
        "a = 3000000000",
        "a IN (1, 4294967297)",
        "c = 1.25",
        "c > 1000",
        "a = 1 OR c > 5",
    ):
        bed.same(f"SELECT * FROM {table} WHERE {condition}")
    bed.run(f"ALTER TABLE {table} ALTER COLUMN b TYPE double")
    bed.on_spark(f"SELECT a FROM {table} WHERE b = 0.1D")  # DuckDB would compare floats
    bed.same(f"SELECT a FROM {table} WHERE a > 1")


DEFAULTS = {
    "int": "7",
    "bigint": "-9223372036854775808",
    "string": r"'it''s \\x00'",
    "double": "0.1D",
    "float": "CAST(0.1 AS float)",
    "boolean": "true",
    "date": "DATE'0001-01-01'",
    "timestamp": "TIMESTAMP'2020-02-29 01:02:03.000004'",
    "timestamp_ntz": "TIMESTAMP_NTZ'1969-12-31 23:59:59.999999'",
    "decimal(38, 10)": "1234567890123456789012345678.0123456789",
    "binary": "X'00ff5c41'",
}


def test_defaults_of_added_columns(bed: ScansBed) -> None:
    table = bed.table("id bigint", "TBLPROPERTIES ('format-version'='3')", rows="(1), (2)")
    for number, (kind, value) in enumerate(DEFAULTS.items()):
        bed.run(f"ALTER TABLE {table} ADD COLUMN c{number} {kind} DEFAULT {value}")
    bed.same(f"SELECT * FROM {table}")
    bed.run(f"INSERT INTO {table} (id, c0) VALUES (3, 8)")
    bed.same(
        f"SELECT * FROM {table}",
        f"SELECT id FROM {table} WHERE c0 = 7 AND c2 LIKE 'it%' AND c6 < DATE'2000-01-01'",
        f"SELECT id FROM {table} WHERE c0 <> 7 OR c5 IS NULL",
    )


# -- snapshots, metadata


def test_time_travel_reads_the_files_and_columns_of_then(bed: ScansBed) -> None:
    table = bed.table("id bigint, v string", rows="(1, 'a')")
    bed.run(
        f"ALTER TABLE {table} CREATE BRANCH br",
        f"ALTER TABLE {table} CREATE TAG tg",
        f"INSERT INTO {table} VALUES (2, 'b')",
        f"ALTER TABLE {table} RENAME COLUMN v TO w",
        f"ALTER TABLE {table} ADD COLUMN n int",
        f"INSERT INTO {table}.branch_br VALUES (3, 'c', 5)",
    )
    first = bed.answer(
        f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1", local=False
    )[1]
    assert bed.same(f"SELECT * FROM {table} VERSION AS OF {first[0][0]}") == [(1, "a")]
    assert bed.same(f"SELECT * FROM {table} VERSION AS OF 'tg'") == [(1, "a")]
    assert bed.same(f"SELECT * FROM {table}.branch_br") == [(1, "a", None), (3, "c", 5)]
    bed.same(
        f"SELECT * FROM {table} TIMESTAMP AS OF now()",
        f"SELECT a.id, b.id FROM {table} a JOIN {table} VERSION AS OF 'tg' b ON a.id >= b.id",
    )


def test_incremental_reads_stay_on_spark(bed: ScansBed) -> None:
    table = bed.table("id bigint", rows="(1)")
    bed.run(f"INSERT INTO {table} VALUES (2)")
    first = bed.answer(f"SELECT min_by(snapshot_id, committed_at) FROM {table}.snapshots", local=False)[1][0][
        0
    ]
    bed.on_spark(f"SELECT * FROM {table} WITH (`start-snapshot-id` = '{first}')")


def test_metadata_stays_on_spark(bed: ScansBed) -> None:
    table = bed.table("id bigint", "TBLPROPERTIES ('format-version'='3')", rows="(1)")
    for name in ("history", "refs", "partitions"):
        bed.on_spark(f"SELECT * FROM {table}.{name}")
    bed.on_spark(
        f"SELECT file_path, record_count FROM {table}.files",
        f"SELECT snapshot_id FROM {table}.snapshots",
        f"SELECT path FROM {table}.manifests",
        f"SELECT file_path, pos FROM {table}.position_deletes",
        f"SELECT id, _change_type FROM {table}.changes",
        f"SELECT id, _file, _pos, _spec_id, _deleted FROM {table}",
        f"SELECT id, _partition FROM {table}",
        f"SELECT id, _row_id, _last_updated_sequence_number FROM {table}",
    )


@pytest.mark.parametrize("kind", ["orc", "avro"])
def test_other_formats_stay_on_spark(bed: ScansBed, kind: str) -> None:
    table = bed.table("id bigint", f"TBLPROPERTIES ('write.format.default'='{kind}')", "(1)")
    bed.on_spark(f"SELECT * FROM {table}")


def test_other_types_stay_on_spark_and_their_neighbours_do_not(bed: ScansBed) -> None:
    table = bed.table(
        "id bigint, s struct<a: int, b: string>, l array<int>, m map<string, int>, v variant",
        "TBLPROPERTIES ('format-version'='3')",
    )
    bed.run(f"INSERT INTO {table} SELECT 1, struct(1, 'x'), array(1, 2), map('k', 1), parse_json('1')")
    bed.same(f"SELECT id FROM {table}")
    for column in ("s", "s.a", "l", "m", "m['k']", "v"):
        bed.on_spark(f"SELECT {column} FROM {table}")


# -- partitions


def test_values_of_partitions_of_all_types(bed: ScansBed) -> None:
    table = bed.table(
        "k int, i int, l bigint, s string, d date, b boolean, c decimal(10, 2), ts timestamp, tn timestamp_ntz,"
        " bi binary, f float, x double",
        "PARTITIONED BY (i, l, s, d, b, c, ts, tn, bi, f, x)",
        rows="(1, 5, 6, 'x''y', DATE'2020-02-29', true, 1.25, TIMESTAMP'2020-01-01 00:00:00.000001',"
        " TIMESTAMP_NTZ'1960-01-01 00:00:00.5', X'00ff5c', 0.1, 0.1D),"
        " (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
        " (3, -1, -1, '', DATE'0001-01-01', false, -1.25, TIMESTAMP'1900-01-01 00:00:00',"
        " TIMESTAMP_NTZ'9999-12-31 23:59:59.999999', X'', float('-Infinity'), double('NaN'))",
    )
    bed.same(
        f"SELECT * FROM {table}",
        f"SELECT k FROM {table} WHERE i IS NULL",
        f"SELECT k FROM {table} WHERE s = '' OR f > 0",
        f"SELECT b, max(d), min(ts), count(bi) FROM {table} GROUP BY b",
    )


def test_partitions_that_change(bed: ScansBed) -> None:
    table = bed.table("id bigint, p int, q string", rows="(1, 10, 'a'), (2, NULL, 'b')")
    bed.run(
        f"ALTER TABLE {table} ADD PARTITION FIELD p",
        f"INSERT INTO {table} VALUES (3, 30, 'c'), (4, NULL, 'd')",
        f"ALTER TABLE {table} ADD PARTITION FIELD q",
        f"INSERT INTO {table} VALUES (5, 50, 'e'), (6, 60, NULL)",
        f"ALTER TABLE {table} DROP PARTITION FIELD p",
        f"INSERT INTO {table} VALUES (7, 70, 'g')",
        f"ALTER TABLE {table} ADD PARTITION FIELD bucket(4, id)",
        f"ALTER TABLE {table} ALTER COLUMN p TYPE bigint",
        f"ALTER TABLE {table} RENAME COLUMN q TO qq",
        f"INSERT INTO {table} VALUES (10, 8589934592, 'h')",
    )
    for condition in ("true", "p = 30", "p IS NULL", "p > 25", "qq = 'h'", "qq IS NULL", "id = 5"):
        bed.same(f"SELECT * FROM {table} WHERE {condition}")
    void = bed.table("id bigint, p int", "PARTITIONED BY (p) TBLPROPERTIES ('format-version'='1')", "(1, 10)")
    bed.run(f"ALTER TABLE {void} DROP PARTITION FIELD p", f"INSERT INTO {void} VALUES (3, 30)")
    assert bed.same(f"SELECT * FROM {void}") == [(1, 10), (3, 30)]


def test_transforms_are_no_values_of_columns(bed: ScansBed) -> None:
    table = bed.table(
        "id bigint, ts timestamp, s string",
        "PARTITIONED BY (days(ts), truncate(2, s), bucket(3, id))",
        rows="(1, TIMESTAMP'2020-01-01 10:00:00', 'abcdef'), (2, TIMESTAMP'2020-01-02 10:00:00', 'abx'),"
        " (3, NULL, NULL)",
    )
    for condition in ("true", "ts > TIMESTAMP'2020-01-01 12:00:00'", "s = 'abcdef'", "id = 2"):
        bed.same(f"SELECT * FROM {table} WHERE {condition}")


def test_the_metadata_has_the_values_of_partitions_not_the_file(bed: ScansBed) -> None:
    table = bed.table("id bigint, p int", "PARTITIONED BY (p)")
    bed.add_file(table, [("id", pa.array([1, 2]), 1)], partition=(7,))
    bed.add_file(table, [("id", pa.array([3]), 1), ("p", pa.array([99], pa.int32()), 2)], partition=(8,))
    bed.add_file(table, [("id", pa.array([5]), 1)], partition=(None,))
    assert bed.same(f"SELECT * FROM {table}") == [(1, 7), (2, 7), (3, 8), (5, None)]
    bed.same(f"SELECT id FROM {table} WHERE p = 8", f"SELECT id FROM {table} WHERE p IS NULL")


# -- deleted rows


@pytest.mark.parametrize(
    ("version", "kind", "granularity"),
    [(2, "parquet", "file"), (2, "avro", "partition"), (2, "orc", "file"), (3, "parquet", "file")],
)
def test_deleted_rows_are_left_out(bed: ScansBed, version: int, kind: str, granularity: str) -> None:
    table = bed.table(
        "id bigint, p int, v string",
        f"PARTITIONED BY (p) TBLPROPERTIES ('format-version'='{version}', {MERGE_ON_READ},"
        f" 'write.delete.format.default'='{kind}', 'write.delete.granularity'='{granularity}')",
    )
    bed.run(
        f"INSERT INTO {table} SELECT id, id % 20, concat('v', id) FROM range(0, 2000, 1, 1)",
        f"INSERT INTO {table} SELECT id, id % 20, concat('w', id) FROM range(2000, 3000, 1, 1)",
        f"DELETE FROM {table} WHERE id % 13 = 1",
        f"UPDATE {table} SET v = 'u' WHERE id BETWEEN 100 AND 150",
        f"MERGE INTO {table} t USING (SELECT 17L AS id UNION ALL SELECT 9000L) s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
    )
    bed.same(
        f"SELECT p, count(*), sum(id) FROM {table} GROUP BY p",
        f"SELECT * FROM {table} WHERE p = 3",
        f"SELECT count(*) FROM {table}",
        f"SELECT v, id FROM {table} WHERE id BETWEEN 90 AND 200 ORDER BY id DESC LIMIT 20",
        f"SELECT max(p) FROM {table} WHERE v = 'u'",
    )


def test_a_table_with_positions_and_deletion_vectors(bed: ScansBed) -> None:
    table = bed.table("id bigint, v string", f"TBLPROPERTIES ('format-version'='2', {MERGE_ON_READ})")
    bed.run(
        f"INSERT INTO {table} SELECT id, 'a' FROM range(0, 1000, 1, 1)",
        f"DELETE FROM {table} WHERE id % 5 = 1",
        f"ALTER TABLE {table} SET TBLPROPERTIES ('format-version'='3')",
        f"INSERT INTO {table} SELECT id, 'b' FROM range(0, 1000, 1, 1)",
    )
    counts = f"SELECT v, count(*), sum(id) FROM {table} GROUP BY v"
    bed.same(counts)
    bed.run(f"DELETE FROM {table} WHERE id % 7 = 1")
    bed.same(counts)
    bed.engine.rules.set("ann", table, filter="id < 50")
    rows: list[Any] = []
    for item in bed.engine.session("ann").stream(
        f"SELECT id FROM {table}", "q", lambda progress: None, local=True
    ):
        rows += item.to_pydict()["id"] if isinstance(item, pa.RecordBatch) else []
    both = [each for each in range(50) if each % 7 != 1]
    assert sorted(rows) == sorted([*both, *(each for each in both if each % 5 != 1)])
    assert bed.executor.outcome == LOCAL


def test_row_numbers_are_those_of_the_file_when_row_groups_are_skipped(bed: ScansBed) -> None:
    table = bed.table("id bigint, v int", f"TBLPROPERTIES ('format-version'='2', {MERGE_ON_READ})")
    columns = [("id", pa.array(range(10_000)), 1), ("v", pa.array([7] * 10_000, pa.int32()), 2)]
    bed.add_file(table, columns, row_group_size=500)
    bed.run(
        f"ALTER TABLE {table} SET TBLPROPERTIES ('format-version'='3')",
        f"DELETE FROM {table} WHERE id IN (4, 777, 5003, 9999) OR id BETWEEN 6000 AND 7999",
    )
    assert bed.same(f"SELECT id FROM {table} WHERE id BETWEEN 5001 AND 5005") == [
        (5001,),
        (5002,),
        (5004,),
        (5005,),
    ]
    bed.same(
        f"SELECT count(*), sum(id) FROM {table}",
        f"SELECT id FROM {table} WHERE id > 9990",
        f"SELECT id FROM {table} ORDER BY id DESC LIMIT 3",
        f"SELECT count(*) FROM {table} WHERE id BETWEEN 5990 AND 8010 AND v = 7",
    )


def test_many_deleted_rows_and_deletes_by_equality_stay_on_spark(bed: ScansBed) -> None:
    table = bed.table("id bigint", f"TBLPROPERTIES ('format-version'='2', {MERGE_ON_READ})")
    bed.run(
        f"INSERT INTO {table} SELECT id FROM range(0, 300000, 1, 1)", f"DELETE FROM {table} WHERE id % 2 = 1"
    )
    bed.on_spark(f"SELECT sum(id) FROM {table}")
    table = bed.table("a bigint", "TBLPROPERTIES ('format-version'='2')", rows="(1), (2)")
    delete_equal(bed.iceberg(table), "a", 1)
    bed.on_spark(f"SELECT * FROM {table}")


def test_columns_may_be_called_as_those_of_the_reader(bed: ScansBed) -> None:
    table = bed.table(
        "c1 bigint, none int, file_row_number int, filename string, file_index int, f int, p int, d int, file int",
        f"PARTITIONED BY (p) TBLPROPERTIES ('format-version'='2', {MERGE_ON_READ})",
    )
    bed.run(
        f"INSERT INTO {table} SELECT id, 1, 2, 'f', 3, 4, id % 20, 5, 6 FROM range(0, 100, 1, 1)",
        f"DELETE FROM {table} WHERE c1 = 5 OR c1 = 8",
    )
    bed.same(
        f"SELECT * FROM {table}", f"SELECT count(none), p FROM {table} WHERE file_row_number = 2 GROUP BY p"
    )


# -- files of other writers

INT, LONG = pa.int32(), pa.int64()
MICROS = [0, -1, 1600000000123456]
WRITTEN: list[tuple[str, pa.Array, dict[str, Any], str]] = [
    ("bigint", pa.array([1, 2], LONG), {}, LOCAL),
    ("bigint", pa.array([1, 2], INT), {}, LOCAL),
    ("int", pa.array([1, 2], pa.int16()), {}, AGAIN),
    ("int", pa.array([1, 1], INT).dictionary_encode(), {}, LOCAL),
    ("string", pa.array(["é", "é"]).dictionary_encode(), {"use_dictionary": True}, LOCAL),
    ("string", pa.array(["a\\x41", "é"]), {"use_dictionary": False, "compression": "zstd"}, LOCAL),
    ("binary", pa.array([b"a\\b", b"\x00\xff"]), {}, LOCAL),
    ("binary", pa.array([b"ab", b"cd"], pa.binary(2)), {}, LOCAL),
    ("double", pa.array([0.1, NAN, -0.0]), {}, LOCAL),
    ("double", pa.array([0.1, 0.2], pa.float32()), {}, AGAIN),
    ("timestamp_ntz", pa.array(MICROS, pa.timestamp("us")), {}, LOCAL),
    ("timestamp", pa.array(MICROS, pa.timestamp("us", "UTC")), {}, LOCAL),
    ("timestamp", pa.array(MICROS, pa.timestamp("us")), {}, AGAIN),
    ("timestamp_ntz", pa.array(MICROS, pa.timestamp("us", "UTC")), {}, AGAIN),
    ("timestamp_ntz", pa.array([0, -1, 1600000000123], pa.timestamp("ms")), {}, AGAIN),
    ("timestamp", pa.array([0, 1600000000123], pa.timestamp("ns", "UTC")), {"version": "2.6"}, AGAIN),
    ("timestamp", pa.array(MICROS, pa.timestamp("us")), {"use_deprecated_int96_timestamps": True}, AGAIN),
    ("date", pa.array([0, -719162, 2932896], pa.date32()), {}, LOCAL),
    ("date", pa.array([0, 1], INT), {}, AGAIN),
    ("decimal(4, 2)", pa.array([Decimal("1.25"), None], pa.decimal128(4, 2)), {}, LOCAL),
    (
        "decimal(9, 2)",
        pa.array([Decimal("-1.25")], pa.decimal128(9, 2)),
        {"store_decimal_as_integer": True},
        LOCAL,
    ),
    (
        "decimal(18, 3)",
        pa.array([Decimal("1.250")], pa.decimal128(18, 3)),
        {"store_decimal_as_integer": True},
        LOCAL,
    ),
    ("decimal(38, 10)", pa.array([Decimal("-0.0000000001")], pa.decimal128(38, 10)), {}, LOCAL),
    ("decimal(10, 2)", pa.array([Decimal("1.25")], pa.decimal128(4, 2)), {}, LOCAL),
    ("decimal(10, 2)", pa.array([Decimal("1.2")], pa.decimal128(4, 1)), {}, AGAIN),
    ("boolean", pa.array([True, None]), {}, LOCAL),
]


@pytest.mark.parametrize(
    ("kind", "values", "options", "outcome"),
    WRITTEN,
    ids=[f"{case[0]}-{case[1].type}-{case[3]}" for case in WRITTEN],
)
def test_a_column_of_another_type_is_left_to_spark(
    bed: ScansBed, kind: str, values: pa.Array, options: dict[str, Any], outcome: str
) -> None:
    table = bed.table(f"a {kind}, k int")
    numbers = pa.array(range(len(values)), INT)
    bed.add_file(table, [("x", values, 1), ("k", numbers, 2)], **options)
    assert bed.outcome(f"SELECT k, a FROM {table}") == outcome
    bed.same(f"SELECT k FROM {table}")


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("int", pa.array([1, 2], LONG)),
        ("int", pa.array([1, 2**32 - 1], pa.uint32())),
        ("bigint", pa.array([1, 2**63], pa.uint64())),
        ("string", pa.array([b"a\\b", "é".encode()], pa.binary())),
        ("binary", pa.array(["a", "\\x41"])),
        ("float", pa.array([0.1, 0.2])),
    ],
)
def test_what_spark_cannot_read_fails_as_on_spark(bed: ScansBed, kind: str, values: pa.Array) -> None:
    table = bed.table(f"a {kind}")
    bed.add_file(table, [("a", values, 1)])
    with pytest.raises(SqeError):
        bed.answer(f"SELECT a FROM {table}", local=True)
    assert bed.executor.outcome == AGAIN


def test_files_without_ids_are_left_to_spark(bed: ScansBed) -> None:
    values, texts = pa.array([1, 2]), pa.array(["x", "y"])
    for first, second in ((None, None), (None, 2), (1, None)):
        table = bed.table("a bigint, b string")
        bed.add_file(table, [("a", values, first), ("b", texts, second)])
        bed.again(f"SELECT * FROM {table}")
    lacks = bed.table("a bigint, b string")
    bed.add_file(lacks, [("b", texts, 2)])
    assert bed.same(f"SELECT * FROM {lacks}") == [(None, "x"), (None, "y")]
    needs = bed.table("a bigint NOT NULL, b string")
    bed.add_file(needs, [("b", texts, 2)])
    bed.same(f"SELECT b FROM {needs}")
    with pytest.raises(SqeError, match="required"):
        bed.answer(f"SELECT a FROM {needs}", local=True)
    mapping = '[{"field-id": 1, "names": ["a"]}, {"field-id": 2, "names": ["b"]}]'
    mapped = bed.table("a bigint, b string", f"TBLPROPERTIES ('schema.name-mapping.default'='{mapping}')")
    bed.add_file(mapped, [("b", texts, None), ("a", values, None)])
    bed.on_spark(f"SELECT * FROM {mapped}")


NAMES = {
    "a b.parquet": LOCAL,
    "a%20b.parquet": LOCAL,
    "a#b.parquet": LOCAL,
    "a+b;c,d&e.parquet": LOCAL,
    "é😀.parquet": LOCAL,
    'it\'s "q".parquet': LOCAL,
    "back\\slash.parquet": LOCAL,
    "p=1/id=7.parquet": LOCAL,
    "a*b.parquet": SPARK,
    "a?b.parquet": SPARK,
    "a[1].parquet": SPARK,
    "a{b,c}.parquet": SPARK,
}


def test_paths_with_special_characters(bed: ScansBed) -> None:
    for name, outcome in NAMES.items():
        table = bed.table("id bigint, p int")
        bed.add_file(table, [("id", pa.array([1]), 1)], name=name)
        bed.add_file(table, [("id", pa.array([2]), 1)], name=f"other {name}")
        assert (name, bed.outcome(f"SELECT * FROM {table}")) == (name, outcome)


# -- statistics


def test_nan_and_negative_zero_are_not_skipped(bed: ScansBed) -> None:
    table = bed.table(
        "k int, x double, y float",
        rows="(1, double('NaN'), float('NaN')), (2, -0.0D, CAST(-0.0D AS float)), (3, 0.0D, CAST(0 AS float)),"
        " (4, 1.5, 1.5), (5, double('-Infinity'), float('Infinity')), (6, NULL, NULL)",
    )
    for condition in (
        "x > 5",
        "x = double('NaN')",
        "x = 0",
        "y = 0",
        "x <= -0.0D",
        "y > 5",
        "x < 0",
        "NOT x <= 2",
    ):
        bed.same(f"SELECT * FROM {table} WHERE {condition}")


def test_nan_that_no_statistics_tell_of_is_found(bed: ScansBed) -> None:
    table = bed.table("x double")
    bed.add_file(table, [("x", pa.array([1.0, 2.0, NAN]), 1)])
    # Spark itself returns nothing here: Iceberg skips the rows by the statistics of pyarrow, in which there is no NaN.
    assert str(bed.answer(f"SELECT x FROM {table} WHERE x > 5", local=True)[1]) == "[(nan,)]"
    bed.same(f"SELECT x FROM {table} WHERE x = double('NaN')", f"SELECT x FROM {table} WHERE x >= 2")


def test_bloom_filters_and_long_texts(bed: ScansBed) -> None:
    columns = ("i int", "l bigint", "f float", "x double", "s string", "d date", "c decimal(10, 2)")
    filters = ", ".join(
        f"'write.parquet.bloom-filter-enabled.column.{each.split()[0]}'='true'" for each in columns
    )
    table = bed.table(
        ", ".join(columns), f"TBLPROPERTIES ({filters}, 'write.parquet.dict-size-bytes'='1024')"
    )
    bed.run(
        f"INSERT INTO {table} SELECT id * 2, id * 2, id * 2, id * 2, concat(repeat('é', 60), id * 2),"
        " DATE'2020-01-01' + CAST(id AS int), id * 2 FROM range(0, 20000, 1, 1)"
    )
    long = "concat(repeat('é', 60), '{}')"
    for number in (4, 5):
        for column in ("i", "l", "f", "x", "c"):
            bed.same(f"SELECT l FROM {table} WHERE {column} = {number}")
        bed.same(f"SELECT l FROM {table} WHERE s = {long.format(number)}")
    bed.same(
        f"SELECT l FROM {table} WHERE s > {long.format(39990)}",
        f"SELECT count(*) FROM {table} WHERE s < {long.format(2)} AND d > DATE'2020-01-01'",
    )
    bed.run(f"ALTER TABLE {table} ALTER COLUMN i TYPE bigint")
    for number in (4, 5, 2**32 + 4):
        bed.same(f"SELECT i FROM {table} WHERE i = {number}")


def test_bytes_are_compared_by_spark(bed: ScansBed) -> None:
    # DuckDB asks a Bloom filter for the bytes in another form than the filter was made with, and finds no rows.
    table = bed.table(
        "b binary, n bigint", "TBLPROPERTIES ('write.parquet.bloom-filter-enabled.column.b'='true')"
    )
    bed.run(f"INSERT INTO {table} SELECT unhex(concat('FF80', hex(id % 50))), id FROM range(0, 1000, 1, 1)")
    bed.on_spark(
        f"SELECT n FROM {table} WHERE b = X'FF8005'",
        f"SELECT n FROM {table} WHERE b IN (X'FF8005', X'FF8006')",
        f"SELECT x.n FROM {table} x JOIN {table} y ON x.b = y.b WHERE y.n < 3",
        f"SELECT n FROM {table} WHERE b IN (SELECT b FROM {table} WHERE n < 3)",
    )
    bed.same(f"SELECT b, count(*) FROM {table} GROUP BY b", f"SELECT DISTINCT b FROM {table} ORDER BY b")


# -- histories


@pytest.mark.parametrize("seed", range(2))
def test_a_table_with_a_random_history_is_read_as_by_spark(bed: ScansBed, seed: int) -> None:
    table = RandomTable(bed, seed)
    local = 0
    for _ in range(8):
        table.change()
        local += table.check() + table.check()
    assert local > 8  # some queries are answered by statistics alone, or are known to be empty
