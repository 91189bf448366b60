"""SQE's Trino endpoint gives the answers of a real Trino, except where the list of differences says so."""

from __future__ import annotations

import pytest
from testing.server import RunningServer
from tests.parity.client import run_all
from tests.parity.compare import verdict
from tests.parity.page import PAGE, page
from tests.parity.suite import EXPECTED, VERDICTS, read_cases, read_expected, read_known, show, topics

# The part of the cases that must be the same.
LEAST_SAME = 0.85

TOPICS = topics()


@pytest.mark.engine
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("topic", TOPICS)
def test_answers(server: RunningServer, topic: str) -> None:
    cases = read_cases(topic)
    expected = read_expected(topic)
    known = read_known()
    wrong: list[str] = []
    for case, answer in zip(cases, run_all(server.trino, [case.sql for case in cases]), strict=True):
        found = verdict(case.sql, expected[case.name], answer)
        listed = known[case.id].verdict if case.id in known else "same"
        if found == listed:
            continue
        hint = " Take it off known.toml." if found == "same" else ""
        wrong.append(
            f"{case.id}: {found}, listed as {listed}.{hint}\n"
            f"  {case.sql}\n  Trino: {show(expected[case.name], 500)}\n  SQE:   {show(answer, 500)}"
        )
    assert not wrong, "\n".join([f"{len(wrong)} of {len(cases)} cases:", *wrong])


@pytest.mark.parametrize("topic", TOPICS)
def test_every_case_has_a_name_and_an_answer_of_its_own(topic: str) -> None:
    names = [case.name for case in read_cases(topic)]
    assert sorted(set(names)) == sorted(names)
    assert sorted(names) == sorted(read_expected(topic)), "Run `make parity-record`."


def test_every_recorded_topic_has_cases() -> None:
    assert sorted(path.stem for path in EXPECTED.glob("*.json")) == TOPICS


def test_known_differences_are_about_cases_that_there_are() -> None:
    known = read_known()
    assert known.keys() <= {case.id for topic in TOPICS for case in read_cases(topic)}
    assert {difference.verdict for difference in known.values()} <= set(VERDICTS) - {"same"}
    assert not [name for name, difference in known.items() if not difference.why], "Each needs a reason."


def test_the_page_is_up_to_date() -> None:
    assert PAGE.exists(), "Run `python -m tests.parity.update`."
    assert PAGE.read_text(encoding="utf-8") == page(), "Run `python -m tests.parity.page`."


def test_enough_cases_are_the_same() -> None:
    total = sum(len(read_cases(topic)) for topic in TOPICS)
    assert 1 - len(read_known()) / total >= LEAST_SAME
