"""docs/clients.md agrees with the conformance suite."""

from __future__ import annotations

from tests.conformance.page import PAGE, page
from tests.conformance.suite import CASES, CLIENTS


def test_the_committed_page_is_what_the_suite_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "Run `make docs`."


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.id for case in CASES]
    assert sorted(set(names)) == sorted(names)


def test_gaps_are_about_clients_that_there_are() -> None:
    known = {client.name for client in CLIENTS}
    assert {name for case in CASES for name in case.gaps} <= known
