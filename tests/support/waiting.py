"""Wait for a condition in tests."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 120.0  # a safety net: a busy machine must not turn a slow test into a failed one
_POLL_SECONDS = 0.02


def until(condition: Callable[[], object], what: str = "the condition", seconds: float = SECONDS) -> None:
    """Return as soon as `condition` is true. Fail with the name of `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(_POLL_SECONDS)
