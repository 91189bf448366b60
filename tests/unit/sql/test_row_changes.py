from __future__ import annotations

import pytest

from sqe.errors import SqlSyntaxError, UnsupportedError
from sqe.model.session import Dialect
from sqe.sql.row_changes import as_merge
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate


@pytest.mark.parametrize(
    ("sql", "merge"),
    [
        (
            "UPDATE t SET a = s.a FROM s WHERE t.id = s.id",
            "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a",
        ),
        (
            "UPDATE c.s.t AS x SET a = extract(year FROM d), b = 1 FROM (SELECT 1 FROM u, v) AS s",
            (
                "MERGE INTO c.s.t AS x USING (SELECT 1 FROM u, v) AS s ON TRUE"
                " WHEN MATCHED THEN UPDATE SET a = extract(year FROM d), b = 1"
            ),
        ),
        (
            "UPDATE t SET a = b IS DISTINCT FROM c FROM s WHERE x",
            "MERGE INTO t USING s ON x WHEN MATCHED THEN UPDATE SET a = b IS DISTINCT FROM c",
        ),
        (
            "EXPLAIN EXTENDED UPDATE t SET a = 1 FROM s",
            "EXPLAIN EXTENDED MERGE INTO t USING s ON TRUE WHEN MATCHED THEN UPDATE SET a = 1",
        ),
        (
            "DELETE FROM t AS x USING s WHERE x.id = s.id OR x.y",
            "MERGE INTO t AS x USING s ON x.id = s.id OR x.y WHEN MATCHED THEN DELETE",
        ),
    ],
)
def test_a_second_table_makes_it_a_merge(sql: str, merge: str) -> None:
    for dialect in Dialect:
        assert as_merge(read(sql, dialect)) == merge
    assert translate(read(sql, Dialect.SPARK), Scope("lake", "sales", "ada", None)).text == merge


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE t SET a = (SELECT max(x) FROM s) WHERE id = 1",
        "UPDATE t SET a = b IS DISTINCT FROM c",
        "UPDATE t SET a = 1",
        "DELETE FROM t",
        "DELETE FROM t WHERE id IN (SELECT id FROM s JOIN u USING (id))",
        "SELECT * FROM t JOIN s USING (id)",
        "EXPLAIN SELECT * FROM t JOIN s USING (id)",
        "MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE",
    ],
)
def test_others_stay(sql: str) -> None:
    for dialect in Dialect:
        assert as_merge(read(sql, dialect)) is None


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE t SET a = 1 FROM s JOIN u ON s.x = u.x",
        "UPDATE t SET a = 1 FROM s CROSS JOIN u",
        "DELETE FROM t USING s, u",
    ],
)
def test_a_join_is_refused_with_its_place(sql: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        as_merge(read(sql, Dialect.SPARK))
    assert caught.value.position is not None


@pytest.mark.parametrize("sql", ["UPDATE t SET a = 1 FROM s WHERE", "DELETE FROM t USING WHERE a = 1"])
def test_a_clause_without_anything_in_it_is_a_syntax_error(sql: str) -> None:
    with pytest.raises(SqlSyntaxError):
        as_merge(read(sql, Dialect.SPARK))
