from __future__ import annotations

import pytest

from sqe.policy.file.patterns import TablePattern, name_matches


@pytest.mark.parametrize(
    ("pattern", "name", "matches"),
    [
        ("ada", "ada", True),
        ("ada", "Ada", False),
        ("a*", "ada", True),
        ("a*", "bad", False),
        ("a?a", "ada", True),
        ("a?a", "aa", False),
        ("*", "", True),
        ("*", "any\nthing", True),
        ("a.b", "axb", False),
        ("[ab]", "a", False),
        ("a**b", "ab", True),
    ],
)
def test_names(pattern: str, name: str, matches: bool) -> None:
    assert name_matches(pattern, name) is matches


@pytest.mark.parametrize(
    ("pattern", "table", "matches"),
    [
        ("lake.s.t", "lake.s.t", True),
        ("lake.s.t", "lake.s.u", False),
        ("lake.s.t", "other.s.t", False),
        ("lake.s.*", "lake.s.t", True),
        ("lake.*.t", "lake.s.t", True),
        ("lake.*", "lake.s.t", None),
        ("lake.s.*", "lake.s.x.t", False),
        ("lake.*.*", "lake.s.x.t", False),
        ("lake.s.x.t", "lake.s.x.t", True),
        ("lake.**", "lake.s.x.t", True),
        ("lake.**", "lakes.s.t", False),
        ("lake.s.**", "lake.s.t", True),
        ("*", "lake.s.t", True),
        ("**", "lake.s.t", True),
        ('lake."s".t', "lake.s.t", True),
        ('lake.s."*"', "lake.s.t", False),
        ('lake.s."*"', "lake.s.*", True),
    ],
)
def test_tables_are_matched_by_their_parts(pattern: str, table: str, matches: bool | None) -> None:
    if matches is None:
        with pytest.raises(ValueError, match=r"lake\.\*\*"):
            TablePattern.read(pattern)
    else:
        assert TablePattern.read(pattern).matches(table.split("."), wide=False) is matches


def test_a_part_in_quotes_may_hold_a_dot() -> None:
    pattern = TablePattern.read('lake."odd.one"."a""b"')
    assert pattern.matches(("lake", "odd.one", 'a"b'), wide=False)
    assert not pattern.matches(("lake", "odd", "one", 'a"b'), wide=False)


def test_only_the_wide_reading_takes_other_letters() -> None:
    pattern = TablePattern.read("lake.s.Orders*")
    assert not pattern.matches(("lake", "S", "orders"), wide=False)
    assert pattern.matches(("lake", "S", "orders"), wide=True)


@pytest.mark.parametrize(
    ("pattern", "container", "reaches", "covers"),
    [
        ("lake.s.t", "lake", True, False),
        ("lake.s.t", "lake.s", True, False),
        ("lake.s.t", "lake.x", False, False),
        ("lake.s.*", "lake.s", True, True),
        ("lake.s.*", "lake", True, False),
        ("lake.*.*", "lake", True, True),
        ("lake.*.a*", "lake.s", True, False),
        ('lake.s."*"', "lake.s", True, False),
        ("lake.s.*", "lake.s.x", False, False),
        ("lake.**", "lake.s.x", True, True),
        ("lake.s.**", "lake", True, False),
        ("*", "lake", True, True),
    ],
)
def test_what_a_pattern_says_of_schemas_and_catalogs(
    pattern: str, container: str, reaches: bool, covers: bool
) -> None:
    read = TablePattern.read(pattern)
    assert (read.reaches(container.split(".")), read.covers(container.split("."), wide=False)) == (
        reaches,
        covers,
    )


@pytest.mark.parametrize(
    "text", ["", "a", "a.b", "a..b", ".a.b", "a.b.", 'a."b', 'a.b"c.d', "a.**.b", '"".b.c']
)
def test_what_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"'.*'"):
        TablePattern.read(text)
