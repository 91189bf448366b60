"""Report the set-up of several parts at once: a line for each step."""

from __future__ import annotations

import time
from typing import TextIO


class LineReporter:
    """One for each part: steps of one part do not overlap, those of several do."""

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._steps: list[tuple[str, float]] = []  # a step may have steps of its own

    def start(self, step: str, total: int | None = None) -> None:
        self._steps.append((step, time.monotonic()))
        self.note(f"{step} ..." if total is None else f"{step} ({total / 1e6:.0f} MB) ...")

    def advance(self, done: int) -> None:
        pass

    def finish(self) -> None:
        step, began = self._steps.pop()
        self.note(f"{step}: done in {time.monotonic() - began:.0f} s")

    def note(self, text: str) -> None:
        if self._out is not None:
            self._out.write(f"{text}\n")
            self._out.flush()
