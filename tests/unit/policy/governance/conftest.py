from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.governance import GovernanceHarness


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[GovernanceHarness]:
    found = GovernanceHarness(tmp_path / "grants.db")
    yield found
    found.point.close()
