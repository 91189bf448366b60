"""The output of `sqe.sql.policy.expression`, evaluated by Spark."""

from __future__ import annotations

import pytest
from testing.command import Sqe

from sqe.model.decision import Column, Expression
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.sql.policy.expression import render, render_mask

pytestmark = pytest.mark.engine

NAMES = [
    "ada",
    "it's",
    'say "hi"',
    "back\\slash",
    "ends with \\",
    "\\'",
    "\\u0041 \\x41 \\101 \\n \\%",
    "'; DROP TABLE t; --",
    "${spark.app.name} ${env:HOME} $ {",
    "`tick` /* not */ -- one",
    "line\nbreak\ttab\r\x00\x1a",
    "é ß \u0131 İ \u2028 \U0001f600",
    "%_?",
    "",
]
COLUMNS = {
    column.name: column
    for column in (
        Column("name", "string"),
        Column("odd `name`", "int"),
        Column("day", "date"),
        Column("seen", "timestamp"),
        Column("local", "timestamp_ntz"),
        Column("n", "int"),
        Column("addr", "struct<street:string,geo:struct<lat:double,lon:double>>"),
        Column("items", "array<struct<sku:string,price:int>>"),
        Column("more", "map<string,struct<a:int,b:string>>"),
        Column("numbers", "array<int>"),
    )
}
ROW = """(SELECT 'Grüße 123' AS name, 7 AS `odd ``name```, DATE '2021-12-31' AS day,
  TIMESTAMP '2021-12-31 23:30:00 UTC' AS seen, TIMESTAMP_NTZ '2021-12-31 23:30:00' AS local, 5 AS n,
  named_struct('street', 'High St', 'geo', named_struct('lat', 1.5D, 'lon', 2.5D)) AS addr,
  array(named_struct('sku', 'a', 'price', 1), NULL) AS items,
  map('k', named_struct('a', 1, 'b', 'x')) AS more, array(1, 2, 3) AS numbers)"""
NULLS = "(SELECT " + ", ".join(
    f"CAST(NULL AS {column.type}) AS `{column.name.replace('`', '``')}`" for column in COLUMNS.values()
) + ")"  # fmt: skip


def answers(sqe: Sqe, *statements: str, zone: str = "UTC") -> list[str]:
    # In views: the text of a query may not call the functions that Trino's SQL is translated to.
    script = f"SET TIME ZONE '{zone}';\n" + "\n".join(
        f"CREATE OR REPLACE TEMPORARY VIEW answer AS {statement};\nSELECT * FROM answer;"
        for statement in statements
    )
    done = sqe.run("--format", "csv", "--no-header", stdin=script)
    assert done.code == 0, done.err
    return done.out.splitlines()[1:]  # without what SET tells


def test_every_name_is_the_literal_that_it_was(sqe: Sqe) -> None:
    columns = (COLUMNS["name"],)
    statements = []
    for dialect in Dialect:
        for name in NAMES:
            person = Principal(name, "test", frozenset({name, "other"}))
            contains = "array_contains" if dialect is Dialect.SPARK else "contains"
            text = f"name = current_user AND {contains}(current_groups(), name) AND is_member(name)"
            condition = render(Expression(text, dialect, "test"), person, columns, keyed=True)
            stored = f"CAST(X'{name.encode().hex()}' AS STRING)"
            statements.append(f"SELECT {condition} FROM (SELECT {stored} AS name)")
    assert answers(sqe, *statements) == ["true"] * len(statements)


