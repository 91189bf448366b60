from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.sql_pairs import Pair, read_pairs

from sqe.errors import (
    ColumnNotFoundError,
    DuplicateObjectError,
    SqlSyntaxError,
    TableNotFoundError,
    UnsupportedError,
)
from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

SCOPE = Scope("lake", "sales", "ada", None)
PAIRS = [
    pair for path in sorted((Path(__file__).parent / "fixtures").glob("*.sql")) for pair in read_pairs(path)
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_pair(pair: Pair) -> None:
    assert translate(read(pair.sent, Dialect.TRINO), SCOPE).text.strip() == pair.expected


@pytest.mark.parametrize(
    "sql",
    [
        "GRANT SELECT ON TABLE t TO USER x",
        "SET spark.sql.ansi.enabled = false",
        "CREATE MATERIALIZED VIEW v AS SELECT 1",
        "REFRESH MATERIALIZED VIEW v",
        "DROP MATERIALIZED VIEW v",
        "ALTER MATERIALIZED VIEW v RENAME TO w",
        "SHOW CREATE MATERIALIZED VIEW v",
        "SHOW CREATE FUNCTION f",
        "DROP FUNCTION f(bigint)",
        "ALTER SCHEMA s RENAME TO z",
        "CREATE FUNCTION f() RETURNS bigint RETURN 1",
        "CREATE TABLE t (a bigint) WITH (frob = 1)",
        "CREATE TABLE t (a bigint) WITH (sorted_by = ARRAY['bucket(a, 2)'])",
        "ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['a'], format = 'ORC'",
        "CREATE TABLE t (a bigint) WITH (partitioning = ARRAY['frob(a)'])",
        "CREATE TABLE t (a hyperloglog)",
        "CREATE TABLE t (LIKE u)",
        "CREATE SCHEMA s AUTHORIZATION x",
        "CREATE VIEW v AS SELECT * FROM information_schema.tables",
        "ALTER TABLE t RENAME TO other.s.t",
        "ALTER TABLE t SET PROPERTIES partitioning = ARRAY['a'], format = 'ORC'",
        "ALTER TABLE t SET PROPERTIES partitioning = ARRAY['frob(a)']",
        "ALTER TABLE t SET PROPERTIES location = '/x'",
        "COPY t TO 'a.csv'",
        "ALTER TABLE t EXECUTE drop_extended_stats",
        "ALTER TABLE t EXECUTE optimize(frob => 1)",
        "ALTER TABLE t EXECUTE optimize(file_size_threshold => 10)",
        "ALTER TABLE t EXECUTE optimize(file_size_threshold => '10 apples')",
        "ALTER TABLE t EXECUTE expire_snapshots(retention_threshold => '1d')",
        "ALTER TABLE t EXECUTE expire_snapshots(retention_threshold => 'long')",
        "ALTER TABLE t EXECUTE expire_snapshots(retain_last => 0)",
        "ALTER TABLE t EXECUTE rollback_to_snapshot",
        "UPDATE t SET a = 1 FROM s JOIN u ON s.x = u.x WHERE t.a = s.a",
        "DELETE FROM t USING s, u WHERE t.a = s.a",
        "ALTER TABLE t SET AUTHORIZATION x",
        "ALTER SCHEMA s RENAME TO u",
        "EXPLAIN ANALYZE SELECT 1",
        "EXPLAIN (TYPE IO, FORMAT JSON) SELECT 1",
        "SHOW STATS FOR (SELECT 1)",
        "DROP ROLE x",
        "ANALYZE t WITH (x = 1)",
    ],
)
def test_refused(sql: str) -> None:
    with pytest.raises(UnsupportedError):
        translate(read(sql, Dialect.TRINO), SCOPE)


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("FROB", (1, 1)),
        ("FROM t SELECT 1", (1, 1)),
        ("CREATE", (1, 7)),
        ("CREATE FROB x", (1, 8)),
        ("CREATE TABLE t (a)", (1, 18)),
        ("CREATE TABLE t (a bigint", (1, 25)),
        ("CREATE TABLE t AS", (1, 18)),
        ("INSERT t VALUES (1)", (1, 8)),
        ("INSERT INTO t", (1, 14)),
        ("CREATE VIEW v SECURITY x AS SELECT 1", (1, 15)),
        ("ALTER FROB x", (1, 7)),
        ("SHOW FROB", (1, 6)),
        ("SHOW TABLES FROM s LIKE x", (1, 25)),
        ("DESCRIBE t x", (1, 12)),
        ("EXPLAIN", (1, 8)),
        ("SELECT 9223372036854775808", (1, 8)),
        ("SELECT 1, - 9223372036854775809", (1, 13)),
        ("VALUES (X'abc')", (1, 9)),
        ("ALTER TABLE t EXECUTE optimize('10MB', 'x')", (1, 40)),
        ("ALTER TABLE t EXECUTE optimize_manifests WHERE a = 1", (1, 42)),
    ],
)
def test_syntax_error_has_its_place(sql: str, place: tuple[int, int]) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        translate(read(sql, Dialect.TRINO), SCOPE)
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == place
    assert not caught.value.message.startswith("line ")


@pytest.mark.parametrize(
    ("sql", "allowed"),
    [
        ("ALTER TABLE IF EXISTS t ADD COLUMN a bigint", (TableNotFoundError,)),
        ("ALTER TABLE t ADD COLUMN IF NOT EXISTS a bigint", (DuplicateObjectError,)),
        ("ALTER TABLE t RENAME COLUMN IF EXISTS a TO b", (ColumnNotFoundError,)),
        (
            "ALTER TABLE IF EXISTS t ADD COLUMN IF NOT EXISTS a bigint",
            (TableNotFoundError, DuplicateObjectError),
        ),
        ("ALTER TABLE t ADD COLUMN a bigint", ()),
    ],
)
def test_errors_that_a_statement_allows(sql: str, allowed: tuple[type, ...]) -> None:
    assert translate(read(sql, Dialect.TRINO), SCOPE).allowed == allowed


def test_show_needs_a_schema() -> None:
    with pytest.raises(UnsupportedError, match="No schema"):
        translate(read("SHOW TABLES", Dialect.TRINO), Scope("lake", None, "ada", None))
