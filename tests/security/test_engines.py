"""The essential cases with the same rules in the policy engines grants, OPA and Cedar."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from stack.opa import running_opa
from testing.command import INTERPRETED
from tests.security.case import Case
from tests.security.corpus.essentials import ESSENTIALS, NAMES
from tests.security.corpus_server import CorpusServer
from tests.security.data import MASK_KEY
from tests.security.engines.grants import FIRST, GRANTS
from tests.security.history_check import check_history
from tests.security.serving import run_all, served
from tests.security.test_histories import AT_LENGTH, STEPS

pytestmark = [
    pytest.mark.engine,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

ENGINES = Path(__file__).parent / "engines"


@pytest.fixture(scope="module")
def directory() -> Iterator[Path]:
    """For the tables of the corpus, which the first server makes."""
    with tempfile.TemporaryDirectory(prefix="sqe-security-") as name:
        yield Path(name)


@pytest.fixture(scope="module", params=["cedar", "opa", "grants"])
def governed(directory: Path, request: pytest.FixtureRequest) -> Iterator[CorpusServer]:
    with ExitStack() as ending:
        settings = {
            "policy__engines": f'["{request.param}"]',
            "policy__mask_key": MASK_KEY,
            "engine__settings": INTERPRETED,  # the corpus runs the compiled form
        }
        match request.param:
            case "grants":
                settings["policy__admins"] = '["user:adm"]'
            case "opa":
                policies = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="sqe-opa-")))
                opa = ending.enter_context(running_opa(policies, ENGINES))
                settings["opa__url"] = opa.endpoint("allow")
                settings["opa__row_filters_url"] = opa.endpoint("rowFilters")
                settings["opa__column_mask_url"] = opa.endpoint("columnMask")
            case "cedar":
                settings["policy__cedar_policies"] = str(ENGINES / "rules.cedar")
        first = FIRST if request.param == "grants" else ()
        corpus_server = ending.enter_context(served(directory, settings, first))
        if request.param == "grants":
            run_all(corpus_server.visitors.visitor("adm", "flight"), GRANTS)
        yield corpus_server


@pytest.mark.parametrize("case", ESSENTIALS, ids=lambda case: str(case.name))
def test_an_essential_case_holds_with_every_engine(governed: CorpusServer, case: Case) -> None:
    governed.check(case, ("flight",))


@pytest.mark.parametrize("seed", range(60 if AT_LENGTH else 1))
def test_every_state_of_a_history_shows_what_its_rules_allow(
    governed: CorpusServer, request: pytest.FixtureRequest, seed: int
) -> None:
    check_history(governed, request.node.callspec.params["governed"], seed, STEPS)


def test_every_essential_case_exists() -> None:
    assert {case.name for case in ESSENTIALS} >= NAMES
