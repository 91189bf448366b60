"""Random histories of tables under policies: every state shows what the rules about its columns allow.

The other policy engines are in test_engines.py. `make histories` runs more of them, with all engines.
"""

from __future__ import annotations

import os

import pytest
from tests.security.corpus_server import CorpusServer
from tests.security.history_check import check_history

pytestmark = pytest.mark.engine

AT_LENGTH = "SQE_TEST_AT_LENGTH" in os.environ
SEEDS = range(60 if AT_LENGTH else 2)
STEPS = 16 if AT_LENGTH else 10


@pytest.mark.parametrize("seed", SEEDS)
def test_every_state_of_a_history_shows_what_its_rules_allow(corpus_server: CorpusServer, seed: int) -> None:
    check_history(corpus_server, "file", seed, STEPS)
