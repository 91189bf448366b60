from __future__ import annotations

import time

import pytest

from sqe.errors import DataError
from sqe.sql.like import like, only_match


@pytest.mark.parametrize(
    ("pattern", "escape", "matching", "others"),
    [
        ("%", None, ["", "a", "a\nb"], []),
        ("a_c", None, ["abc", "a_c", "aéc"], ["ac", "abbc", "ABC"]),
        ("a%", None, ["a", "ab"], ["ba", ""]),
        ("a.c*", None, ["a.c*"], ["abc", "abcc"]),
        (r"a\_c", "\\", ["a_c"], ["abc"]),
        (r"100\%", "\\", ["100%"], ["1000"]),
        ("a##b", "#", ["a#b"], ["a##b"]),
        (r"a\b", None, [r"a\b"], ["ab"]),
        ("", None, [""], ["a"]),
        ("a%b_%a", None, ["abxa", "axbba", "aabca"], ["aba", "a", "abx"]),
        ("%ab", None, ["ab", "aab", "abab"], ["aba"]),
        ("%%a%%", None, ["a", "bab"], ["b"]),
    ],
)
def test_patterns(pattern: str, escape: str | None, matching: list[str], others: list[str]) -> None:
    matches = like(pattern, escape)
    assert [name for name in matching + others if matches(name)] == matching


@pytest.mark.parametrize(("pattern", "escape"), [("a#b", "#"), ("a#", "#"), ("a", "##"), ("a", "")])
def test_a_wrong_escape_is_refused(pattern: str, escape: str) -> None:
    with pytest.raises(DataError):
        like(pattern, escape)


def test_a_pattern_without_wildcards_has_one_match() -> None:
    assert only_match("orders") == "orders"
    assert only_match(r"a\_b\%\\", "\\") == "a_b%\\"
    assert only_match("a_b") is None
    assert only_match("a%") is None


def test_many_wildcards_do_not_take_for_ever() -> None:
    started = time.monotonic()
    assert not like("%" * 200 + "b")("a" * 2000)
    assert not like("%a" * 12 + "b")("a" * 60)
    assert time.monotonic() - started < 60
