"""Clocks that a test moves."""

from __future__ import annotations

import time
from types import ModuleType

import pytest


class Clock:
    """Tell a time that stands still until a test moves it."""

    def __init__(self, now: float | None = None) -> None:
        self.now = float(round(time.time())) if now is None else now

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class SkippingTime:
    """Stand in for the module `time`: the machine's time plus the seconds that a test has skipped."""

    sleep = staticmethod(time.sleep)

    def __init__(self) -> None:
        self._skipped = 0.0

    def skip(self, seconds: float) -> None:
        self._skipped += seconds

    def monotonic(self) -> float:
        return time.monotonic() + self._skipped

    def time(self) -> float:
        return time.time() + self._skipped


def skipping_time(monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> SkippingTime:
    """Give `modules` a time that the test can skip, so that a limit may be generous and still be reached."""
    skipping = SkippingTime()
    for module in modules:
        monkeypatch.setattr(module, "time", skipping)
    return skipping
