from __future__ import annotations

import pytest

from sqe.model.session import Dialect
from sqe.service.metadata_columns import _described
from sqe.sql.statement import read


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ('DESCRIBE a.b."t$files"', ["a", "b", "t$files"]),
        ('DESC "t$partitions"', ["t$partitions"]),
        ('SHOW COLUMNS FROM s."t$refs"', ["s", "t$refs"]),
        ("DESCRIBE t", None),
        ('DESCRIBE "$t"', None),
        ("SHOW COLUMNS FROM \"t$refs\" LIKE 'a%'", None),
        ('SELECT * FROM "t$files"', None),
    ],
)
def test_which_statements_describe_a_metadata_table(sql: str, found: list[str] | None) -> None:
    assert _described(read(sql, Dialect.TRINO)) == found


def test_spark_has_other_names() -> None:
    assert _described(read("DESCRIBE `t$files`", Dialect.SPARK)) is None
