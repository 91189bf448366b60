"""Report the steps of set-up."""

from __future__ import annotations

import logging
from typing import Protocol

_log = logging.getLogger(__name__)


class Reporter(Protocol):
    """Receives one step after the other; steps do not overlap. Called from one thread."""

    def start(self, step: str, total: int | None = None) -> None:
        """Begin a step that takes a while; `total` is in bytes where that is known."""

    def advance(self, done: int) -> None:
        """Report how many bytes of the step are done, counted from its beginning."""

    def finish(self) -> None:
        """End a step that has succeeded. A step that fails is not finished: its error is raised."""

    def note(self, text: str) -> None:
        """Report a fact that is not a step."""


class QuietReporter:
    """Reports nothing."""

    def start(self, step: str, total: int | None = None) -> None:
        pass

    def advance(self, done: int) -> None:
        pass

    def finish(self) -> None:
        pass

    def note(self, text: str) -> None:
        pass


class LogReporter:
    """Writes steps and notes to the log; progress within a step is left out."""

    def __init__(self, logger: logging.Logger = _log) -> None:
        self._logger = logger
        self._step = ""

    def start(self, step: str, total: int | None = None) -> None:
        self._step = step
        self._logger.info("%s%s", step, f" ({total / 1e6:.1f} MB)" if total else "")

    def advance(self, done: int) -> None:
        pass

    def finish(self) -> None:
        self._logger.info("%s: done", self._step)

    def note(self, text: str) -> None:
        self._logger.info("%s", text)
