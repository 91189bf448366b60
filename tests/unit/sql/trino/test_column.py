from __future__ import annotations

import pytest

from sqe.sql.trino.column import trino_column_type


@pytest.mark.parametrize(
    ("spark", "trino"),
    [
        ("string", "varchar"),
        ("int", "integer"),
        ("bigint", "bigint"),
        ("float", "real"),
        ("binary", "varbinary"),
        ("decimal(10,2)", "decimal(10,2)"),
        ("decimal", "decimal(10,0)"),
        ("char(3)", "char(3)"),
        ("varchar(20)", "varchar(20)"),
        ("timestamp", "timestamp(6) with time zone"),
        ("timestamp_ntz", "timestamp(6)"),
        ("time(3)", "time(3)"),
        ("variant", "json"),
        ("interval day to second", "interval day to second"),
        ("interval year to month", "interval year to month"),
        ("array<map<string,double>>", "array(map(varchar, double))"),
        ("struct<street:string,`house no`:int>", 'row(street varchar, "house no" integer)'),
    ],
)
def test_a_type_has_trinos_words(spark: str, trino: str) -> None:
    assert trino_column_type(spark) == trino


@pytest.mark.parametrize("spark", ["geometry(4326)", "array<geometry(4326)>", "something new", ""])
def test_what_trino_does_not_have_stays_as_it_is(spark: str) -> None:
    assert trino_column_type(spark) == spark
