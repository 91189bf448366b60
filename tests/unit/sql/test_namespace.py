from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.sql.namespace import join, split


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("default",), "default"),
        (("a", "b"), "a.b"),
        (("a.b",), "`a.b`"),
        (("a", "b.c", "d"), "a.`b.c`.d"),
        (("x`y",), "x`y"),
        (("`x",), "```x`"),
        (("", "a"), "``.a"),
        (("Ünï code",), "Ünï code"),
    ],
)
def test_a_namespace_is_one_name_and_back(parts: tuple[str, ...], name: str) -> None:
    assert join(parts) == name
    assert split(name) == parts


def test_what_spark_shows_is_read() -> None:
    assert split("`Ünï``q`.b") == ("Ünï`q", "b")


def test_a_name_that_is_not_a_list_of_parts_is_one_part() -> None:
    assert split("`open") == ("`open",)
    assert split("`a`b") == ("`a`b",)


def test_empty_parts_are_parts() -> None:
    assert (split(""), split("a."), split(".a")) == (("",), ("a", ""), ("", "a"))


@given(st.lists(st.text("ab.` ", max_size=4), min_size=1, max_size=4))
def test_nothing_is_lost_on_the_way(parts: list[str]) -> None:
    assert split(join(tuple(parts))) == tuple(parts)
