from __future__ import annotations

import pytest

from sqe.model.decision import Column
from sqe.model.session import Dialect
from sqe.policy.binding import BoundExpression, bind, candidates, for_column, rebind

SPARK, TRINO = Dialect.SPARK, Dialect.TRINO
BEFORE = (Column("a", "string", 1), Column("b c", "string", 2), Column("s", "struct<a:string>", 3))
AFTER = (Column("x`y", "string", 1), Column('d"e', "string", 2), Column("s", "struct<a:string>", 3))


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (
            SPARK,
            "A = 'a' AND `b c` > \"a\" AND s.a = a(a)",
            '`x``y` = \'a\' AND `d"e` > "a" AND s.a = a(`x``y`)',
        ),
        (SPARK, "s.a /* a */ = -- a\n 1", "s.a /* a */ = -- a\n 1"),
        (TRINO, "a = 'a' AND \"B C\" > `a`", '"x`y" = \'a\' AND "d""e" > "x`y"'),
    ],
)
def test_columns_are_written_as_they_are_called_now(dialect: Dialect, text: str, expected: str) -> None:
    assert rebind(bind(text, dialect, BEFORE), AFTER) == expected


def test_only_columns_that_are_named_are_kept() -> None:
    assert dict(bind("A = 1", SPARK, BEFORE).fields) == {"a": 1}


def test_the_text_stays_where_nothing_was_renamed() -> None:
    assert rebind(bind("a = 1", SPARK, BEFORE), (Column("A", "string", 1),)) == "a = 1"


def test_a_column_that_is_gone_is_told_from_a_new_one_of_its_name() -> None:
    expression = bind("a = 1", SPARK, BEFORE)
    assert rebind(expression, (Column("b c", "string", 2),)) is None
    assert rebind(expression, (Column("a", "string", 7),)) is None


def test_without_field_ids_names_have_to_do() -> None:
    expression = bind("a = 1", SPARK, BEFORE)
    assert rebind(expression, ()) == "a = 1"
    assert rebind(expression, (Column("z", "string"),)) == "a = 1"


def test_names_inside_of_a_query_are_not_guessed() -> None:
    text = "a IN (SELECT a FROM lake.sales.t)"
    assert rebind(bind(text, SPARK, BEFORE), BEFORE) == text
    assert rebind(bind(text, SPARK, BEFORE), AFTER) is None


def test_the_column_of_a_tag_takes_the_place_of_value() -> None:
    mask = BoundExpression("f(VALUE, value.x, x.value, `value`, 'value', value(value))", SPARK)
    assert for_column(mask, "a b") == "f(`a b`, `a b`.x, x.value, `value`, 'value', value(`a b`))"
    assert for_column(BoundExpression('f(value, "value")', TRINO), 'a"b') == 'f("a""b", "value")'


def test_candidates_are_names_and_no_functions() -> None:
    assert candidates("f(a) = `b c` AND s.x > 1", SPARK) == ["a", "b c", "AND", "s", "1"]
