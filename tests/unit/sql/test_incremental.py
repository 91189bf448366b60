"""Incremental reads as queries on a table's changes."""

from __future__ import annotations

import pytest

from sqe.errors import DataError
from sqe.model.session import Dialect
from sqe.sql.incremental import changes_query, with_changes
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

BETWEEN = "FOR INCREMENTAL BETWEEN SNAPSHOT 1 AND SNAPSHOT 22"


def spark(sql: str) -> str:
    return with_changes(read(sql, Dialect.SPARK), lambda: ("lake", "a", "b")).text


def trino(sql: str) -> str:
    statement = with_changes(read(sql, Dialect.TRINO), lambda: ("unused",))
    return translate(statement, Scope("lake", "db", "ann", None)).text


@pytest.mark.parametrize(
    ("sql", "table", "behind"),
    [
        (f"SELECT * FROM t {BETWEEN}", "`lake`.`a`.`b`.t", " AS `t`"),
        (f"SELECT * FROM t {BETWEEN} WHERE x", "`lake`.`a`.`b`.t", " AS `t` WHERE x"),
        (f"SELECT * FROM s.t {BETWEEN} AS c", "s.t", " AS c"),
        (f"SELECT * FROM `s`.`t x` {BETWEEN} c JOIN u", "`s`.`t x`", " c JOIN u"),
        (f"SELECT * FROM s.t {BETWEEN} `c`", "s.t", " `c`"),
    ],
)
def test_a_query_takes_the_place_of_the_table_in_sparks_dialect(sql: str, table: str, behind: str) -> None:
    assert spark(sql) == f"SELECT * FROM ({changes_query(table, 1, 22)}){behind}"


def test_all_changes_have_no_first_snapshot() -> None:
    assert "start-snapshot-id" not in changes_query("t", 0, 5)
    assert "WITH ('end-snapshot-id' = '5', 'start-snapshot-id' = '4')" in changes_query("t", 4, 5)


@pytest.mark.parametrize(
    ("sql", "table", "alias"),
    [
        (f"SELECT * FROM T {BETWEEN}", "`db`.`t`", "`t`"),
        (f'SELECT * FROM "T" {BETWEEN} AS c', "`db`.`T`", "c"),
        (f'SELECT * FROM lake."a.b".t {BETWEEN} c', "`lake`.`a`.`b`.`t`", "c"),
    ],
)
def test_a_query_takes_the_place_of_the_table_in_trinos_dialect(sql: str, table: str, alias: str) -> None:
    assert trino(sql) == f"SELECT * FROM ({changes_query(table, 1, 22)}) AS {alias}"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'FOR INCREMENTAL BETWEEN SNAPSHOT 1 AND SNAPSHOT 2'",
        "SELECT * FROM incremental",
        "SELECT * FROM t FOR INCREMENTAL BETWEEN SNAPSHOT a AND SNAPSHOT 2",
    ],
)
def test_other_statements_are_left_alone(sql: str) -> None:
    assert spark(sql) == sql


@pytest.mark.parametrize("dialect", list(Dialect))
def test_two_snapshots_are_needed(dialect: Dialect) -> None:
    sql = "SELECT * FROM t FOR INCREMENTAL BETWEEN SNAPSHOT 2 AND SNAPSHOT 2"
    with pytest.raises(DataError) as caught:
        with_changes(read(sql, dialect), lambda: ("lake", "db"))
    assert caught.value.position is not None
    assert caught.value.position.column == 17
