from __future__ import annotations

import pytest

from sqe.errors import SemanticError
from sqe.sql.column_type import column_type


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("bigint", "BIGINT"),
        ("LONG", "BIGINT"),
        ("decimal(10,2)", "DECIMAL(10,2)"),
        ("varchar(3)", "VARCHAR(3)"),
        ("string collate UTF8_LCASE", "STRING COLLATE `UTF8_LCASE`"),
        ("interval day to second", "INTERVAL DAY TO SECOND"),
        ("array<array<int>>", "ARRAY<ARRAY<INT>>"),
        ("map<string,array<date>>", "MAP<STRING, ARRAY<DATE>>"),
        ("struct<>", "STRUCT<>"),
        ("struct<a:int,b:struct<c:string>>", "STRUCT<`a`: INT, `b`: STRUCT<`c`: STRING>>"),
        ("STRUCT<`a b`: INT NOT NULL COMMENT 'x', `c``d`: STRING>", "STRUCT<`a b`: INT, `c``d`: STRING>"),
        ("struct<a b:int,c-d.e:string>", "STRUCT<`a b`: INT, `c-d.e`: STRING>"),
        ("timestamp_ltz", "TIMESTAMP"),
    ],
)
def test_a_type_is_read_and_written_again(text: str, written: str) -> None:
    assert str(column_type(text)) == written
    assert column_type(written) == column_type(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no_such",
        "array<int",
        "array",
        "map<int>",
        "struct<a>",
        "struct<a int>",
        "struct<:int>",
        "struct<a,b:int>",
        "struct<it's:int>",
        "int int",
        "decimal(10",
        "decimal('x')",
        "int)",
        "'int'",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(SemanticError):
        column_type(text)


def test_a_field_is_found_in_any_letters() -> None:
    kind = column_type("struct<Street:string>")
    assert kind.field("STREET") == ("Street", column_type("string"))
    assert kind.field("other") is None
