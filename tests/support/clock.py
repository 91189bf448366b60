"""Time that passes when a test says so."""

from __future__ import annotations

import time


class Clock:
    """Starts at the real time, since tokens are made and checked by it, and stands still."""

    def __init__(self) -> None:
        self.now = float(round(time.time()))

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
