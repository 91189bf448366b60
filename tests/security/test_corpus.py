"""Every case of the corpus at the front ends of one server, by the restricted user and by the control."""

from __future__ import annotations

import pytest
from tests.security.case import Case
from tests.security.corpus.everything import CASES
from tests.security.corpus_server import CorpusServer

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_a_bypass_is_none(corpus_server: CorpusServer, case: Case) -> None:
    corpus_server.check(case)
