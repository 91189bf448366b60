"""What COPY .. TO means."""

from __future__ import annotations

import pytest

from sqe.errors import SqeError, SqlSyntaxError, UnsupportedError, UsageError
from sqe.model.session import Dialect
from sqe.sql.files.copy import Copy, begins_copy, read_copy
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("COPY (SELECT 1) TO 'a.csv'", Copy("      SELECT 1", True, "a.csv", "csv")),
        (
            "copy\n(VALUES (1), (2)) to '/x/a.dat' WITH (format 'JSON', overwrite);",
            Copy("    \n VALUES (1), (2)", True, "/x/a.dat", "json", overwrite=True),
        ),
        ("COPY lake.db.t TO 'a.PARQUET'", Copy("SELECT * FROM lake.db.t", False, "a.PARQUET", "parquet")),
        (
            "COPY `a b` (x, `y z`) TO 'it''s.pq' (COMPRESSION snappy)",
            Copy("SELECT x, `y z` FROM `a b`", False, "it's.pq", "parquet", compression="snappy"),
        ),
        (
            "COPY t TO 'a.jsonl' (FORMAT csv, HEADER false)",
            Copy("SELECT * FROM t", False, "a.jsonl", "csv", header=False),
        ),
        (
            "COPY (WITH w AS (SELECT ')' AS x) SELECT * FROM w) TO 'a.ndjson' (OVERWRITE 0)",
            Copy("      WITH w AS (SELECT ')' AS x) SELECT * FROM w", True, "a.ndjson", "json"),
        ),
    ],
)
def test_a_copy_is_read(sql: str, expected: Copy) -> None:
    assert begins_copy(sql)
    assert read_copy(sql) == expected


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("COPY (DELETE FROM t) TO 'a.csv'", SqlSyntaxError),
        ("COPY (WITH w AS (SELECT 1) INSERT INTO t SELECT * FROM w) TO 'a.csv'", SqlSyntaxError),
        ("COPY () TO 'a.csv'", SqlSyntaxError),
        ("COPY (SELECT 1 TO 'a.csv'", SqlSyntaxError),
        ("COPY t () TO 'a.csv'", SqlSyntaxError),
        ("COPY t TO a.csv", SqlSyntaxError),
        ("COPY t TO 'a.csv' (HEADER", SqlSyntaxError),
        ("COPY t TO 'a.csv' SELECT 1", SqlSyntaxError),
        ("COPY t FROM 'a.csv'", UnsupportedError),
        ("COPY t TO 'a.xlsx'", UnsupportedError),
        ("COPY t TO '.csv'", UnsupportedError),
        ("COPY t TO 'a.csv' (PARTITION_BY (x))", SqeError),
        ("COPY t TO 'a.csv' (DELIMITER '|')", UnsupportedError),
        ("COPY t TO 'a.csv' (COMPRESSION gzip)", UnsupportedError),
        ("COPY t TO 'a.csv' (FORMAT orc)", UsageError),
        ("COPY t TO 'a.csv' (HEADER maybe)", UsageError),
        ("COPY t TO 'a.csv' (HEADER, HEADER)", UsageError),
        ("COPY t TO 'a.json' (HEADER)", UsageError),
        ("COPY t TO ''", UsageError),
    ],
)
def test_what_is_no_copy_is_refused(sql: str, error: type[SqeError]) -> None:
    with pytest.raises(error):
        read_copy(sql)


@pytest.mark.parametrize("sql", ["SELECT 1", "copyright", "`copy` x", "", "-- COPY\nSELECT 1"])
def test_other_statements_are_left_alone(sql: str) -> None:
    assert not begins_copy(sql)


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_gateway_writes_no_files(dialect: Dialect) -> None:
    with pytest.raises(UnsupportedError, match="statement of the shell"):
        translate(read("COPY t TO 'a.csv'", dialect), Scope("lake", "db", "ann", None))
