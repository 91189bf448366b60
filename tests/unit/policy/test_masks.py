from __future__ import annotations

from sqe.model.decision import Expression
from sqe.model.session import Dialect
from sqe.policy.masks import strongest


def mask(text: str, source: str = "test") -> Expression:
    return Expression(text, Dialect.SPARK, source)


def test_the_one_that_hides_most_counts() -> None:
    weak, strong = mask("mask_last(a, 4)"), mask("mask_hash(a)")
    assert strongest([weak, strong]) is strong
    assert strongest([strong, weak]) is strong
    assert strongest([weak, mask("mask_last(a, 4)", "other")]) is weak


def test_two_ways_to_hide_as_much_show_nothing() -> None:
    both = strongest([mask("mask_last(a, 4)", "one"), mask("mask_first(a, 4)", "two")])
    assert both == Expression("mask_null()", Dialect.SPARK, "one and two")
