"""One server for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.matrix.lake import Lake, running_lake


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    with running_lake(tmp_path_factory.mktemp("lake")) as lake:
        yield lake