FILTERS = [
    (Dialect.SPARK, "`odd ``name``` = 7 AND NAME LIKE 'Gr%'", "true"),
    (Dialect.SPARK, "addr.geo.lat = 1.5 AND items.sku[0] = 'a' AND more.k.a = 1 AND more['k'].b = 'x'", "true"),
    (Dialect.SPARK, "exists(numbers, x -> x > n) OR numbers[0] = 1", "true"),
    (Dialect.SPARK, "CASE WHEN n BETWEEN 1 AND 5 THEN NOT n IN (1, 2) END", "true"),
    (Dialect.SPARK, "day > DATE '2020-01-01' + INTERVAL 1 YEAR AND EXTRACT(YEAR FROM day) = 2021", "true"),
    (Dialect.SPARK, "trim(BOTH 'G' FROM name) RLIKE r'^r.*\\d$' AND name <=> 'x' = false", "true"),
    (Dialect.SPARK, "n = 5L AND n::string = '5' AND 7 / 2 = 3.5 AND n % 2 = 1 AND -n < ~n + 2", "true"),
    (Dialect.SPARK, "is_member('nobody') OR array_contains(current_roles(), 'x') OR is_member(name)", "false"),
    (Dialect.TRINO, "7 / 2 = 3 AND numbers[1] = 1 AND element_at(numbers, 9) IS NULL", "true"),
    (Dialect.TRINO, "any_match(numbers, x -> x > 2) AND cardinality(numbers) = 3", "true"),
    (Dialect.TRINO, "CAST(name AS varchar(2)) = 'Gr' AND strpos(name, '1') = 7", "true"),
    (Dialect.TRINO, "addr.street = 'High St' AND coalesce(try(CAST(name AS integer)), 0) = 0", "true"),
]  # fmt: skip


def test_filters_mean_what_they_say(sqe: Sqe) -> None:
    person = Principal("ada", "test")
    columns = tuple(COLUMNS.values())
    conditions = [
        render(Expression(text, dialect, "test"), person, columns, keyed=True) for dialect, text, _ in FILTERS
    ]
    found = answers(sqe, *(f"SELECT {condition} FROM {ROW}" for condition in conditions))
    assert found == [expected for _, _, expected in FILTERS]


MASKS = [
    ("name", "mask_null()", "NULL"),
    ("name", "mask_constant('it''s \\\\')", "it's \\"),
    ("n", "mask_constant(-1)", "-1"),
    ("day", "mask_constant('2000-02-29')", "2000-02-29"),
    ("name", "mask_first(name, 3)", "Grüxxxxxx"),
    ("name", "mask_last(name, 5)", "xxxxe 123"),
    ("name", "mask_last(name, 50)", "Grüße 123"),
    ("name", "mask_first(name, 0)", "xxxxxxxxx"),
    ("name", "mask_last(name, 0)", "xxxxxxxxx"),
    ("day", "mask_year(day)", "2021-01-01"),
    ("local", "mask_year(local)", "2021-01-01 00:00:00"),
    ("seen", "mask_year(seen)", "2021-01-01 00:00:00"),
    ("addr", "mask_fields(addr, 'street', 'geo.lat')", '{"street":null,"geo":{"lat":null,"lon":2.5}}'),
    ("items", "mask_fields(items, 'price')", '[{"sku":"a","price":null},null]'),
    ("more", "mask_fields(more, 'b')", '{"k":{"a":1,"b":null}}'),
    ("n", "n - n % 10", "0"),
]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
def test_masks_keep_the_type_and_hide_the_value(sqe: Sqe, zone: str) -> None:
    def shown(value: str, kind: str, source: str) -> str:
        nested = kind.startswith(("struct", "array", "map"))
        typed = f"CAST({value} AS {kind})"  # as the guard does
        text = f"to_json({typed}, map('ignoreNullFields', 'false'))" if nested else f"CAST({typed} AS STRING)"
        return f"SELECT coalesce({text}, 'NULL') || '' FROM {source}"

    person = Principal("ada", "test")
    columns = tuple(COLUMNS.values())
    masks = [
        (
            COLUMNS[name].type,
            render_mask(Expression(text, Dialect.SPARK, "test"), person, COLUMNS[name], columns, keyed=True),
        )
        for name, text, _ in MASKS
    ]
    found = answers(sqe, *(shown(mask, kind, ROW) for kind, mask in masks), zone=zone)
    unquoted = [line[1:-1].replace('""', '"') if line.startswith('"') else line for line in found]
    assert unquoted == [expected for _, _, expected in MASKS]
    constant = [text.startswith("mask_constant") for _, text, _ in MASKS]
    nulls = answers(sqe, *(shown(mask, kind, NULLS) for kind, mask in masks), zone=zone)
    assert [null == "NULL" for null in nulls] == [not each for each in constant]
