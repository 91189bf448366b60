from __future__ import annotations

import pytest

from sqe.errors import SqlSyntaxError, StatementTooComplexError, StatementTooLargeError
from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.sql.policy.statement_types import ShowGrants
from sqe.sql.session_statement import Use
from sqe.sql.statement import read

Q, L, C, D, S = (
    StatementKind.QUERY,
    StatementKind.LISTING,
    StatementKind.CHANGE,
    StatementKind.DEFINITION,
    StatementKind.SESSION,
)
BOTH = (Dialect.TRINO, Dialect.SPARK)


@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize(
    ("sql", "kind", "update_type"),
    [
        ("SELECT 1", Q, None),
        ("/* x */ -- y\n select 1;", Q, None),
        ("(SELECT 1) UNION (SELECT 2)", Q, None),
        ("((SELECT 1))", Q, None),
        ("VALUES 1", Q, None),
        ("TABLE t", Q, None),
        ("WITH a AS (SELECT 1) SELECT * FROM a", Q, None),
        ("WITH a AS (SELECT 1), b (x, y) AS (SELECT 1, 2) (SELECT * FROM a)", Q, None),
        ("WITH RECURSIVE a (n) AS (VALUES 1) SELECT 1", Q, None),
        ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", C, "INSERT"),
        ("WITH a AS (SELECT 1) DELETE FROM t", C, "DELETE"),
        ("WITH a AS (SELECT 1) FROM a INSERT INTO t SELECT 1", C, "INSERT"),
        ("WITH a AS INSERT INTO t SELECT 1", D, None),
        ("WITH", D, None),
        ("FROM t SELECT a", Q, None),
        ("FROM t INSERT INTO a SELECT 1 INSERT INTO b SELECT 2", C, "INSERT"),
        ("FROM (SELECT 1) INSERT OVERWRITE a SELECT 1", C, "INSERT"),
        ("INSERT INTO t SELECT 1", C, "INSERT"),
        ("UPDATE t SET a = 1", C, "UPDATE"),
        ("DELETE FROM t", C, "DELETE"),
        ("MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE", C, "MERGE"),
        ("CREATE TABLE t AS SELECT 1", C, "CREATE TABLE"),
        ("CREATE OR REPLACE TABLE t AS (SELECT 1)", C, "CREATE TABLE"),
        ("CREATE TABLE t COMMENT 'x' AS WITH a AS (SELECT 1) SELECT * FROM a", C, "CREATE TABLE"),
        ("CREATE TABLE t USING iceberg SELECT 1", C, "CREATE TABLE"),
        ("CREATE TABLE t AS TABLE u", C, "CREATE TABLE"),
        ("REPLACE TABLE t AS VALUES 1", C, "CREATE TABLE"),
        ("CREATE TABLE t (a bigint)", D, "CREATE TABLE"),
        ("CREATE TABLE t LIKE u", D, "CREATE TABLE"),
        ("CREATE OR REPLACE VIEW v AS SELECT 1", D, "CREATE VIEW"),
        ("CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1", D, "CREATE VIEW"),
        ("CREATE MATERIALIZED VIEW v AS SELECT 1", D, "CREATE MATERIALIZED VIEW"),
        ("CREATE NAMESPACE s", D, "CREATE SCHEMA"),
        ("DROP TABLE t", D, "DROP TABLE"),
        ("DROP SCHEMA s", D, "DROP SCHEMA"),
        ("ALTER TABLE a.b RENAME TO c", D, "RENAME TABLE"),
        ("ALTER TABLE IF EXISTS a.b ADD COLUMN c bigint", D, "ADD COLUMN"),
        ("ALTER TABLE t WRITE ORDERED BY a", D, "ALTER TABLE"),
        ("ALTER VIEW v RENAME TO w", D, "RENAME VIEW"),
        ("TRUNCATE TABLE t", D, "TRUNCATE TABLE"),
        ("COMMENT ON TABLE t IS 'x'", D, "COMMENT"),
        ("SHOW TABLES", L, None),
        ("DESCRIBE t", L, None),
        ("DESC t", L, None),
        ("EXPLAIN DELETE FROM t", L, None),
        ("EXPLAIN ANALYZE SELECT 1", StatementKind.CALL, None),
        ("CALL lake.system.x()", StatementKind.CALL, None),
        ("FROB t", D, "FROB"),
        ("MAP a USING 'x' FROM t", D, "MAP"),
        ("'x'", D, None),
        ("USE s", S, "USE"),
        ("SET SESSION x = 1", S, "SET SESSION"),
        ("SHOW SESSION", S, None),
        ("EXECUTE s USING 1", S, None),
    ],
)
def test_kind(sql: str, kind: StatementKind, update_type: str | None, dialect: Dialect) -> None:
    found = read(sql, dialect)
    assert (found.kind, found.update_type) == (kind, update_type)


