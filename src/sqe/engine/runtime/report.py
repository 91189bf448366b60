"""How set-up tells what it is doing, to whoever wants to know."""

from __future__ import annotations

import logging
from typing import Protocol

_log = logging.getLogger(__name__)


class Reporter(Protocol):
    """Hears about one step after the other; steps do not overlap. Called from one thread."""

    def start(self, step: str, total: int | None = None) -> None:
        """A step begins that takes a while; `total` is in bytes where that is known."""

    def advance(self, done: int) -> None:
        """So many bytes of the step are done, counted from its beginning."""

    def finish(self) -> None:
        """The step has succeeded. A step that fails is not finished: its error is raised."""

    def note(self, text: str) -> None:
        """Something worth knowing that is not a step."""


class QuietReporter:
    """Tells nobody."""

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
