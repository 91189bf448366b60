from __future__ import annotations

from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.statements.properties import read_properties
from sqe.sql.trino.statements.table_properties import read_table_properties, trino_properties

SHOWN = {
    "current-snapshot-id": "17",
    "format": "iceberg/orc",
    "format-version": "3",
    "sort-order": "a DESC NULLS LAST, b c ASC NULLS FIRST, bucket(4, a) ASC NULLS FIRST",
    "sqe.owner": "ann",
    "write.format.default": "orc",
    "write.parquet.compression-codec": "zstd",
    "x.y": "it's",
}
PARTITIONS = ("days(ts)", "bucket(4, a)", "truncate(2, `b c`)", "e.x", "dd")


def test_properties_are_written_as_trino_writes_them() -> None:
    assert trino_properties(PARTITIONS, "s3://b/t", SHOWN) == {
        "extra_properties": "MAP(ARRAY['x.y'], ARRAY['it''s'])",
        "format": "'ORC'",
        "format_version": "3",
        "location": "'s3://b/t'",
        "partitioning": "ARRAY['day(ts)', 'bucket(a, 4)', 'truncate(\"b c\", 2)', 'e.x', 'dd']",
        "sorted_by": "ARRAY['a DESC NULLS LAST', '\"b c\" ASC NULLS FIRST']",
    }
    assert trino_properties(
        (), None, {"format": "iceberg/parquet", "write.parquet.compression-codec": "zstd"}
    ) == {
        "compression_codec": "'ZSTD'",
        "format": "'PARQUET'",
    }


def test_what_is_written_is_read_again() -> None:
    written = ", ".join(
        f"{key} = {value}" for key, value in trino_properties(PARTITIONS, None, SHOWN).items()
    )
    text = f"CREATE TABLE t (a bigint) WITH ({written})"
    reader = TokenReader(text, read(text, Dialect.TRINO).tokens)
    while not reader.accept("WITH"):
        reader.take()
    found = read_table_properties(read_properties(reader))
    assert found.partitioning is not None
    assert [each.in_spark() for each in found.partitioning] == [
        "days(`ts`)",
        "bucket(4, `a`)",
        "truncate(2, `b c`)",
        "`e.x`",
        "`dd`",
    ]
    assert found.sorted_by == [("a", "desc", "last"), ("b c", "asc", "first")]
    assert found.properties == {"write.format.default": "orc", "format-version": "3", "x.y": "it's"}
