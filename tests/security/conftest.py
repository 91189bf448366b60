"""One server for the whole corpus."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from testing.certificates import own_certificates
from tests.security.corpus_server import CorpusServer
from tests.security.serving import LAKE, policy_settings, served, write_rules


@pytest.fixture(scope="session", autouse=True)
def _own_certificates() -> Iterator[None]:
    with own_certificates():
        yield


@pytest.fixture(scope="session")
def corpus_server() -> Iterator[CorpusServer]:
    with ExitStack() as stack:
        name = os.environ.get(LAKE) or stack.enter_context(
            tempfile.TemporaryDirectory(prefix="sqe-security-")
        )
        directory = Path(name)
        rules = write_rules(directory / "rules.yaml")
        yield stack.enter_context(served(directory, policy_settings(rules)))
