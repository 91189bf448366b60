from __future__ import annotations

import pytest

from sqe.errors import SqlSyntaxError
from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.statements.drop import drops_nothing


@pytest.mark.parametrize(
    ("sql", "nothing"),
    [
        ('DROP FUNCTION IF EXISTS a."b".f(bigint, array(varchar))', False),
        ("DROP MATERIALIZED VIEW IF EXISTS a.b.m", True),
        ("DROP FUNCTION f(bigint)", False),
        ("DROP MATERIALIZED VIEW m", False),
        ("DROP VIEW IF EXISTS v", False),
    ],
)
def test_what_no_catalog_can_have_is_dropped_by_doing_nothing(sql: str, nothing: bool) -> None:
    assert drops_nothing(read(sql, Dialect.TRINO)) is nothing


def test_what_follows_the_name_is_an_error() -> None:
    with pytest.raises(SqlSyntaxError):
        drops_nothing(read("DROP MATERIALIZED VIEW IF EXISTS m m", Dialect.TRINO))
