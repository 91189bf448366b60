"""The corpus itself: it is large enough, its names are names, and each case has its control."""

from __future__ import annotations

from collections import Counter

from tests.security.case import DONE, Case, Done, Matching, Refusal, Rows
from tests.security.corpus.everything import CASES
from tests.security.data import CANARIES

# What a denial's control gets is a value, or an effect, or an error that ann must not get.
_CONTROLS = (Rows, Matching, Done)


def test_it_is_large_enough() -> None:
    assert len(CASES) >= 250
    sources = Counter(case.name.split("-")[0] for case in CASES)
    assert {"kyuubi", "postgres", "trino", "guard"} <= sources.keys()


def test_names_are_unique() -> None:
    assert [name for name, times in Counter(case.name for case in CASES).items() if times > 1] == []


def test_the_control_of_a_refusal_is_not_the_same_refusal_everywhere() -> None:
    """Of those that nobody may, at least one of each kind has a control with another statement."""
    alike = [case.name for case in CASES if isinstance(case.ann, Refusal) and case.ann == case.bob]
    assert len(alike) < len(CASES) // 20, alike


def test_what_ann_is_to_see_holds_nothing_that_she_must_not() -> None:
    for case in CASES:
        for canary in CANARIES:
            assert canary not in _said(case) or canary in case.sql, case.name


def test_who_changes_nothing_leaves_nothing() -> None:
    for case in CASES:
        assert case.ann_writes or case.left is None, case.name
        # Who is refused has changed something before, which is still there.
        left = bool(case.before) and case.left is not None
        assert left or not (case.ann_writes and isinstance(case.ann, Refusal)), case.name
        assert not (case.writes and case.bob != DONE and not case.before), case.name


def _said(case: Case) -> str:
    return str(case.ann) if isinstance(case.ann, Rows) else ""
