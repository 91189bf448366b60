"""Every function that a shared engine allows is known to end soon and to stay small in one row, and by what."""

from __future__ import annotations

import re

from tests.support.kinds import LISTS

from sqe.engine.runtime import guard

BOUNDS = LISTS.parent / "bounds" / "functions.txt"
JAVA = guard.find_sources() / "sqe/spark/bounds"
WORDS = {
    "interruptible",
    "lambda",
    "searched",
    "measured",
    "argument",
    "sized",
    "weighed",
    "step",
    "linear",
    "aggregate",
}


def classified() -> dict[str, str]:
    lines = [
        line for line in BOUNDS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    ]
    words = dict[str, str]()
    for line in lines:
        name, word = line.split()
        assert name not in words
        words[name] = word
    return words


def allowed() -> set[str]:
    lines = (LISTS / "functions.txt").read_text(encoding="utf-8").splitlines()
    return {
        line.split()[0] for line in lines if line and not line.startswith("#") and line.split()[1] == "allow"
    }


def test_every_allowed_function_is_classified_and_nothing_else() -> None:
    assert set(classified()) == allowed()


def test_every_word_is_explained_and_used() -> None:
    explained = set(re.findall(r"^#   (\w+) ", BOUNDS.read_text(encoding="utf-8"), re.MULTILINE))
    assert explained == WORDS == set(classified().values())


def test_a_function_with_a_bound_on_an_argument_has_one() -> None:
    java = (JAVA / "BoundedFunctions.java").read_text(encoding="utf-8")
    # What has its bound where plans are looked at.
    elsewhere = {"window": "TimeWindow", "from_json": "JsonToStructs"}
    plans = (JAVA / "PlanBounds.java").read_text(encoding="utf-8")
    for name, word in classified().items():
        if word == "argument":
            assert elsewhere[name] in plans if name in elsewhere else f'"{name}"' in java, name
