"""Calls of table_health."""

from __future__ import annotations

import pytest

from sqe.errors import SqlSyntaxError
from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.table_health import HealthCall, health_call, health_query


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("CALL lake.system.table_health('db.t')", HealthCall("lake", ("db", "t"))),
        ("CALL system.table_health(table => 'a.b.`c d`')", HealthCall(None, ("a", "b", "c d"))),
        ("call LAKE.System.Table_Health ( 't' )", HealthCall("lake", ("t",))),
        ("CALL lake.system.rewrite_data_files('table_health')", None),
        ("CALL a.b.system.table_health('t')", None),
        ("SELECT 'table_health'", None),
    ],
)
def test_a_call_is_read(sql: str, expected: HealthCall | None, dialect: Dialect) -> None:
    assert health_call(read(sql, dialect)) == expected


@pytest.mark.parametrize(
    "arguments",
    ["", "t", "'t', 'u'", "table => t", "other => 't'", "'a..b'", "'a b'", "'a.b c'", "''", "'a.'"],
)
def test_other_arguments_are_errors(arguments: str) -> None:
    with pytest.raises(SqlSyntaxError):
        health_call(read(f"CALL lake.system.table_health({arguments})", Dialect.SPARK))


def test_a_small_file_has_less_than_three_quarters_of_the_target() -> None:
    query = health_query(("lake", "d`b", "t"), 1000, partitioned=True)
    assert "count_if(file_size_in_bytes < 750)" in query
    assert "GROUP BY spec_id, partition)" in query
    assert "FROM `lake`.`d``b`.`t`.`files`" in query
    assert "partition" not in health_query(("lake", "db", "t"), 1000, partitioned=False)