def test_sparks_set_returns_rows() -> None:
    assert read("SET spark.x = 1", Dialect.SPARK).kind is StatementKind.CALL
    assert read("SET spark.x = 1", Dialect.TRINO).kind is StatementKind.DEFINITION


@pytest.mark.parametrize(
    ("sql", "dialect", "count"),
    [
        ("SELECT ?, '?', \"?\", `?` -- ?\n/* ? */ WHERE a = ?", Dialect.TRINO, 2),
        ("SELECT ?, '?', \"?\", `?` -- ?\n/* ? */ WHERE a = ?", Dialect.SPARK, 2),
        (r"SELECT '\', ?, '\'", Dialect.TRINO, 1),
        (r"SELECT '\', ?, \''", Dialect.SPARK, 0),
        ("SELECT 1", Dialect.TRINO, 0),
    ],
)
def test_parameters(sql: str, dialect: Dialect, count: int) -> None:
    assert read(sql, dialect).parameters == count


@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize("sql", ["", " ;", "-- x", "SELECT 'a", "SELECT 1; SELECT 2", "/* x"])
def test_no_statement(sql: str, dialect: Dialect) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        read(sql, dialect)
    assert caught.value.position is not None


def test_it_carries_what_it_is() -> None:
    found = read(" USE lake.sales ;", Dialect.SPARK)
    assert (found.session, found.policy) == (Use("lake", "sales"), None)
    assert [token.text for token in found.tokens] == ["USE", "lake", ".", "sales"]
    found = read("SHOW GRANTS", Dialect.TRINO)
    assert (found.session, found.policy) == (None, ShowGrants())


def test_what_only_begins_like_a_session_statement_has_the_tokens_of_its_dialect() -> None:
    sql = "DESCRIBE input r'a' b"
    assert [token.text for token in read(sql, Dialect.SPARK).tokens][2:] == ["r'a'", "b"]
    assert [token.text for token in read(sql, Dialect.TRINO).tokens][2:] == ["r", "'a'", "b"]


@pytest.mark.parametrize("sql", ["SELECT 'it''s' FROM t", "USE x"])
def test_long_texts_are_lexed_again_instead_of_being_kept(sql: str) -> None:
    short = read(sql, Dialect.TRINO)
    long = read(sql + " " * 20_000, Dialect.TRINO)
    assert list(long.tokens) == list(short.tokens) == list(short.without_tokens().tokens)
    assert (long.kind, long.update_type) == (short.kind, short.update_type)


def test_the_caps_hold_before_anything_is_read() -> None:
    with pytest.raises(StatementTooLargeError):
        read("USE " + "x" * 100, Dialect.TRINO, max_bytes=50)
    with pytest.raises(StatementTooComplexError):
        read("GRANT " + "(" * 100, Dialect.TRINO, max_depth=50)
    with pytest.raises(StatementTooComplexError):
        read("EXECUTE p USING " + "ARRAY[" * 100, Dialect.SPARK, max_depth=50)
