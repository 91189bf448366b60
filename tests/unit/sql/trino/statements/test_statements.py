from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.sql_pairs import Pair, read_pairs

from sqe.errors import SqlSyntaxError, UnsupportedError
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
        "CREATE FUNCTION f() RETURNS bigint RETURN 1",
        "CREATE TABLE t (a bigint) WITH (frob = 1)",
        "CREATE TABLE t (a bigint) WITH (sorted_by = ARRAY['a'])",
        "CREATE TABLE t (a bigint) WITH (partitioning = ARRAY['frob(a)'])",
        "CREATE TABLE t (a hyperloglog)",
        "CREATE TABLE t (LIKE u)",
        "CREATE SCHEMA s AUTHORIZATION x",
        "CREATE VIEW v AS SELECT * FROM information_schema.tables",
        "ALTER TABLE t RENAME TO other.s.t",
        "ALTER TABLE t ADD COLUMN IF NOT EXISTS a bigint",
        "ALTER TABLE t SET PROPERTIES partitioning = ARRAY['a']",
        "ALTER TABLE t EXECUTE optimize",
        "ALTER TABLE t SET AUTHORIZATION x",
        "ALTER SCHEMA s RENAME TO u",
        "EXPLAIN ANALYZE SELECT 1",
        "EXPLAIN (TYPE VALIDATE) SELECT 1",
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
    ],
)
def test_syntax_error_has_its_place(sql: str, place: tuple[int, int]) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        translate(read(sql, Dialect.TRINO), SCOPE)
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == place
    assert not caught.value.message.startswith("line ")


def test_show_needs_a_schema() -> None:
    with pytest.raises(UnsupportedError, match="No schema"):
        translate(read("SHOW TABLES", Dialect.TRINO), Scope("lake", None, "ada", None))
